import type { Db } from "~/db/client.server";
import { imageUrl } from "~/features/storage/schema";
import { operation } from "~/http/operation.server";
import type { Category, CategoryTile } from "../categories";
import { type CardRow, card } from "../queries.server";
import { NO_FILTER, SuggestInput } from "../schema";
import { searchTerms, suggestionTiers } from "../search";
import { findCandidates, planSearch, searchOf } from "../search.queries.server";
import { findCategories } from "../shop.queries.server";
import { categoryName } from "../urls";

const MAX_SUGGESTED = 6;
/** Width of a picture, px. */
const PICTURE_WIDTH = 160;
const MAX_SUGGESTED_CATEGORIES = 4;
/** Weight of a category whose name matches: more than all candidates. */
const NAMED = 1000;

/** Products and categories for a search that is being typed. */
export interface Suggested {
  products: { id: string; name: string; price: number; image: string; available: number }[];
  categories: { category: Category; name: string; products: number }[];
}

/**
 * GET product/suggest: at most 6 products and 4 categories, whole words before beginnings; what search finds by fragments
 * and typos only when there is nothing else.
 */
export const suggest = operation({
  access: "anyone",
  input: SuggestInput,
  cacheable: true,
  async run({ db, input: { q } }): Promise<Suggested> {
    const words = searchTerms(q);
    if (words.length === 0) return { products: [], categories: [] };
    const [candidates, categories] = await Promise.all([
      findCandidates(db, suggestionTiers(words)),
      findCategories(db),
    ]);
    const cards = candidates.length ? rankSuggestions(q, candidates) : await searchLoosely(db, q);
    return {
      products: cards.slice(0, MAX_SUGGESTED).map(({ id, name, priceCents, image, stock }) => ({
        id,
        name,
        price: priceCents / 100,
        image: image ? imageUrl(image, PICTURE_WIDTH) : "",
        available: stock,
      })),
      categories: suggestCategories(words, categories, cards),
    };
  },
});

/** Orders candidates by tier, what is in stock first, then names that begin with the query and short ones. */
function rankSuggestions(q: string, candidates: (CardRow & { tier: number })[]): CardRow[] {
  const first = new Map<string, CardRow & { tier: number }>();
  for (const card of candidates) {
    const known = first.get(card.id);
    if (!known || card.tier < known.tier) first.set(card.id, card);
  }
  const starts = (name: string) => (name.toLowerCase().startsWith(q.toLowerCase()) ? 0 : 1);
  return [...first.values()].sort(
    (a, b) =>
      a.tier - b.tier ||
      Number(b.stock > 0) - Number(a.stock > 0) ||
      starts(a.name) - starts(b.name) ||
      a.name.length - b.name.length ||
      (a.name < b.name ? -1 : 1),
  );
}

async function searchLoosely(db: Db, q: string): Promise<CardRow[]> {
  const plan = await planSearch(db, q);
  return plan ? searchOf<CardRow>(card)(db, plan, NO_FILTER, { limit: MAX_SUGGESTED, offset: 0 }) : [];
}

/** Picks categories whose name the words begin, then those of the products, the most frequent first. */
function suggestCategories(
  words: string[],
  categories: CategoryTile[],
  cards: CardRow[],
): Suggested["categories"] {
  const named = ({ category }: CategoryTile) => {
    const names = searchTerms(categoryName(category));
    return words.every((word) => names.some((name) => name.startsWith(word)));
  };
  const weight = (tile: CategoryTile) =>
    (named(tile) ? NAMED : 0) + cards.filter(({ category }) => category === tile.category).length;
  return categories
    .map((tile) => ({ tile, weight: weight(tile) }))
    .filter((entry) => entry.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_SUGGESTED_CATEGORIES)
    .map(({ tile: { category, products } }) => ({ category, name: categoryName(category), products }));
}
