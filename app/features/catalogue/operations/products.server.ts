import { z } from "zod";
import type { Db } from "~/db/client.server";
import { CATEGORIES, type CategoryTile } from "~/domain/categories";
import { AppError } from "~/http/errors";
import { listWindow } from "~/http/fields";
import { Listing, type OperationContext, operation } from "~/http/operation.server";
import { redirect } from "~/http/redirect.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { Product } from "../answers";
import { countList, type ListCounts } from "../list-counts.queries.server";
import type { OfferedOptions } from "../options";
import { categoryTag, LISTS_TAG, productTag } from "../page-tags";
import { PRICE_RANGES, priceLabel } from "../price-bands";
import {
  apiProduct,
  cardOf,
  type FoldedText,
  type FoundCard,
  foldText,
  offeredOptions,
  type ProductView,
  productView,
} from "../product-views.server";
import {
  type CardRow,
  colouredCard,
  filteredListOf,
  findProduct,
  findRandom,
  findRelated,
  findSellableProducts,
  type ListWindow,
  type ProductRow,
  productColumns,
  rowCard,
  windowOf,
} from "../queries.server";
import { plainText } from "../rich-text.server";
import {
  CategoryInput,
  type Facets,
  type ListFilter,
  NO_FILTER,
  PAGE_SIZE,
  ProductIdInput,
  ProductListInput,
  type ShopFilter,
  type ShopQuery,
  type Sort,
} from "../schema";
import { isKnownTerm, type SearchPlan, wantedColours } from "../search";
import { countFound, searchOf } from "../search.queries.server";
import { type PlannedSearch, planSearch } from "../search-lookup.queries.server";
import { readQuery } from "../search-query";
import { filteredOf, findCards, findCategories } from "../shop.queries.server";
import { choiceField } from "../unit-choice";
import { choiceUrl, chosenIn, offeredUnits } from "../unit-views.server";
import type { ProductUnit } from "../units";
import {
  closestOf,
  type LackedColour,
  lackedColours,
  NOTHING_NEAR,
  nearestTo,
  pricedAlike,
  type SearchNotes,
  searchMatch,
} from "./nearest.server";

const FEATURED_COUNT = 8;
const RELATED_COUNT = 4;
type Reader = Pick<OperationContext<"anyone", unknown>, "db" | "user">;
const WindowInput = z.object(listWindow);

/** Cuts the requested window from a complete list. */
function sliceList<T>(rows: T[], { limit, offset }: z.infer<typeof WindowInput>): Listing<T> {
  return new Listing(rows.slice(offset, limit === undefined ? undefined : offset + limit), rows.length);
}

async function listApiProducts({ db, user }: Reader, filter: ShopFilter, window: ListWindow, raw = false) {
  const plan = filter.search ? await planSearch(db, filter.search, { hasPrices: true }) : null;
  const { rows, facets } = await listPage(db, PRODUCTS, { filter: withSearch(filter), plan }, window);
  return new Listing(
    rows.map((row) => apiProduct(row, { raw, isStaff: isStaff(user) })),
    facets.total,
  );
}

/** GET product/all: every product, or those of a category or a search. */
export const listProducts = operation({
  route: "GET product/all",
  summary: "List products",
  answer: z.array(Product),
  isList: true,
  access: "anyone",
  input: ProductListInput,
  cacheable: true,
  async run({ input, ...context }) {
    const { raw, limit, offset, category = null, search = "", sort, min = null, max = null, stock } = input;
    const filter = { category, search, sort, min, max, inStock: stock === "in" };
    return listApiProducts(context, filter, { limit, offset }, raw === "1");
  },
});

export const listCategoryProducts = operation({
  route: "GET product/category/:category",
  summary: "List the products of a category",
  answer: z.array(Product),
  isList: true,
  access: "anyone",
  input: CategoryInput,
  cacheable: true,
  async run({ input: { category, limit, offset }, ...context }) {
    return listApiProducts(context, { ...NO_FILTER, category }, { limit, offset });
  },
});

/** GET product/categories: names of the categories that have products. */
export const listCategories = operation({
  route: "GET product/categories",
  summary: "List the categories that have products",
  answer: z.array(z.string()),
  access: "anyone",
  input: WindowInput,
  cacheable: true,
  run: async ({ db, input }) =>
    sliceList(
      (await findCategories(db)).map(({ category }) => category),
      input,
    ),
});

/** GET product/id/{id}; 404 `Product not found`. */
export const readProduct = operation({
  route: "GET product/id/:id",
  summary: "Read a product",
  answer: Product,
  access: "anyone",
  input: ProductIdInput,
  cacheable: true,
  run: async ({ db, input, user }) =>
    apiProduct(requireProduct(await findProduct(db, input.id)), {
      raw: input.raw === "1",
      isStaff: isStaff(user),
    }),
});

