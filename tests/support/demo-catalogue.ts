import catalogue from "../../data/catalogue.json";
import { addProduct, call } from "./shop";

interface Found {
  id: string;
  name: string;
  category: string;
  price: number;
}

const plain = (html: string) => html.replace(/<[^>]+>/g, " ");
export const listed = async (search: string) =>
  (await (await call(`/api/product/all?search=${encodeURIComponent(search)}`)).json()) as Found[];
/** Reads the markup of the list, without the comments between texts. */
export const page = async (query: string) => {
  const html = await (await call(`/shop?${query}`)).text();
  return (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "").replace(/<!-- -->/g, "");
};
export const names = async (search: string) => (await listed(search)).map(({ name }) => name);
export const textOf = (id: string) => {
  const product = catalogue.find(({ slug }) => slug === id);
  return `${product?.name} ${plain(product?.descriptionHtml ?? "")} ${product?.colors.join(" ")}`.toLowerCase();
};

/** Adds the products of the demo catalogue. */
export async function addCatalogue(): Promise<void> {
  for (const [at, { slug, name, category, price, stock, colors, descriptionHtml }] of catalogue.entries())
    await addProduct({
      id: slug,
      name,
      category,
      priceCents: Math.round(price * 100),
      stock,
      colors,
      searchText: plain(descriptionHtml),
      createdAt: 1_790_000_000 - at,
    });
}
