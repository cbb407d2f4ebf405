import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { categoryCounts, products } from "~/db/schema";
import { AVAILABLE, stockChange } from "~/db/stock";
import type { Category } from "./categories";
import type { Sort } from "./schema";
import type { SearchPlan } from "./search";
import { byRank, matching, onMatch, rankedMatches } from "./search.queries.server";

type StoredRow = typeof products.$inferSelect;
/** Columns of a new product. */
export type NewProductRow = Omit<StoredRow, "row" | "held" | "stockChange">;
/** Product with the pieces that shoppers can buy. */
export type ProductRow = Omit<StoredRow, "held" | "stockChange"> & { available: number };

const { held: _held, stockChange: _stockChange, ...stored } = getTableColumns(products);
export const productColumns = { ...stored, available: AVAILABLE.as("available") };

export const card = {
  id: products.id,
  name: products.name,
  priceCents: sql<number>`${products.priceCents}`.as("priceCents"),
  stock: AVAILABLE.as("stock"),
  category: products.category,
  image: sql<string | null>`${products.imageUrls} ->> 0`.as("image"),
  imageAlt: sql<string | null>`${products.imageAlts} ->> 0`.as("imageAlt"),
};

/** Product data of a card; `stock` is what shoppers can buy, `image` is a stored entry (`minio:{key}` or a URL). */
export interface CardRow {
  id: string;
  name: string;
  priceCents: number;
  stock: number;
  category: string;
  image: string | null;
  imageAlt: string | null;
}

export const ORDER: Record<Sort, SQL[]> = {
  default: [desc(products.createdAt), desc(products.id)],
  "price-asc": [asc(products.priceCents), asc(products.id)],
  "price-desc": [desc(products.priceCents), desc(products.id)],
  "name-asc": [asc(products.nameKey), asc(products.id)],
  "name-desc": [desc(products.nameKey), desc(products.id)],
};

export interface ListWindow {
  limit?: number | undefined;
  offset: number;
}

/** SQLite has no OFFSET without a LIMIT. */
export const noLimit = Number.MAX_SAFE_INTEGER;

export function findProducts(
  db: Db,
  category: Category | null,
  sort: Sort,
  window: ListWindow,
): Promise<ProductRow[]> {
  return db
    .select(productColumns)
    .from(products)
    .where(category ? eq(products.category, category) : undefined)
    .orderBy(...ORDER[sort])
    .limit(window.limit ?? noLimit)
    .offset(window.offset);
}

/** Finds cards that match a search, best match first by default. */
export const searchCards = searchOf<CardRow>(card);

/** Finds products that match a search, for the API. */
export const searchProducts = searchOf<ProductRow>(productColumns);

function searchOf<Row>(columns: SelectedFields) {
  return (db: Db, plan: SearchPlan, filter: SearchFilter, window: ListWindow): Promise<Row[]> => {
    const { from, where, order } = searchSource(plan, filter);
    return db
      .select(columns)
      .from(from)
      .crossJoin(products)
      .where(where)
      .orderBy(...order)
      .limit(window.limit ?? noLimit)
      .offset(window.offset) as unknown as Promise<Row[]>;
  };
}

export async function countFound(db: Db, plan: SearchPlan, category: Category | null): Promise<number> {
  const { where } = searchSource(plan, { category, sort: "name-asc" });
  const rows = await db
    .select({ total: sql<number>`count(*)`.as("total") })
    .from(matching(plan))
    .crossJoin(products)
    .where(where);
  return rows[0]?.total ?? 0;
}

interface SearchFilter {
  category: Category | null;
  sort: Sort;
}

function searchSource(plan: SearchPlan, { category, sort }: SearchFilter) {
  const isRanked = sort === "default";
  return {
    from: isRanked ? rankedMatches(plan) : matching(plan),
    where: and(onMatch, category ? eq(products.category, category) : undefined),
    order: isRanked ? byRank : ORDER[sort],
  };
}

/** Finds ids with the time of the last change (epoch seconds), newest first, for the sitemap. */
export function findProductStamps(db: Db, window: ListWindow): Promise<{ id: string; updatedAt: number }[]> {
  return db
    .select({ id: products.id, updatedAt: products.updatedAt })
    .from(products)
    .orderBy(...ORDER.default)
    .limit(window.limit ?? noLimit)
    .offset(window.offset);
}

