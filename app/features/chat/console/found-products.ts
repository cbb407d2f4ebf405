import type { CardProduct } from "../message-links";

/** Products that a search for one to attach finds. */
export const MAX_FOUND_PRODUCTS = 6;

/** Product of the API's list; `price` in dollars. */
interface FoundProduct {
  id: string;
  name: string;
  price: number;
  stock: number;
  imageUrls: string[];
}

/** Converts found products to those of cards. */
export const asCardProducts = (found: FoundProduct[]): CardProduct[] =>
  found.map(({ id, name, price, stock, imageUrls }) => ({
    id,
    name,
    priceCents: Math.round(price * 100),
    stock,
    image: imageUrls[0] ?? null,
  }));

/** Address of the search in the API. */
export const productSearchUrl = (text: string) =>
  `/api/product/all?${new URLSearchParams({ raw: "1", limit: String(MAX_FOUND_PRODUCTS), search: text })}`;
