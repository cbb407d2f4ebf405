import type { Db } from "~/db/client.server";
import { identityKey } from "~/db/text";
import { countList } from "../list-counts.queries.server";
import { type CardRow, card, listOf } from "../queries.server";
import type { ListFilter, ShopFilter } from "../schema";
import { colourMatches, isKnownTerm, searchPlan, type Term } from "../search";
import { countSearches, findCountedCards, findShades } from "../search.queries.server";
import type { PlannedSearch } from "../search-lookup.queries.server";
import type { PriceRange } from "../search-query";

/** Cards of a group, a row of the grid. */
const MAX_CARDS = 4;
const MAX_GROUPS = 3;
/** Terms of a search, to be looked for by parts. */
const MAX_TERMS = 4;

/** Products that have most of a search, or nothing of it but its price. */
export interface NearGroup {
  /** Terms that they have, none for a price alone, and those that they lack. */
  has: string[];
  lacks: string[];
  cards: CardRow[];
  total: number;
}

/** Colour of a search that its matches have by shades alone. */
export interface LackedColour {
  label: string;
  shades: string[];
}

/** Notes on a search for the page. */
export interface SearchNotes extends PriceRange {
  /** Search without its price. */
  text: string;
  terms: { label: string; synonyms: string[]; isKnown: boolean }[];
  /** Line above products that lack something of the search. */
  title: string | null;
  /** Nearest products to a search that nothing matches. */
  groups: NearGroup[];
  /** Words of names that are close to words of no product. */
  close: { word: string; products: number }[];
}

/**
 * Finds what comes closest to a search that nothing matches, with or without the filter: products that lack as few terms as
 * possible. For other searches the statements read one match.
 */
export async function nearestTo(
  db: Db,
  planned: PlannedSearch,
  filter: ListFilter,
): Promise<Pick<SearchNotes, "groups" | "close">> {
  const { terms, close } = planned;
  const [words, ...groups] = await Promise.all([
    close.length > 0 ? countSearches(db, close) : [],
    ...partsOf(terms).map((part) => readGroup(db, part, planned, filter)),
  ]);
  const found = groups.filter(({ total }) => total > 0);
  const most = Math.max(...found.map(({ has }) => has.length));
  // What is rare says more than what many products have.
  const nearest = found.filter(({ has }) => has.length === most).sort((a, b) => a.total - b.total);
  return { close: words, groups: nearest.slice(0, MAX_GROUPS) };
}

/** Finds the colours of a search that no match has by their own names; shades come closest. */
export async function lackedColours(
  db: Db,
  { terms }: PlannedSearch,
  filter: ListFilter,
): Promise<LackedColour[]> {
  const colours = await Promise.all(
    colourMatches(terms).map(async (colour) => ({
      label: colour.label,
      shades: await findShades(db, colour, filter),
    })),
  );
  return colours.filter(({ shades }) => shades.length > 0);
}

/** Parts of a search: all terms that products have; all but one of these; each of three or more. A letter alone is none. */
function partsOf(terms: Term[]): Term[][] {
  const known = terms.filter((term) => isKnownTerm(term) && term.label.length > 1).slice(0, MAX_TERMS);
  const parts = [
    ...(known.length < terms.length ? [known] : []),
    ...(known.length > 1 ? known.map((term) => known.filter((other) => other !== term)) : []),
    ...(known.length > 2 ? known.map((term) => [term]) : []),
  ];
  return parts.filter((part) => part.length > 0);
}

async function readGroup(
  db: Db,
  part: Term[],
  { terms, plan }: PlannedSearch,
  filter: ListFilter,
): Promise<NearGroup> {
  const labels = (some: Term[]) => some.map(({ label }) => label);
  const nearPlan = { ...searchPlan(part, identityKey(labels(part).join(" "))), unless: plan.wide };
  return {
    has: labels(part),
    lacks: labels(terms.filter((term) => !part.includes(term))),
    ...(await findCountedCards(db, nearPlan, { ...filter, sort: "default" }, MAX_CARDS)),
  };
}

const findCards = listOf<CardRow>(card);

/**
 * Finds what has the price of a search whose words match nothing, what can be bought first by how close it is to the
 * limit. One round trip.
 *
 * @returns nothing for a filter without a price
 */
export async function pricedAlike(db: Db, { search, ...filter }: ShopFilter): Promise<NearGroup[]> {
  if (filter.min === null && filter.max === null) return [];
  const inOrder = {
    ...filter,
    inStock: true,
    sort: filter.max === null ? "price-asc" : "price-desc",
  } as const;
  const [cards, { total }] = await Promise.all([
    findCards(db, inOrder, { limit: MAX_CARDS, offset: 0 }),
    countList(db, filter, false),
  ]);
  return cards.length > 0 ? [{ has: [], lacks: [search], cards, total }] : [];
}
