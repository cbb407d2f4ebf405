import type { Db } from "~/db/client.server";
import { CATEGORIES } from "~/domain/categories";
import { countList, type ListCounts } from "../list-counts.queries.server";
import { PRICE_RANGES } from "../price-bands";
import type { FoundCard } from "../product-views.server";
import {
  type CardRow,
  colouredCard,
  filteredListOf,
  type ListWindow,
  type ProductRow,
  productColumns,
  rowCard,
  windowOf,
} from "../queries.server";
import type { Facets, ListFilter, ShopFilter, Sort } from "../schema";
import { isKnownTerm, type SearchPlan } from "../search";
import { countFound, countRows, type SearchScope, searchOf } from "../search.queries.server";
import { type PlannedSearch, planSearch } from "../search-lookup.queries.server";
import { filteredOf, findCards } from "../shop.queries.server";
import { findByExactCode, isCodePart } from "../units.queries.server";

type Rows<T, A extends unknown[]> = (db: Db, ...args: A) => Promise<T[]>;

interface ListReads<T> {
  /** Counts by category beside the list. */
  countsCategories: boolean;
  /** Products that a search finds. */
  scope: SearchScope;
  all: Rows<T, [ListFilter, ListWindow]>;
  filtered: Rows<T, [ListFilter, ListCounts, ListWindow]>;
  matching: Rows<T, [SearchPlan, ListFilter, ListWindow]>;
  rows: Rows<T, [number[], Sort, ListWindow, ListFilter?]>;
}

const filteredCards = filteredListOf<CardRow & { row: number }>(rowCard);
export const CARDS: ListReads<FoundCard & { row: number }> = {
  countsCategories: true,
  scope: "shop",
  all: (db, filter, window) => (isUnfiltered(filter) ? findCards : filteredCards)(db, filter, window),
  filtered: filteredOf(rowCard),
  matching: searchOf(rowCard),
  rows: windowOf(rowCard),
};
export const COLOURED_CARDS: typeof CARDS = { ...CARDS, matching: searchOf(colouredCard) };
export const PRODUCTS: ListReads<ProductRow> = {
  countsCategories: false,
  scope: "shop",
  all: filteredListOf(productColumns),
  filtered: filteredOf(productColumns),
  matching: searchOf(productColumns),
  rows: windowOf(productColumns),
};

export const ALL_PRODUCTS: typeof PRODUCTS = {
  ...PRODUCTS,
  scope: "all",
  matching: searchOf(productColumns, "all"),
};

export const isUnfiltered = ({ min, max, inStock }: ListFilter) => min === null && max === null && !inStock;

/** Tests for a filter whose matches no index has in order. */
function needsCounts({ min, max, inStock, sort }: ListFilter): boolean {
  if (sort.startsWith("price")) return false;
  return min !== null || max !== null || (inStock && sort !== "default");
}

interface ListRequest {
  filter: ShopFilter;
  /** Null without a search, and for one without words. */
  plan: PlannedSearch | null;
  /** Rows of the products that have the search as a code. */
  coded: number[];
}

/** Letters alone may be a word of the catalogue as well as a code. */
const isWord = (text: string) => /^[\p{L}\s]*$/u.test(text);

/**
 * Reads a shopper's search, as the SKU or barcode of units, else as words: in one round trip, in two for what looks like a code
 * and is none.
 *
 * @param text "" for no search
 */
export async function readSearch(
  db: Db,
  text: string,
  scope: SearchScope = "shop",
): Promise<Pick<ListRequest, "plan" | "coded">> {
  if (text === "") return { plan: null, coded: [] };
  const byCode = async () =>
    (await findByExactCode(db, text)).flatMap(({ row, isHidden }) =>
      isHidden && scope === "shop" ? [] : [row],
    );
  const byWords = () => planSearch(db, text, { hasPrices: true });
  if (isCodePart(text)) {
    const coded = await byCode();
    return coded.length > 0 ? { plan: null, coded } : { plan: await byWords(), coded };
  }
  const [plan, coded] = await Promise.all([byWords(), byCode()]);
  const isCode = coded.length > 0 && !(isWord(text) && plan?.terms.every(isKnownTerm));
  return isCode ? { plan: null, coded } : { plan, coded: [] };
}

/** Lists products with their numbers: one round trip to D1, two with a filter that needs the numbers. */
export async function listPage<T extends { row: number }>(
  db: Db,
  reads: ListReads<T>,
  { filter: { search, ...filter }, plan, coded }: ListRequest,
  window: ListWindow,
): Promise<{ rows: T[]; facets: Facets }> {
  if (coded.length > 0) {
    const [rows, facets] = await Promise.all([
      reads.rows(db, coded, filter.sort, window, filter),
      countRows(db, coded, filter),
    ]);
    return { rows, facets };
  }
  if (search && !plan) return { rows: [], facets: NO_FACETS };
  if (plan) {
    const [rows, facets] = await Promise.all([
      reads.matching(db, plan.plan, filter, window),
      countFound(db, [plan.plan], filter, reads.scope),
    ]);
    return { rows, facets };
  }
  const counting = countList(db, filter, reads.countsCategories);
  const listing = listRows(db, reads, { filter, counting }, window);
  const [facets, rows] = await Promise.all([counting, listing]);
  const dependsOnStock = filter.inStock || filter.sort === "default";
  if (facets.freed.length === 0 || !dependsOnStock) return { rows, facets };
  const upToPage =
    window.offset === 0 ? rows : await listRows(db, reads, { filter, counting }, upToEnd(window));
  const candidates = new Set([...upToPage.map(({ row }) => row), ...facets.freed]);
  return { rows: await reads.rows(db, [...candidates], filter.sort, window), facets };
}

/** Lists products by the indexes, which have those of `freed` as sold out. */
function listRows<T>(
  db: Db,
  reads: ListReads<T>,
  { filter, counting }: { filter: ListFilter; counting: Promise<ListCounts> },
  window: ListWindow,
): Promise<T[]> {
  return needsCounts(filter)
    ? counting.then((counts) => reads.filtered(db, filter, counts, window))
    : reads.all(db, filter, window);
}

const upToEnd = ({ limit, offset }: ListWindow): ListWindow => ({
  limit: limit && limit + offset,
  offset: 0,
});

const NO_FACETS: Facets = {
  ...{ total: 0, inStock: 0, anyStock: 0 },
  prices: PRICE_RANGES.map(() => 0),
  categories: CATEGORIES.map((category) => ({ category, products: 0 })),
};