/** GET product/random: 8 products, in stock first. */
export const listRandomProducts = operation({
  route: "GET product/random",
  summary: "List 8 random products, in stock first",
  answer: z.array(Product),
  isList: true,
  access: "anyone",
  input: WindowInput,
  cacheable: true,
  run: async ({ db, input, user }) =>
    sliceList(
      (await findRandom(db, FEATURED_COUNT)).map((row) =>
        apiProduct(row, { raw: false, isStaff: isStaff(user) }),
      ),
      input,
    ),
});

/** Reads 8 random cards for the home page, in stock first. */
export async function featuredProducts({ db, pageTags }: RequestContext): Promise<CardRow[]> {
  const rows = await findRandom(db, FEATURED_COUNT);
  for (const { id } of rows) pageTags.add(productTag(id));
  return rows.map(({ id, name, priceCents, available, category, imageUrls, imageAlts }) => ({
    id,
    name,
    priceCents,
    stock: available,
    category,
    image: imageUrls[0] ?? null,
    imageAlt: imageAlts[0] ?? null,
  }));
}

export interface ShopPage {
  cards: CardRow[];
  facets: Facets;
  page: number;
  pages: number;
  /** Order that the search asks for, or the reader. */
  sort: Sort;
  /** Null without a search. */
  searched: SearchNotes | null;
}

