import type { Db } from "~/db/client.server";
import { identityKey } from "~/db/text";
import { shortDollars } from "~/domain/money";
import { countList } from "../list-counts.queries.server";
import type { OfferedOptions } from "../options";
import { priceLabel } from "../price-bands";
import { foldText, offeredOptions } from "../product-views.server";
import { type CardRow, card, filteredListOf, findProduct } from "../queries.server";
import { excerpt, plainText, sanitizeRichText } from "../rich-text.server";
import type { Facets, ListFilter, ShopFilter } from "../schema";
import { areColours, colourMatches, isKnownTerm, searchPlan, type Term, withNamesFirst } from "../search";
import { countFound, countSearches, findCountedCards, findShades } from "../search.queries.server";
import type { PlannedSearch } from "../search-lookup.queries.server";
import type { PriceRange } from "../search-query";
import { shopUrl } from "../urls";

/** Cards of a group, a row of the grid. */
const MAX_CARDS = 4;
/** Terms of a search, to be looked for by parts. */
const MAX_TERMS = 4;

/** Card of what comes close to a search, with what it lacks of it in words, "" where the heading says it. */
export type NearCard = CardRow & { lack: string };

/** Products that have most of a search, or nothing of it but its price. */
export interface NearGroup {
  title: string;
  /** Terms of the search that they lack. */
  lacks: string[];
  cards: NearCard[];
  /** Link to all of them, where there are more. */
  all: { label: string; url: string } | null;
}

/** Colour of a search that its matches have by shades alone. */
export interface LackedColour {
  label: string;
  shades: string[];
}

/** Product that a search matches alone: what its card has no room for, and what comes close to the search. */
export interface SearchMatch {
  /** Beginning of its description. */
  text: string;
  choices: Pick<OfferedOptions, "label" | "colors" | "hasEngraving">;
  near: NearGroup | null;
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
  /** The product of a search that matches one; null for other searches. */
  match: SearchMatch | null;
  /** Words of names that are close to words of no product. */
  close: { word: string; products: number }[];
}

/** Nearest products to a search, and their numbers beside the filters. */
export interface Nearest extends Pick<SearchNotes, "groups" | "close"> {
  /** Null where nothing is near, whatever the filter. */
  facets: Facets | null;
  /** Parts of the search that the groups have. */
  parts: Term[][];
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
  // The same parts for every filter, so that the numbers beside the filters are those of the pages that they lead to.
  const isNear = ({ groups, facets }: Level) => groups.length > 0 || (facets?.unfiltered ?? 0) > 0;
  return { close: words, ...(levels.find(isNear) ?? NOTHING) };
}

type Level = Omit<Nearest, "close">;

const NOTHING: Level = { groups: [], facets: null, parts: [] };
export const NOTHING_NEAR: Nearest = { ...NOTHING, close: [] };

interface Closest {
  filter: ShopFilter;
  found: Facets;
  nearest: Nearest;
  priced: Level;
}

/** Picks what comes closest to a search without results: what it names, if need be at other prices, before what has its price. */
export async function closestOf(
  db: Db,
  plan: PlannedSearch | null,
  { filter, found, nearest, priced }: Closest,
): Promise<Level> {
  if (nearest.groups.length > 0) return nearest;
  const isFound = (found.unfiltered ?? 0) > 0;
  if (!plan || !(isFound || nearest.facets)) return priced;
  const groups = await atOtherPrices(db, plan, isFound ? [plan.terms] : nearest.parts, filter);
  return { ...nearest, groups };
}

/**
 * Finds what a search, or its parts, match at other prices than the filter's. One round trip.
 *
 * @returns nothing for a filter without a price
 */
