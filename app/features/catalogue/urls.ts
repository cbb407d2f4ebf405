import { plainDollars } from "~/domain/money";
import type { ShopFilter } from "./schema";

export function categoryUrl(category: string): string {
  return `/shop?category=${category}`;
}

/** Builds the canonical URL of a shop page, without default values. @param page from 1 */
export function shopUrl(
  { search, category, min, max, inStock, sort }: Partial<ShopFilter>,
  page = 1,
): string {
  const params = [
    search && String(new URLSearchParams({ search })),
    category && `category=${category}`,
    typeof min === "number" && `min=${plainDollars(min)}`,
    typeof max === "number" && `max=${plainDollars(max)}`,
    inStock && "stock=in",
    sort && sort !== "default" && `sort=${sort}`,
    page > 1 && `page=${page}`,
  ].filter(Boolean);
  return params.length ? `/shop?${params.join("&")}` : "/shop";
}
