import type { Card } from "./ProductCard";
import type { Facets, ShopFilter } from "./schema";

/** Formats cents for a URL or a field: `12`, `12.5`. */
export const dollars = (cents: number) => String(cents / 100);

/** Builds the canonical URL of a shop page, without default values. @param page from 1 */
export function shopUrl(
  { search, category, min, max, inStock, sort }: Partial<ShopFilter>,
  page = 1,
): string {
  const params = [
    search && String(new URLSearchParams({ search })),
    category && `category=${category}`,
    typeof min === "number" && `min=${dollars(min)}`,
    typeof max === "number" && `max=${dollars(max)}`,
    inStock && "stock=in",
    sort && sort !== "default" && `sort=${sort}`,
    page > 1 && `page=${page}`,
  ].filter(Boolean);
  return params.length ? `/shop?${params.join("&")}` : "/shop";
}

/** Displayed products: the page in the URL, preceded by earlier pages that are loaded already. */
export interface VisibleShop {
  filter: ShopFilter;
  cards: Card[];
  facets: Facets;
  /** First displayed page, at most `page`. */
  first: number;
  page: number;
  pages: number;
  size: number;
}

/**
 * Prepends the cached pages directly before the loaded one, so that 'Show more' and Back keep the earlier products.
 *
 * @param loaded page
 * @param peek reads a page from the cache by its URL
 */
export function withEarlierPages(
  loaded: VisibleShop,
  peek: (url: string) => VisibleShop | undefined,
): VisibleShop {
  let { first, cards } = loaded;
  while (first > 1) {
    const earlier = peek(shopUrl(loaded.filter, first - 1));
    if (!earlier || earlier.page !== first - 1) break;
    cards = [...earlier.cards, ...cards];
    first--;
  }
  return { ...loaded, first, cards: distinct(cards) };
}

/** Removes repeated products: one may move to the next page between two reads. */
function distinct(cards: Card[]): Card[] {
  return [...new Map(cards.map((card) => [card.id, card])).values()];
}
