import type { Db } from "~/db/client.server";
import { identityKey } from "~/db/text";
import { countList } from "../list-counts.queries.server";
import { type CardRow, card, listOf } from "../queries.server";
import type { Facets, ListFilter, ShopFilter } from "../schema";
import { colourMatches, isKnownTerm, searchPlan, type Term, withNamesFirst } from "../search";
import { countFound, countSearches, findCountedCards, findShades } from "../search.queries.server";
import type { PlannedSearch } from "../search-lookup.queries.server";
import type { PriceRange } from "../search-query";

/** Cards of a group, a row of the grid. */
const MAX_CARDS = 4;
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

/** Nearest products to a search, and their numbers beside the filters. */
export interface Nearest extends Pick<SearchNotes, "groups" | "close"> {
  /** Null without groups. */
  facets: Facets | null;
}

/**
 * Finds what comes closest to a search that nothing matches, with or without the filter: products that lack as few terms as
 * possible. For other searches the statements read one match.
 *
 * @param isCounted reads the numbers beside the filters
 */
export async function nearestTo(
  db: Db,
  planned: PlannedSearch,
  filter: ListFilter,
  isCounted = true,
): Promise<Nearest> {
  const { terms, close } = planned;
  const [words, ...levels] = await Promise.all([
    close.length > 0 ? countSearches(db, close) : [],
    ...levelsOf(terms).map((parts) => readLevel(db, parts, planned, { filter, isCounted })),
  ]);
  return { close: words, ...(levels.find(({ groups }) => groups.length > 0) ?? NOTHING) };
}

const NOTHING = { groups: [], facets: null };

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

/** Parts of a search, by how many terms they have: all that products have; all but one of these; each of three or more. */
function levelsOf(terms: Term[]): Term[][][] {
  // A letter alone is none.
  const known = terms.filter((term) => isKnownTerm(term) && term.label.length > 1).slice(0, MAX_TERMS);
  const levels = [
    known.length < terms.length ? [known] : [],
    known.length > 1 ? known.map((term) => known.filter((other) => other !== term)) : [],
    known.length > 2 ? known.map((term) => [term]) : [],
  ];
  return levels.map((parts) => parts.filter((part) => part.length > 0)).filter((parts) => parts.length > 0);
}

/** Reads what matches one of several parts, those first that are named so; then what is rare, which says more. */
async function readLevel(
  db: Db,
  parts: Term[][],
  { terms, plan, close }: PlannedSearch,
  { filter, isCounted }: { filter: ListFilter; isCounted: boolean },
): Promise<Pick<Nearest, "groups" | "facets">> {
  const labels = (some: Term[]) => some.map(({ label }) => label);
  const plans = parts.map((part) => ({
    ...withNamesFirst(searchPlan(part, identityKey(labels(part).join(" "))), close),
    unless: plan.wide,
  }));
  const inOrder = { ...filter, sort: "default" } as const;
  const [facets, ...found] = await Promise.all([
    isCounted ? countFound(db, plans, filter) : null,
    ...plans.map((one) => findCountedCards(db, one, inOrder, MAX_CARDS)),
  ]);
  const groups = parts
    .map((part, at) => ({
      ...{ has: labels(part), lacks: labels(terms.filter((term) => !part.includes(term))) },
      ...(found[at] ?? { cards: [], total: 0, areNamed: false }),
    }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => Number(b.areNamed) - Number(a.areNamed) || a.total - b.total)
    .map(({ areNamed: _, ...group }) => group);
  return { groups, facets };
}

const findCards = listOf<CardRow>(card);

/**
 * Finds what has the price of a search whose words match nothing, what can be bought first by how close it is to the
 * limit. One round trip.
 *
 * @returns nothing for a filter without a price
 */
export async function pricedAlike(
  db: Db,
  { search, ...filter }: ShopFilter,
): Promise<Pick<Nearest, "groups" | "facets">> {
  if (filter.min === null && filter.max === null) return NOTHING;
  const inOrder = {
    ...filter,
    inStock: true,
    sort: filter.max === null ? "price-asc" : "price-desc",
  } as const;
  const [cards, facets] = await Promise.all([
    findCards(db, inOrder, { limit: MAX_CARDS, offset: 0 }),
    countList(db, filter, true),
  ]);
  if (cards.length === 0) return NOTHING;
  return { groups: [{ has: [], lacks: [search], cards, total: facets.total }], facets };
}
