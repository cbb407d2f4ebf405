import type { Category } from "./categories";
import type { Sort } from "./schema";

/** What the shop's address says besides its page. */
export interface ShopFilter {
  search: string;
  category: Category | null;
  sort: Sort;
}

/**
 * The one address of a view of the shop: what is as always is left out.
 *
 * @param filter search, category, sort
 * @param page from 1
 */
export function shopAddress({ search, category, sort }: ShopFilter, page = 1): string {
  const query = new URLSearchParams();
  if (search) query.set("search", search);
  if (category) query.set("category", category);
  if (sort !== "default") query.set("sort", sort);
  if (page > 1) query.set("page", String(page));
  return query.size ? `/shop?${query}` : "/shop";
}
