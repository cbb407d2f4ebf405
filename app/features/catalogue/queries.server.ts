import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { categoryCounts, products } from "~/db/schema";
import type { Category } from "./categories";
import type { Sort } from "./schema";
import type { SearchPlan } from "./search";
import { byRank, matching, onMatch, rankedMatches } from "./search.queries.server";

export type ProductRow = typeof products.$inferSelect;

/** Each column is named as CardRow's, so that a row needs no mapping. */
export const card = {
  id: products.id,
  name: products.name,
  priceCents: sql<number>`${products.priceCents}`.as("priceCents"),
  stock: products.stock,
  category: products.category,
  image: sql<string | null>`${products.imageUrls} ->> 0`.as("image"),
  imageAlt: sql<string | null>`${products.imageAlts} ->> 0`.as("imageAlt"),
};

/** What a product's card shows; `image` is as stored (`minio:{key}` or an address). */
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

/** Whole products, for the API. */
export function findProducts(
  db: Db,
  category: Category | null,
  sort: Sort,
  window: ListWindow,
): Promise<ProductRow[]> {
  return db
    .select()
    .from(products)
    .where(category ? eq(products.category, category) : undefined)
    .orderBy(...ORDER[sort])
    .limit(window.limit ?? noLimit)
    .offset(window.offset);
}

/** A page of the cards that a search finds, best match first unless another order is asked for. */
export function searchCards(
  db: Db,
  plan: SearchPlan,
  filter: FoundFilter,
  window: ListWindow,
): Promise<CardRow[]> {
  const { from, where, order } = foundBy(plan, filter);
  return db
    .select(card)
    .from(from)
    .crossJoin(products)
    .where(where)
    .orderBy(...order)
    .limit(window.limit ?? noLimit)
    .offset(window.offset) as unknown as Promise<CardRow[]>;
}

/** The whole products that a search finds, for the API. */
export function searchProducts(
  db: Db,
  plan: SearchPlan,
  filter: FoundFilter,
  window: ListWindow,
): Promise<ProductRow[]> {
  const { from, where, order } = foundBy(plan, filter);
  return db
    .select(getTableColumns(products))
    .from(from)
    .crossJoin(products)
    .where(where)
    .orderBy(...order)
    .limit(window.limit ?? noLimit)
    .offset(window.offset) as unknown as Promise<ProductRow[]>;
}

/** How many products a search finds. */
export async function countFound(db: Db, plan: SearchPlan, category: Category | null): Promise<number> {
  const { where } = foundBy(plan, { category, sort: "name-asc" });
  const rows = await db
    .select({ total: sql<number>`count(*)`.as("total") })
    .from(matching(plan))
    .crossJoin(products)
    .where(where);
  return rows[0]?.total ?? 0;
}

interface FoundFilter {
  category: Category | null;
  sort: Sort;
}

function foundBy(plan: SearchPlan, { category, sort }: FoundFilter) {
  const best = sort === "default";
  return {
    from: best ? rankedMatches(plan) : matching(plan),
    where: and(onMatch, category ? eq(products.category, category) : undefined),
    order: best ? byRank : ORDER[sort],
  };
}

/** Ids with the time of the last change (epoch seconds), newest first; for the sitemap. */
export function findProductStamps(db: Db, window: ListWindow): Promise<{ id: string; updatedAt: number }[]> {
  return db
    .select({ id: products.id, updatedAt: products.updatedAt })
    .from(products)
    .orderBy(...ORDER.default)
    .limit(window.limit ?? noLimit)
    .offset(window.offset);
}

/** How many products there are, in all or in one category: from the counters, not by counting. */
export async function countProducts(db: Db, category: Category | null): Promise<number> {
  const rows = await db
    .select({ total: sql<number>`coalesce(sum(${categoryCounts.products}), 0)`.as("total") })
    .from(categoryCounts)
    .where(category ? eq(categoryCounts.category, category) : undefined);
  return rows[0]?.total ?? 0;
}

/** One product, or undefined. */
export async function findProduct(db: Db, id: string): Promise<ProductRow | undefined> {
  const rows = await db.select().from(products).where(eq(products.id, id)).limit(1);
  return rows[0];
}

/** The cards of the products named, in no order; for the cart. */
export function findCardsById(db: Db, ids: string[]): Promise<CardRow[]> {
  return db.select(card).from(products).where(inArray(products.id, ids));
}

/** Up to `limit` other products of a product's category, newest first. */
export function findRelated(db: Db, id: string, limit: number): Promise<CardRow[]> {
  const category = sql`(select p.category from products p where p.id = ${id})`;
  return db
    .select(card)
    .from(products)
    .where(and(sql`${products.category} = ${category}`, ne(products.id, id)))
    .orderBy(...ORDER.default)
    .limit(limit);
}

/** Size of the ring of random numbers that `shuffle` is drawn from. */
export const SHUFFLE_RANGE = 2 ** 31;

/**
 * `limit` products from a random place of the shuffled order, in stock first: a walk along an index,
 * however large the catalogue.
 */
export async function findRandom(db: Db, limit: number): Promise<ProductRow[]> {
  const from = Math.floor(Math.random() * SHUFFLE_RANGE);
  const walk = (inStock: 0 | 1, ahead: boolean) =>
    db
      .select()
      .from(products)
      .where(
        and(sql`(stock > 0) = ${inStock}`, ahead ? gte(products.shuffle, from) : lt(products.shuffle, from)),
      )
      .orderBy(asc(products.shuffle))
      .limit(limit);
  const walks = [walk(1, true), walk(1, false), walk(0, true), walk(0, false)];
  return (await Promise.all(walks)).flat().slice(0, limit);
}
