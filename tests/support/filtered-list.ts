import type { SORTS } from "~/features/catalogue/schema";
import type { generatedProduct } from "../../scripts/seed/generated";

export type StoredProduct = ReturnType<typeof generatedProduct>;

/** Filters of the product list as URL parameters; prices in dollars. */
export interface Filter {
  category?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  stock?: "in" | undefined;
  sort?: (typeof SORTS)[number];
}

export function filterQuery(filter: Filter & { limit?: number; offset?: number }): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
type Order = (a: StoredProduct, b: StoredProduct) => number;
const ORDERS: Record<(typeof SORTS)[number], Order> = {
  default: (a, b) =>
    compare(Number(b.stock > 0), Number(a.stock > 0)) ||
    compare(b.created_at, a.created_at) ||
    compare(b.id, a.id),
  "price-asc": (a, b) => compare(a.price_cents, b.price_cents) || compare(a.id, b.id),
  "price-desc": (a, b) => compare(b.price_cents, a.price_cents) || compare(b.id, a.id),
  "name-asc": (a, b) => compare(a.sort_key, b.sort_key) || compare(a.id, b.id),
  "name-desc": (a, b) => compare(b.sort_key, a.sort_key) || compare(b.id, a.id),
};

/** Lists the ids of what a filter matches, in its order, by a plain filter and sort. */
export function plainList(
  products: StoredProduct[],
  { category, min = 0, max = 1e9, stock, sort = "default" }: Filter,
): string[] {
  return products
    .filter((row) => !category || row.category === category)
    .filter((row) => row.price_cents >= Math.round(min * 100) && row.price_cents <= Math.round(max * 100))
    .filter((row) => !stock || row.stock > 0)
    .sort(ORDERS[sort])
    .map(({ id }) => id);
}

/** Reads the number beside a filter on a page of the shop. */
export function numberBeside(html: string, label: string): number {
  const escaped = label.replaceAll("$", "\\$");
  return Number(new RegExp(`${escaped}(?:<!-- -->)? <span>(\\d+)</span>`).exec(html)?.[1]);
}
