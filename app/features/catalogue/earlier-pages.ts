import type { SearchNotes } from "./operations/nearest.server";
import type { Card } from "./ProductCard";
import type { Facets, ShopFilter } from "./schema";
import { shopUrl } from "./urls";

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
  searched: SearchNotes | null;
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
