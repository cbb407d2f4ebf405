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
export function shopUrl({ search, category, sort }: ShopFilter, page = 1): string {
  const said = [
    search && String(new URLSearchParams({ search })),
    category && `category=${category}`,
    sort !== "default" && `sort=${sort}`,
    page > 1 && `page=${page}`,
  ].filter(Boolean);
  return said.length ? `/shop?${said.join("&")}` : "/shop";
}
