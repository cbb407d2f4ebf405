import type { Card } from "./ProductCard";
import { type ShopFilter, shopUrl } from "./shop-address";

/** A page of the shop as it is shown: what its address names, and with it the pages before it that are at hand. */
export interface VisibleShop {
  filter: ShopFilter;
  cards: Card[];
  total: number;
  /** The first page that is shown; equal to `page` where only that one is. */
  first: number;
  page: number;
  pages: number;
  /** Cards on a page. */
  size: number;
}

/**
 * Puts the pages that the reader has already seen in front of the one that was loaded, as long as they follow
 * on one another: 'Show more' adds to what is there, and so does coming back to it.
 *
 * @param shown the loaded page
 * @param peek what is kept under an address, if anything
 */
export function withEarlierPages(
  shown: VisibleShop,
  peek: (address: string) => VisibleShop | undefined,
): VisibleShop {
  let { first, cards } = shown;
  while (first > 1) {
    const earlier = peek(shopUrl(shown.filter, first - 1));
    if (!earlier || earlier.page !== first - 1) break;
    cards = [...earlier.cards, ...cards];
    first--;
  }
  return { ...shown, first, cards: distinct(cards) };
}

/** A product may move from one page to the next between two reads; it is shown where it came first. */
function distinct(cards: Card[]): Card[] {
  return [...new Map(cards.map((card) => [card.id, card])).values()];
}
