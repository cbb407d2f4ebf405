import { z } from "zod";
import type { Db } from "~/db/client.server";
import { AppError } from "~/http/errors";
import { listWindow } from "~/http/fields";
import { Listing, type OperationContext, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import type { Category, CategoryTile } from "./categories";
import type { Choices } from "./options";
import { choicesOf } from "./options.server";
import { apiProduct, type FoldedText, foldText, type ProductView, productView } from "./product-views.server";
import {
  type CardRow,
  countFound,
  countProducts,
  findProduct,
  findProducts,
  findRandom,
  findRelated,
  type ListWindow,
  type ProductRow,
  searchCards,
  searchProducts,
} from "./queries.server";
import { plainText } from "./rich-text.server";
import {
  CategoryInput,
  PAGE_SIZE,
  ProductIdInput,
  ProductListInput,
  type ShopQuery,
  type Sort,
} from "./schema";
import type { SearchPlan } from "./search";
import { planSearch } from "./search.queries.server";
import { findCards, findCategories } from "./shop.queries.server";

export { createProduct, deleteProduct, updateProduct } from "./operations/writes.server";

const FEATURED_COUNT = 8;
const RELATED_COUNT = 4;
type Reader = Pick<OperationContext<"anyone", unknown>, "db" | "user">;
const WindowInput = z.object(listWindow);

/** Cuts the requested window from a complete list. */
function sliceList<T>(rows: T[], { limit, offset }: z.infer<typeof WindowInput>): Listing<T> {
  return new Listing(rows.slice(offset, limit === undefined ? undefined : offset + limit), rows.length);
}

async function listApiProducts({ db, user }: Reader, filter: ProductFilter, window: ListWindow, raw = false) {
  const { rows, total } = await listPage(db, PRODUCTS, filter, window);
  return new Listing(
    rows.map((row) => apiProduct(row, { raw, isStaff: isStaff(user) })),
    total,
  );
}

/** GET product/all: every product, or those of a category or a search. */
export const listProducts = operation({
  access: "anyone",
  input: ProductListInput,
  cacheable: true,
  async run({ input, ...context }) {
    const { raw, limit, offset, category = null, search = "", sort } = input;
    return listApiProducts(context, { category, search, sort }, { limit, offset }, raw === "1");
  },
});

export const listCategoryProducts = operation({
  access: "anyone",
  input: CategoryInput,
  cacheable: true,
  async run({ input: { category, limit, offset }, ...context }) {
    return listApiProducts(context, { category, search: "", sort: "default" }, { limit, offset });
  },
});

/** GET product/categories: names of the categories that have products. */
export const listCategories = operation({
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
export async function featuredProducts({ db }: RequestContext): Promise<CardRow[]> {
  const rows = await findRandom(db, FEATURED_COUNT);
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
  total: number;
  page: number;
  pages: number;
}

/** Reads one page of /shop. @param query from the URL; a page past the end becomes the last one */
export async function shopPage({ db }: RequestContext, query: ShopQuery): Promise<ShopPage> {
  const read = (page: number) =>
    listPage(db, CARDS, query, { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  const { rows, total } = await read(query.page);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (query.page <= pages) return { cards: rows, total, page: query.page, pages };
  return { cards: (await read(pages)).rows, total, page: pages, pages };
}

export interface ProductPage {
  product: ProductView & { choices: Choices; text: FoldedText };
  /** Description without tags, for search engines. */
  summary: string;
  /** Up to 4 others of its category; empty when reading them fails. */
  related: CardRow[];
}

/** Reads a product with related ones. @throws AppError notFound (404) */
export async function productPage({ db }: RequestContext, id: string): Promise<ProductPage> {
  const [row, related] = await Promise.all([
    findProduct(db, id),
    findRelated(db, id, RELATED_COUNT).catch(() => []),
  ]);
  const view = productView(requireProduct(row));
  const alts = view.images.map(({ alt }) => alt);
  const text = foldText(view.descriptionHtml);
  const product = { ...view, stock: view.available, choices: choicesOf(view, alts), text };
  return { product, summary: plainText(product.descriptionHtml), related };
}

function requireProduct<T>(row: T | undefined): T {
  if (!row) throw new AppError("notFound", "Product not found");
  return row;
}

/** Filter and order of a product list; an empty search matches all. */
interface ProductFilter {
  category: Category | null;
  search: string;
  sort: Sort;
}

interface ListReads<T> {
  all: (db: Db, category: Category | null, sort: Sort, window: ListWindow) => Promise<T[]>;
  matching: (db: Db, plan: SearchPlan, filter: ProductFilter, window: ListWindow) => Promise<T[]>;
  count: (db: Db, category: Category | null) => Promise<number>;
}

const CARDS: ListReads<CardRow> = { all: findCards, matching: searchCards, count: countListed };
const PRODUCTS: ListReads<ProductRow> = { all: findProducts, matching: searchProducts, count: countProducts };

/** Lists products with their total number: one round trip to D1, two with a search. */
async function listPage<T>(
  db: Db,
  reads: ListReads<T>,
  filter: ProductFilter,
  window: ListWindow,
): Promise<{ rows: T[]; total: number }> {
  const { category, search, sort } = filter;
  const plan = search ? await planSearch(db, search) : null;
  if (search && !plan) return { rows: [], total: 0 };
  const [rows, total] = await Promise.all(
    plan
      ? [reads.matching(db, plan, filter, window), countFound(db, plan, category)]
      : [reads.all(db, category, sort, window), reads.count(db, category)],
  );
  return { rows, total };
}

/** Categories per request: the page's frame reads them, and its list uses their sum. */
const requestCategories = new WeakMap<Db, Promise<CategoryTile[]>>();

/** Reads the categories that have products, with their number and a picture, once per request. */
export function shopCategories({ db }: RequestContext): Promise<CategoryTile[]> {
  const categories = requestCategories.get(db) ?? findCategories(db);
  requestCategories.set(db, categories);
  return categories;
}

/** Counts products without a search, from the categories if the frame has read them. */
async function countListed(db: Db, category: Category | null): Promise<number> {
  const categories = await requestCategories.get(db)?.catch(() => null);
  if (!categories) return countProducts(db, category);
  const counted = category ? categories.filter((row) => row.category === category) : categories;
  return counted.reduce((sum, { products }) => sum + products, 0);
}