/** Counts products, in all or in one category, from the counter table. */
export async function countProducts(db: Db, category: Category | null): Promise<number> {
  const rows = await db
    .select({ total: sql<number>`coalesce(sum(${categoryCounts.products}), 0)`.as("total") })
    .from(categoryCounts)
    .where(category ? eq(categoryCounts.category, category) : undefined);
  return rows[0]?.total ?? 0;
}

export async function findProduct(db: Db, id: string): Promise<ProductRow | undefined> {
  const rows = await db.select(productColumns).from(products).where(eq(products.id, id)).limit(1);
  return rows[0];
}

/** Finds the cards of products, in no order. */
export function findCardsById(db: Db, ids: string[]): Promise<CardRow[]> {
  return db.select(card).from(products).where(inArray(products.id, ids));
}

/** Finds products of a cart with what can be chosen of them, in no order. */
export function findSellableProducts(db: Db, ids: string[]) {
  const { colors, hasEngraving, imageUrls, imageAlts } = products;
  return db
    .select({ ...card, colors, hasEngraving, imageUrls, imageAlts })
    .from(products)
    .where(inArray(products.id, ids));
}
export type SellableProduct = Awaited<ReturnType<typeof findSellableProducts>>[number];

/** Finds up to `limit` other products of a product's category, newest first. */
export function findRelated(db: Db, id: string, limit: number): Promise<CardRow[]> {
  const category = sql`(select p.category from products p where p.id = ${id})`;
  return db
    .select(card)
    .from(products)
    .where(and(sql`${products.category} = ${category}`, ne(products.id, id)))
    .orderBy(...ORDER.default)
    .limit(limit);
}

/** Upper bound of the random numbers in `shuffle`. */
export const SHUFFLE_RANGE = 2 ** 31;

/** Finds `limit` products from a random offset of the shuffled order, in stock first, by an index range scan. */
export async function findRandom(db: Db, limit: number): Promise<ProductRow[]> {
  const from = Math.floor(Math.random() * SHUFFLE_RANGE);
  const scan = (inStock: 0 | 1, isAhead: boolean) =>
    db
      .select(productColumns)
      .from(products)
      .where(
        and(
          sql`(stock > 0) = ${inStock}`,
          isAhead ? gte(products.shuffle, from) : lt(products.shuffle, from),
        ),
      )
      .orderBy(asc(products.shuffle))
      .limit(limit);
  const scans = [scan(1, true), scan(1, false), scan(0, true), scan(0, false)];
  return (await Promise.all(scans)).flat().slice(0, limit);
}

/** Columns that an edit may write. */
export type ProductColumns = Partial<Omit<NewProductRow, "id" | "shuffle" | "createdAt">>;

/** Stores a new product; triggers update search and counters. @returns false when its id is taken */
export async function insertProduct(db: Db, product: NewProductRow, actor: string): Promise<boolean> {
  const opening = stockChange({ reason: "opening", actor });
  const insert = db
    .insert(products)
    .values({ ...product, stockChange: opening })
    .onConflictDoNothing({ target: products.id });
  return (await insert.returning({ id: products.id })).length > 0;
}

/**
 * Updates a product.
 *
 * @param actor name of the person, for the stock movement
 * @param stockWas stock that must still be stored; any by default
 * @returns the updated row; undefined for an unknown id or another stock
 */
export async function updateProductRow(
  db: Db,
  id: string,
  columns: ProductColumns,
  actor: string,
  stockWas?: number,
): Promise<ProductRow | undefined> {
  const moved = columns.stock !== undefined && { stockChange: stockChange({ reason: "adjustment", actor }) };
  const update = db.update(products).set({ ...columns, ...moved });
  const isSeen = stockWas === undefined ? undefined : eq(products.stock, stockWas);
  const rows = await update.where(and(eq(products.id, id), isSeen)).returning(productColumns);
  return rows[0];
}

/** Deletes a product; its stock leaves first. @returns false for an unknown id */
export async function deleteProductRow(db: Db, id: string, actor: string): Promise<boolean> {
  const [, rows] = await db.batch([
    db
      .update(products)
      .set({ stock: 0, stockChange: stockChange({ reason: "adjustment", actor }) })
      .where(eq(products.id, id)),
    db.delete(products).where(eq(products.id, id)).returning({ id: products.id }),
  ]);
  return rows.length > 0;
}

export async function productExists(db: Db, id: string): Promise<boolean> {
  const rows = await db.select({ id: products.id }).from(products).where(eq(products.id, id)).limit(1);
  return rows.length > 0;
}
