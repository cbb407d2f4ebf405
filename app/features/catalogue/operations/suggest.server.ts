import type { Db } from "~/db/client.server";
import type { Category, CategoryTile } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { imageUrl } from "~/features/storage/schema";
import { operation } from "~/http/operation.server";
import { Suggestions } from "../answers";
import { priceLabel } from "../price-bands";
import { cardOf, type FoundCard } from "../product-views.server";
import { type CardRow, card, windowOf } from "../queries.server";
import { NO_FILTER, type ShopFilter, SuggestInput } from "../schema";
import { wantedColours } from "../search";
import { type Candidate, findCandidates, foundCard, searchOf } from "../search.queries.server";
import type { PlannedSearch } from "../search-lookup.queries.server";
import { searchTerms } from "../search-query";
import { findCategories } from "../shop.queries.server";
import { readSearch } from "./list-page.server";
import { atOtherPrices, lackedColours, nearestTo, pricedAlike } from "./nearest.server";

const MAX_SUGGESTED = 6;
/** Width of a picture, px. */
const PICTURE_WIDTH = 160;
const MAX_SUGGESTED_CATEGORIES = 4;
/** Weight of a category whose name matches: more than all candidates. */
const NAMED = 1000;

/** Products and categories for a search that is being typed. */
export interface Suggested {
  products: {
    id: string;
    name: string;
    price: number;
    /** Some of its units cost more. */
    isFrom?: boolean;
    image: string;
    available: number;
    category: string;
    /** Words of the search that the product lacks, where no product has all of them. */
    missing?: string[];
  }[];
  categories: { category: Category; name: string; products: number }[];
  /** Price that was read from the search, and the search without it. */
  price?: { label: string; without: string };
}

type SuggestedCard = FoundCard & { missing?: string[] };

/**
 * GET product/suggest: at most 6 products and 4 categories, whole words before beginnings; what search finds by typos, and
 * then what lacks a word, only when there is nothing else.
 */
export const suggest = operation({
  route: "GET product/suggest",
  summary: "Suggest products and categories for a search",
  answer: Suggestions,
  access: "anyone",
  input: SuggestInput,
  cacheable: true,
  async run({ db, input: { q } }): Promise<Suggested> {
    const [{ plan: planned, coded }, categories] = await Promise.all([readSearch(db, q), findCategories(db)]);
    if (coded.length > 0) return suggestCoded(db, coded, categories);
    if (!planned) return { products: [], categories: [] };
    const { query } = planned;
    const wanted = wantedColours(planned.plan);
    const filter = { ...NO_FILTER, ...query.price };
    const [candidates, lacked] = await Promise.all([
      findCandidates(db, planned.plan, filter),
      lackedColours(db, planned, filter),
    ]);
    const found: SuggestedCard[] = candidates.length
      ? rankSuggestions(q, candidates)
      : await searchLoosely(db, planned, filter);
    const missing = lacked.map(({ label }) => label);
    const cards = missing.length > 0 ? found.map((one) => ({ missing, ...one })) : found;
    return {
      products: cards
        .slice(0, MAX_SUGGESTED)
        .map(({ missing, ...found }) => suggested(cardOf(found, wanted), missing)),
      categories: suggestCategories(
        query.words.map(({ text }) => text),
        categories,
        cards,
      ),
      ...understoodPrice(query),
    };
  },
});

/** Suggests the products that have the search as the SKU or barcode of a unit. */
async function suggestCoded(db: Db, coded: number[], categories: CategoryTile[]): Promise<Suggested> {
  const window = { limit: MAX_SUGGESTED, offset: 0 };
  const cards = await windowOf<CardRow>(card)(db, coded, "default", window);
  const ofCards = categories.filter(({ category }) => cards.some((one) => one.category === category));
  return { products: cards.map((one) => suggested(one)), categories: suggestCategories([], ofCards, cards) };
}

function suggested(card: CardRow, missing?: string[]): Suggested["products"][number] {
  const { id, name, priceCents, isFrom, image, stock, category } = card;
  return {
    id,
    name,
    price: priceCents / 100,
    ...(isFrom && { isFrom }),
    image: image ? imageUrl(image, PICTURE_WIDTH) : "",
    available: stock,
    category,
    ...(missing && { missing }),
  };
}

function understoodPrice({ price, text }: PlannedSearch["query"]): Pick<Suggested, "price"> {
  const label = price && priceLabel(price);
  return label ? { price: { label, without: text } } : {};
}

/** Orders candidates: names that are the query, by tier, what is in stock first, then names that begin with it and short ones. */
function rankSuggestions(q: string, candidates: Candidate[]): Candidate[] {
  const first = new Map<string, Candidate>();
  for (const card of candidates) {
    const known = first.get(card.id);
    if (!known || card.tier < known.tier) first.set(card.id, card);
  }
  const starts = (name: string) => (name.toLowerCase().startsWith(q.toLowerCase()) ? 0 : 1);
  return [...first.values()].sort(
    (a, b) =>
      b.isName - a.isName ||
      a.tier - b.tier ||
      Number(b.stock > 0) - Number(a.stock > 0) ||
      starts(a.name) - starts(b.name) ||
      a.name.length - b.name.length ||
      (a.name < b.name ? -1 : 1),
  );
}

/** Finds matches by typos, what comes closest, matches at other prices and what has the price, in one round trip. */
async function searchLoosely(db: Db, planned: PlannedSearch, filter: ShopFilter): Promise<SuggestedCard[]> {
  const named = { ...filter, search: planned.query.text };
  const [matches, nearest, otherPrices, priced] = await Promise.all([
    searchOf<FoundCard>(foundCard(planned.plan))(db, planned.plan, filter, {
      limit: MAX_SUGGESTED,
      offset: 0,
    }),
    nearestTo(db, planned, filter, false),
    atOtherPrices(db, planned, [planned.terms], named),
    pricedAlike(db, named),
  ]);
  if (matches.length > 0) return matches;
  const groups = [nearest.groups, otherPrices, priced.groups].find((found) => found.length > 0) ?? [];
  return groups.flatMap(({ cards, lacks }) => cards.map((one) => ({ ...one, missing: lacks })));
}

/** Picks categories whose name the words begin, then those of the products, the most frequent first. */
function suggestCategories(
  words: string[],
  categories: CategoryTile[],
  cards: FoundCard[],
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
