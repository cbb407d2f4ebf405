import { and, eq, type SQL, sql } from "drizzle-orm";
import { difference, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { selection } from "~/db/list-of";
import { products, stockCounts } from "~/db/schema";
import { AVAILABLE, HELD, respectsHolds, stockChange } from "~/db/stock";
import type { Category } from "~/domain/categories";
import { LOW_STOCK } from "~/domain/stock-levels";
import type { ProductRow } from "~/features/catalogue/queries.server";
import { onMatch } from "~/features/catalogue/queries.server";
import type { SearchPlan } from "~/features/catalogue/search";
import { matching } from "~/features/catalogue/search.queries.server";
import type { FilteredLevel, StockSort } from "./list-params";
import type { StockEdit } from "./stock-edit";

export type StockRow = Pick<ProductRow, "id" | "name" | "category" | "priceCents" | "stock" | "available"> & {
  /** Pieces in active holds. */
  held: number;
};

export interface StockFilter {
  category: Category | null;
  level: FilteredLevel | null;
  sort: StockSort;
}

const ROW = selection<StockRow>({
  id: products.id,
  name: products.name,
  category: products.category,
  priceCents: products.priceCents,
  stock: products.stock,
  available: AVAILABLE,
  held: HELD,
});

/** Conditions spelled as in the partial indexes, which SQLite would not use otherwise. */
const LEVEL_IS: Record<FilteredLevel, SQL> = {
  out: sql.raw(`"products"."stock" = 0`),
  low: sql.raw(`"products"."stock" BETWEEN 1 AND ${LOW_STOCK}`),
};

const LEVEL = sql<number>`CASE WHEN ${products.stock} = 0 THEN 0 WHEN ${products.stock} <= ${sql.raw(String(LOW_STOCK))} THEN 1 ELSE 2 END`;

/** Builds the query of the stock table. @param plan of the search, or null for all products */
export const stockRows = (plan: SearchPlan | null, { category, level, sort }: StockFilter) => ({
  ...ROW,
  sort,
  found: plan ? matching(plan) : undefined,
  // SQLite alone would sort the whole level first.
  index: level && !category && sort === "name" ? `products_${level}_sorted` : undefined,
  where: [category ? eq(products.category, category) : undefined, level ? LEVEL_IS[level] : undefined],
});

/** Counts products by level (0 out, 1 low, 2 enough) from the counters, or among the matches of a search. */
export async function countLevels(
  db: Db,
  plan: SearchPlan | null,
  category: Category | null,
): Promise<{ level: number; total: number }[]> {
  if (!plan)
    return db
      .select({ level: stockCounts.level, total: sql<number>`sum(${stockCounts.products})`.as("total") })
      .from(stockCounts)
      .where(category ? eq(stockCounts.category, category) : undefined)
      .groupBy(stockCounts.level);
  const level = LEVEL.as("level");
  return db
    .select({ level, total: sql<number>`count(*)`.as("total") })
    .from(matching(plan))
    .crossJoin(products)
    .where(and(onMatch, category ? eq(products.category, category) : undefined))
    .groupBy(sql`level`) as unknown as Promise<{ level: number; total: number }[]>;
}

/** Change of stock that a member of staff makes. */
export interface StockWrite {
  id: string;
  edit: StockEdit;
  /** Stock that the caller saw; a set stock is written only while it is still the same. */
  was?: number | undefined;
  /** Pieces on hold that the caller saw; a stock below what is on hold is not written when more are. */
  held?: number | undefined;
  /** Id of the movement, so that a repeated request changes the stock once. */
  change?: string | undefined;
  actor: string;
}

/**
 * Changes a product's stock in one statement, so that parallel changes add up.
 *
 * @param now epoch seconds
 * @returns the updated product; undefined when its stock differs from `was`, when the result would not be within 0 and
 * `max`, or is below what is on hold, or when it is gone
 * @throws when `change` was written before
 */
export async function writeStock(
  db: Db,
  { id, edit, was, held, change, actor }: StockWrite,
  max: number,
  now: number,
): Promise<{ id: string; name: string; stock: number; held: number } | undefined> {
  const after = "add" in edit ? sql`${products.stock} + ${edit.add}` : sql`${edit.set}`;
  const condition =
    "add" in edit
      ? sql`${after} BETWEEN 0 AND ${max}`
      : was === undefined
        ? undefined
        : eq(products.stock, was);
  const where = and(
    eq(products.id, id),
    condition,
    held === undefined ? undefined : respectsHolds(after, held),
  );
  const [, rows] = await db.batch([
    recorded(db, {
      object: "product",
      action: "changed",
      id: products.id,
      changes: { stock: difference(products.stock, after) },
      rows: sql`FROM ${products} WHERE ${where}`,
    }),
    db
      .update(products)
      .set({
        stock: after,
        stockChange: stockChange({ id: change, reason: "adjustment", actor }),
        updatedAt: now,
      })
      .where(where)
      .returning({ id: products.id, name: products.name, stock: products.stock, held: HELD }),
  ]);
  return rows[0];
}
