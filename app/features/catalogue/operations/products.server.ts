import { z } from "zod";
import type { CategoryTile } from "~/domain/categories";
import { AppError } from "~/http/errors";
import { listWindow } from "~/http/fields";
import { Listing, type OperationContext, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { countAllProducts, findAllProducts } from "../all-products.queries.server";
import { Product } from "../answers";
import { type OpenedChoice, openedChoice, redirectToChoice } from "../chosen-unit.server";
import { offersOf, type ProductOffer } from "../offers";
import type { OfferedOptions } from "../options";
import { categoryTag, LISTS_TAG, productTag } from "../page-tags";
import { priceLabel } from "../price-bands";
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
  findProduct,
  findRandom,
  findRelated,
  type ListWindow,
  type ProductRow,
} from "../queries.server";
import { plainText } from "../rich-text.server";
import {
  CategoryInput,
  type Facets,
  NO_FILTER,
  PAGE_SIZE,
  ProductIdInput,
  ProductListInput,
  type ShopFilter,
  type ShopQuery,
  type Sort,
} from "../schema";
import { isKnownTerm, wantedColours } from "../search";
import type { SearchScope } from "../search.queries.server";
import type { PlannedSearch } from "../search-lookup.queries.server";
import { readQuery } from "../search-query";
import { findCategories } from "../shop.queries.server";
import {
  ALL_PRODUCTS,
  CARDS,
  COLOURED_CARDS,
  isUnfiltered,
  listPage,
  PRODUCTS,
  readSearch,
} from "./list-page.server";
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

interface ApiList {
  filter: ShopFilter;
  window: ListWindow;
  /** Keeps `minio:` entries. */
  raw?: boolean;
  scope?: SearchScope;
}

async function listApiProducts(
  { db, user }: Reader,
  { filter, window, raw = false, scope = "shop" }: ApiList,
) {
  const listed = (rows: ProductRow[], total: number) =>
    new Listing(
      rows.map((row) => apiProduct(row, { raw, isStaff: isStaff(user) })),
      total,
    );
  if (scope === "all" && filter.search === "")
    return listed(
      ...(await Promise.all([findAllProducts(db, filter, window), countAllProducts(db, filter)])),
    );
  const search = await readSearch(db, filter.search, scope);
  const reads = scope === "all" ? ALL_PRODUCTS : PRODUCTS;
  const { rows, facets } = await listPage(db, reads, { filter: withSearch(filter), ...search }, window);
  return listed(rows, facets.total);
}

/** GET product/all: every product of the shop, or those of a category or a search; with `hidden=1` staff find hidden ones too. */
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
    return listApiProducts(context, {
      filter: { category, search, sort, min, max, inStock: stock === "in" },
      window: { limit, offset },
      raw: raw === "1",
      scope: input.hidden === "1" && isStaff(context.user) ? "all" : "shop",
    });
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
    return listApiProducts(context, { filter: { ...NO_FILTER, category }, window: { limit, offset } });
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

/** GET product/id/{id}; 404 `Product not found`, for shoppers also for a hidden one. */
export const readProduct = operation({
  route: "GET product/id/:id",
  summary: "Read a product",
  answer: Product,
  access: "anyone",
  input: ProductIdInput,
  cacheable: true,
  async run({ db, input, user }) {
    const row = await findProduct(db, input.id);
    const product = isStaff(user) ? requireProduct(row) : requireShown(row);
    return apiProduct(product, { raw: input.raw === "1", isStaff: isStaff(user) });
  },
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
  return rows.map(
    ({ id, name, fromCents, units, priceCents, available, category, imageUrls, imageAlts }) => ({
      id,
      name,
      priceCents: fromCents,
      isFrom: units.some((unit) => unit.available > 0 && (unit.priceCents ?? priceCents) > fromCents),
      stock: available,
      category,
      image: imageUrls[0] ?? null,
      imageAlt: imageAlts[0] ?? null,
    }),
  );
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
  const { plan, coded } = await readSearch(db, query.search);
  const filter = coded.length > 0 ? query : withSearch(query);
  const wanted = plan ? wantedColours(plan.plan) : [];
  const toCard = (row: FoundCard) => cardOf(row, wanted);
  const read = (page: number) =>
    listPage(
      db,
      wanted.length > 0 ? COLOURED_CARDS : CARDS,
      { filter, plan, coded },
      { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
    );
  const [{ rows, facets: found }, nearest, priced, lacked] = await Promise.all([
    read(query.page),
    plan ? nearestTo(db, plan, filter) : NOTHING_NEAR,
    filter.search && coded.length === 0 ? pricedAlike(db, filter) : NOTHING_NEAR,
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
  product: ProductView & OpenedChoice & { choices: OfferedOptions; text: FoldedText };
  /** Offers of its units, for search engines. */
  offers: ProductOffer[];
  /** Description without tags, for search engines. */
  summary: string;
  /** Up to 4 others of its category; empty when reading them fails. */
  related: CardRow[];
}

/**
 * Reads a product of the shop with related ones, and the choice of its address.
 *
 * @throws AppError notFound (404); Response a redirect from the fields of a form to the address of its choice
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
  const found = requireShown(row);
  for (const shown of [found, ...related]) pageTags.add(productTag(shown.id));
  const view = productView(found);
  const text = foldText(view.descriptionHtml);
  redirectToChoice(found.id, found.options, params);
  const choices = offeredOptions(found);
  const opened = openedChoice(found.options, choices, params);
  const product = { ...view, ...opened, stock: view.available, choices, text };
  return { product, summary: plainText(product.descriptionHtml), offers: offersOf(found), related };
}

function requireProduct<T>(row: T | undefined): T {
  if (!row) throw new AppError("notFound", "Product not found");
  return row;
}

const requireShown = (row: ProductRow | undefined) => requireProduct(row?.isHidden ? undefined : row);

/** Reads the categories that have products, with their number and a picture. */
export function shopCategories({ db }: RequestContext): Promise<CategoryTile[]> {
  return findCategories(db);
}