export async function atOtherPrices(
  db: Db,
  planned: PlannedSearch,
  parts: Term[][],
  filter: ShopFilter,
): Promise<NearGroup[]> {
  if (priceLabel(filter) === null) return [];
  const list = { ...filter, sort: "default", min: null, max: null } as const;
  const found = await Promise.all(
    parts.map((part) => findCountedCards(db, planOf(part, planned), list, MAX_CARDS)),
  );
  return parts
    .map((part, at) => ({ part, ...(found[at] ?? NO_CARDS) }))
    .filter(({ total }) => total > 0)
    .map(({ part, ...rest }) => otherPricesOf(rest, { ...filter, search: labelsOf(part).join(" ") }));
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

/** Returns the terms of a search that can be looked for by themselves; a letter alone is none. */
const searchable = (terms: Term[]) =>
  terms.filter((term) => isKnownTerm(term) && term.label.length > 1).slice(0, MAX_TERMS);

const without = (terms: Term[], one: Term) => terms.filter((other) => other !== one);

const labelsOf = (terms: Term[]) => terms.map(({ label }) => label);
const quoted = (words: string[]) => words.map((word) => `“${word}”`).join(", ");

/** Parts of a search, by how many terms they have: all that products have; all but one of these; each of three or more. */
function levelsOf(terms: Term[]): Term[][][] {
  const known = searchable(terms);
  const levels = [
    known.length < terms.length ? [known] : [],
    known.length > 1 ? known.map((term) => without(known, term)) : [],
    known.length > 2 ? known.map((term) => [term]) : [],
  ];
  return levels.map((parts) => parts.filter((part) => part.length > 0)).filter((parts) => parts.length > 0);
}

/** Reads what matches one of several parts: things before colours, those first that are named so; then what is rare. */
async function readLevel(
  db: Db,
  parts: Term[][],
  planned: PlannedSearch,
  { filter, isCounted }: { filter: ListFilter; isCounted: boolean },
): Promise<Level> {
  const plans = parts.map((part) => ({ ...planOf(part, planned), unless: planned.plan.wide }));
  const inOrder = { ...filter, sort: "default" } as const;
  const [facets, ...found] = await Promise.all([
    isCounted ? countFound(db, plans, filter) : null,
    ...plans.map((one) => findCountedCards(db, one, inOrder, MAX_CARDS)),
  ]);
  const groups = parts
    .map((part, at) => ({ part, ...(found[at] ?? NO_CARDS) }))
    .filter(({ total }) => total > 0)
    .sort(
      (a, b) =>
        Number(areColours(a.part)) - Number(areColours(b.part)) ||
        Number(b.areNamed) - Number(a.areNamed) ||
        a.total - b.total,
    )
    .map(({ part, ...rest }) => groupOf(part, planned, filter, rest));
  return { groups, facets, parts };
}

const NO_CARDS = { cards: [], total: 0, areNamed: false };

const planOf = (part: Term[], { close }: PlannedSearch) =>
  withNamesFirst(searchPlan(part, identityKey(labelsOf(part).join(" "))), close);

/** Names what has a part of a search, by what it has and lacks. */
function groupOf(
  part: Term[],
  { terms }: PlannedSearch,
  filter: ListFilter,
  { cards, total }: { cards: CardRow[]; total: number },
): NearGroup {
  const has = labelsOf(part);
  const lacks = labelsOf(terms.filter((term) => !part.includes(term)));
  const price = priceText(filter);
  const lack = `no ${lacks.join(", no ")}`;
  return {
    title: `${quoted(has)}${price ? ` ${price}` : ""}, but no ${quoted(lacks)}`,
    lacks,
    cards: cards.map((one) => ({ ...one, lack })),
    all: allOf(total, { ...filter, search: has.join(" ") }),
  };
}

const allOf = (total: number, filter: ShopFilter, shown = MAX_CARDS) =>
  total > shown ? { label: `All ${total}`, url: shopUrl(filter) } : null;

/** Words of a price range within a sentence; "" without one. */
const priceText = (filter: PriceRange) => priceLabel(filter)?.toLowerCase() ?? "";

const findCards = filteredListOf<CardRow>(card);

/**
 * Finds what has the price of a search whose words match nothing, what can be bought first by how close it is to the
 * limit. One round trip.
 *
 * @param limit of the cards
 * @returns nothing for a filter without a price
 */
export async function pricedAlike(
  db: Db,
  { search, ...filter }: ShopFilter,
  limit = MAX_CARDS,
): Promise<Level> {
  if (filter.min === null && filter.max === null) return NOTHING;
  const inOrder = { ...filter, sort: filter.max === null ? "price-asc" : "price-desc" } as const;
  const read = (inStock: boolean) => findCards(db, { ...inOrder, inStock }, { limit, offset: 0 });
  const [available, all, facets] = await Promise.all([
    read(true),
    read(filter.inStock),
    countList(db, filter, true),
  ]);
  // The link counts what is sold out too: it fills the row before a number stands above it.
  const cards = [...new Map([...available, ...all].map((one) => [one.id, one])).values()].slice(0, limit);
  const { total } = facets;
  if (total === 0) return NOTHING;
  const group = {
    title: `Everything ${priceText(filter)}`,
    lacks: [search],
    cards: cards.map((one) => ({ ...one, lack: "" })),
    all: allOf(total, { ...filter, search: "" }, Math.min(cards.length, MAX_CARDS)),
  };
  return { groups: [group], facets, parts: [] };
}

/** Reads the only product of a search, and what comes close to it. @returns null for one that is gone */
export async function searchMatch(
  db: Db,
  planned: PlannedSearch,
  filter: ShopFilter,
  id: string,
): Promise<SearchMatch | null> {
  const [product, near] = await Promise.all([findProduct(db, id), closeTo(db, planned, filter, id)]);
  if (!product) return null;
  const { label, colors, hasEngraving } = offeredOptions(product);
  const text = excerpt(plainText(foldText(sanitizeRichText(product.description)).lead));
  return { text, choices: { label, colors, hasEngraving }, near };
}

/**
 * Finds what comes close to a search that one product matches: what has all of it at another price, all but one of its
 * words, or its price alone. One round trip.
 *
 * @param id of the match
 * @returns one group, or none
 */
async function closeTo(
  db: Db,
  planned: PlannedSearch,
  filter: ShopFilter,
  id: string,
): Promise<NearGroup | null> {
  const known = searchable(planned.terms);
  const isPriced = priceLabel(filter) !== null;
  const inOrder = { ...filter, sort: "default" } as const;
  const atAnyPrice = { ...inOrder, min: null, max: null };
  const shorter = known.length > 1 ? known.map((term) => without(known, term)) : [];
  const read = (part: Term[], list: ListFilter) =>
    findCountedCards(db, planOf(part, planned), list, MAX_CARDS + 1);
  const [otherPrices, priced, ...found] = await Promise.all([
    isPriced ? read(known, atAnyPrice) : NO_CARDS,
    known.length === 1 ? pricedAlike(db, filter, MAX_CARDS + 1) : NOTHING,
    ...shorter.map((part) => read(part, inOrder)),
  ]);
  const alone = priced.groups.map((group) => ofPriceAlone(group, filter));
  const groups = [
    otherPricesOf(otherPrices, filter),
    ...alone,
    ...shorter.map((part, at) => groupOf(part, planned, inOrder, found[at] ?? NO_CARDS)),
  ];
  const others = groups.map((group) => withoutMatch(group, id)).filter(({ cards }) => cards.length > 0);
  return mergedGroup(others, alone[0]?.all ?? null);
}

/** Names what matches a search but its price. @param filter with the price that it has not */
function otherPricesOf({ cards, total }: { cards: CardRow[]; total: number }, filter: ShopFilter): NearGroup {
  const { search, min, max } = filter;
  const isAbove = ({ priceCents }: CardRow) => max !== null && priceCents > max;
  const lackOf = (one: CardRow) =>
    isAbove(one) ? `over ${shortDollars(max ?? 0)}` : `under ${shortDollars(min ?? 0)}`;
  return {
    title: `“${search}” at other prices`,
    lacks: [`${search} ${priceText(filter)}`],
    cards: cards.map((one) => ({ ...one, lack: lackOf(one) })),
    all: allOf(total, { ...filter, min: null, max: null }),
  };
}

const CLOSE = "Close to it";

const ofPriceAlone = ({ all, ...group }: NearGroup, { search, ...filter }: ShopFilter): NearGroup => ({
  ...group,
  title: CLOSE,
  cards: group.cards.map((one) => ({ ...one, lack: `no ${search}` })),
  all: all && { ...all, label: `${all.label} ${priceText(filter)}` },
});

const withoutMatch = (group: NearGroup, id: string): NearGroup => ({
  ...group,
  cards: group.cards.filter((one) => one.id !== id).slice(0, MAX_CARDS),
});

/** Joins groups to one row, by turns. @param all link of the row @returns null for none */
function mergedGroup(groups: NearGroup[], all: NearGroup["all"]): NearGroup | null {
  const [first, second] = groups;
  if (!first || !second) return first ?? null;
  const turns = Array.from({ length: MAX_CARDS }, (_, at) => groups.flatMap(({ cards }) => cards[at] ?? []));
  const cards = [...new Map(turns.flat().map((one) => [one.id, one])).values()].slice(0, MAX_CARDS);
  return { title: CLOSE, lacks: [], cards, all };
}