/** Reads one page of /shop. @param query from the URL; a page past the end becomes the last one */
export async function shopPage({ db, pageTags }: RequestContext, query: ShopQuery): Promise<ShopPage> {
  pageTags.add(listTag(query));
  const plan = query.search ? await planSearch(db, query.search, { hasPrices: true }) : null;
  const filter = withSearch(query);
  const wanted = plan ? wantedColours(plan.plan) : [];
  const toCard = (row: FoundCard) => cardOf(row, wanted);
  const read = (page: number) =>
    listPage(
      db,
      wanted.length > 0 ? COLOURED_CARDS : CARDS,
      { filter, plan },
      { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
    );
  const [{ rows, facets: found }, nearest, priced, lacked] = await Promise.all([
    read(query.page),
    plan ? nearestTo(db, plan, filter) : NOTHING_NEAR,
    filter.search ? pricedAlike(db, filter) : NOTHING_NEAR,
    plan ? lackedColours(db, plan, filter) : [],
  ]);
  const near = found.total > 0 ? nearest : await closestOf(db, plan, { filter, found, nearest, priced });
  // Beside the filters stand the numbers of what their links lead to.
  const facets = near.facets ? { ...near.facets, total: 0, unfiltered: found.unfiltered } : found;
  const [row, second] = rows;
  const match =
    plan && row && !second && found.total === 1 ? await searchMatch(db, plan, filter, row.id) : null;
  const notes = query.search
    ? { ...notesOf(filter, plan), close: nearest.close, groups: near.groups, match }
    : null;
  const searched = notes && { ...notes, title: titleOf(notes, facets.total, lacked) };
  const pages = Math.max(1, Math.ceil(facets.total / PAGE_SIZE));
  const shown = { facets, pages, searched, sort: filter.sort };
  if (query.page <= pages || facets.total === 0)
    return { ...shown, cards: rows.map(toCard), page: Math.min(query.page, pages) };
  return { ...shown, cards: (await read(pages)).rows.map(toCard), page: pages };
}

/** Returns the tag of a list. A filter has the numbers of all categories beside it, a search finds in all. */
function listTag(query: ShopQuery): string {
  const { category, search } = query;
  return category && !search && isUnfiltered(query) ? categoryTag(category) : LISTS_TAG;
}

/** Replaces the price range by the one that a search names, the default order by what it asks for, and stop words by none. */
function withSearch<T extends ShopFilter>(filter: T): T {
  if (filter.search === "") return filter;
  const { price, text, isCheapestFirst } = readQuery(filter.search);
  const sort = isCheapestFirst && filter.sort === "default" ? "price-asc" : filter.sort;
  return { ...filter, ...price, sort, search: text };
}

function notesOf({ search: text, min, max }: ShopFilter, plan: PlannedSearch | null) {
  const terms = (plan?.terms ?? []).map((term) => ({
    label: term.label,
    synonyms: [...term.synonyms, ...term.misspelled],
    isKnown: isKnownTerm(term),
  }));
  return { text, min, max, terms };
}

/** Composes the line above products that lack something of a search. @returns null for none */
function titleOf(
  { text, terms, groups, ...range }: Omit<SearchNotes, "title">,
  total: number,
  lacked: LackedColour[],
): string | null {
  if (groups.length > 0) {
    const price = priceLabel(range);
    return `No “${text}”${price ? ` ${price.toLowerCase()}` : ""}. This comes closest:`;
  }
  if (total === 0 || lacked.length === 0) return null;
  const lacks = lacked.map(({ label }) => label);
  const has = terms.map(({ label }) => label).filter((label) => !lacks.includes(label));
  const shades = new Intl.ListFormat("en", { type: "disjunction" }).format(
    lacked.flatMap((colour) => colour.shades),
  );
  return `No ${[...lacks, ...has].join(" ")}. ${total === 1 ? "One" : total} in ${shades}:`;
}

export interface ProductPageData {
  product: ProductView &
    ReturnType<typeof offeredUnits> & {
      choices: OfferedOptions;
      text: FoldedText;
      /** Options that a form left open. */
      missing: boolean[];
      /** Units as their offers name them. */
      codes: Pick<ProductUnit, "sku" | "barcode">[];
    };
  /** Description without tags, for search engines. */
  summary: string;
  /** Up to 4 others of its category; empty when reading them fails. */
  related: CardRow[];
}

/**
 * Reads a product with related ones, with the choice of its address.
 *
 * @throws AppError notFound (404); Response a redirect from the id of a unit, and from a form's fields, to the address of the choice
 */
export async function productPage(
  { db, pageTags }: RequestContext,
  id: string,
  params: URLSearchParams,
): Promise<ProductPageData> {
  const [row, related] = await Promise.all([
    findProduct(db, id),
    findRelated(db, id, RELATED_COUNT).catch(() => []),
  ]);
  const found = requireProduct(row ?? (await redirectToChoice(db, id)));
  if (params.has(CHOICE_FIELD)) throw redirect(choiceAddress(found, params));
  for (const shown of [found, ...related]) pageTags.add(productTag(shown.id));
  const view = productView(found);
  const text = foldText(view.descriptionHtml);
  const offered = offeredUnits(found, params);
  const product = {
    ...view,
    stock: view.available,
    choices: offeredOptions(found),
    text,
    ...offered,
    missing: offered.chosen.map((value) => params.has(MISSING) && value === null),
    codes: found.units.map(({ sku, barcode }) => ({ sku, barcode })),
  };
  return { product, summary: plainText(product.descriptionHtml), related };
}

/** Field of every form that chooses, and parameter of an address whose open options are shown as errors. */
const CHOICE_FIELD = choiceField(0);
const MISSING = "choose";

/** Builds the address of the choice of a form that was sent without a script. */
function choiceAddress({ id, options }: ProductRow, params: URLSearchParams): string {
  const url = choiceUrl(
    id,
    options,
    chosenIn(options, (_, i) => params.get(choiceField(i))),
  );
  return params.has(MISSING) ? `${url}${url.includes("?") ? "&" : "?"}${MISSING}=1` : url;
}

/** Leads from the address of a unit, as messages write it, to its product. @throws Response */
async function redirectToChoice(db: Db, id: string): Promise<undefined> {
  const [unit] = await findSellableProducts(db, [id]);
  if (unit) throw redirect(choiceUrl(unit.productId, unit.options, unit.values));
}

function requireProduct<T>(row: T | undefined): T {
  if (!row) throw new AppError("notFound", "Product not found");
  return row;
}

type Rows<T, A extends unknown[]> = (db: Db, ...args: A) => Promise<T[]>;

interface ListReads<T> {
  /** Counts by category beside the list. */
  countsCategories: boolean;
  all: Rows<T, [ListFilter, ListWindow]>;
  filtered: Rows<T, [ListFilter, ListCounts, ListWindow]>;
  matching: Rows<T, [SearchPlan, ListFilter, ListWindow]>;
  rows: Rows<T, [number[], Sort, ListWindow]>;
}

const CARDS: ListReads<FoundCard & { row: number }> = {
  countsCategories: true,
  all: (db, filter, window) =>
    (isUnfiltered(filter) ? findCards : filteredListOf<CardRow & { row: number }>(rowCard))(
      db,
      filter,
      window,
    ),
  filtered: filteredOf(rowCard),
  matching: searchOf(rowCard),
  rows: windowOf(rowCard),
};
const COLOURED_CARDS: typeof CARDS = { ...CARDS, matching: searchOf(colouredCard) };
const PRODUCTS: ListReads<ProductRow> = {
  countsCategories: false,
  all: filteredListOf(productColumns),
  filtered: filteredOf(productColumns),
  matching: searchOf(productColumns),
  rows: windowOf(productColumns),
};

const isUnfiltered = ({ min, max, inStock }: ListFilter) => min === null && max === null && !inStock;

/** Tests for a filter whose matches no index has in order. */
function needsCounts({ min, max, inStock, sort }: ListFilter): boolean {
  if (sort.startsWith("price")) return false;
  return min !== null || max !== null || (inStock && sort !== "default");
}

interface ListRequest {
  filter: ShopFilter;
  /** Null without a search, and for one without words. */
  plan: PlannedSearch | null;
}

/** Lists products with their numbers: one round trip to D1, two with a filter that needs the numbers. */
async function listPage<T extends { row: number }>(
  db: Db,
  reads: ListReads<T>,
  { filter: { search, ...filter }, plan }: ListRequest,
  window: ListWindow,
): Promise<{ rows: T[]; facets: Facets }> {
  if (search && !plan) return { rows: [], facets: NO_FACETS };
  if (plan) {
    const [rows, facets] = await Promise.all([
      reads.matching(db, plan.plan, filter, window),
      countFound(db, [plan.plan], filter),
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

/** Reads the categories that have products, with their number and a picture. */
export function shopCategories({ db }: RequestContext): Promise<CategoryTile[]> {
  return findCategories(db);
}
