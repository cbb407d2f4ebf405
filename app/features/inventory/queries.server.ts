import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { difference, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { products, stockCounts } from "~/db/schema";
import { AVAILABLE, HELD, leavesHolds, stockChange } from "~/db/stock";
import type { Category } from "~/domain/categories";
import { LOW_STOCK } from "~/domain/stock-levels";
import type { ListWindow, ProductRow } from "~/features/catalogue/queries.server";
import { onMatch } from "~/features/catalogue/queries.server";
import type { SearchPlan } from "~/features/catalogue/search";
import { matching } from "~/features/catalogue/search.queries.server";
import type { FilteredLevel, StockSort } from "./list-params";
import type { StockEdit } from "./stock-edit";

export type StockRow = Pick<ProductRow, "id" | "name" | "category" | "priceCents" | "stock" | "available"> & {
  /** Pieces in active holds. */
  held: number;
};

/** Row with the sort key that a chunk continues from. */
export type KeyedStockRow = StockRow & { sortKey: string };

export interface StockFilter {
  category: Category | null;
  level: FilteredLevel | null;
  sort: StockSort;
  dir: "asc" | "desc";
}

const columns = {
  id: products.id,
  name: products.name,
  sortKey: products.sortKey,
  category: products.category,
  priceCents: products.priceCents,
  stock: products.stock,
  available: AVAILABLE.as("available"),
  held: HELD.as("held"),
};

/** Sort columns; each list has an index. */
const KEYS = {
  name: ["sortKey", "id"],
  category: ["category", "sortKey", "id"],
  price: ["priceCents", "id"],
  stock: ["stock", "id"],
} as const satisfies Record<StockSort, readonly (keyof typeof columns)[]>;

/** Conditions spelled as in the partial indexes, which SQLite would not use otherwise. */
const LEVEL_IS: Record<FilteredLevel, SQL> = {
  out: sql.raw(`"products"."stock" = 0`),
  low: sql.raw(`"products"."stock" BETWEEN 1 AND ${LOW_STOCK}`),
};

const LEVEL = sql<number>`CASE WHEN ${products.stock} = 0 THEN 0 WHEN ${products.stock} <= ${sql.raw(String(LOW_STOCK))} THEN 1 ELSE 2 END`;

/**
 * Reads a window of the stock table.
 *
 * @param plan of the search, or null for all products
 * @param after row that the window follows; null begins at `offset`
 */
export async function findStock(
  db: Db,
  plan: SearchPlan | null,
  filter: StockFilter,
  { limit, offset }: ListWindow & { limit: number },
  after: KeyedStockRow | null = null,
): Promise<KeyedStockRow[]> {
  const { category, level, sort, dir } = filter;
  const order = KEYS[sort].map((name) => (dir === "asc" ? asc : desc)(columns[name]));
  const conditions = [
    category ? eq(products.category, category) : undefined,
    level ? LEVEL_IS[level] : undefined,
    after ? rowsAfter(after, filter) : undefined,
  ];
  const from = db.select(columns);
  const usesLevelIndex = !plan && level && !category && sort === "name";
  const source = usesLevelIndex
    ? levelWindow(level, and(...conditions), order, { limit, offset })
    : plan && matching(plan);
  const rows = source ? from.from(source).crossJoin(products) : from.from(products);
  return rows
    .where(usesLevelIndex ? onMatch : and(source ? onMatch : undefined, ...conditions))
    .orderBy(...order)
    .limit(limit)
    .offset(usesLevelIndex ? 0 : offset) as unknown as Promise<KeyedStockRow[]>;
}

/** Selects a window along a level's partial index; SQLite alone would sort the whole level first. */
function levelWindow(
  level: FilteredLevel,
  where: SQL | undefined,
  order: SQL[],
  { limit, offset }: ListWindow,
): SQL {
  const index = sql.raw(`"products" INDEXED BY "products_${level}_sorted"`);
  return sql`(SELECT "row" FROM ${index} WHERE ${where} ORDER BY ${sql.join(order, sql`, `)}
    LIMIT ${limit} OFFSET ${offset}) AS found`;
}

function rowsAfter(row: KeyedStockRow, { sort, dir }: StockFilter): SQL {
  const names = KEYS[sort];
  const keys = sql.join(
    names.map((name) => columns[name]),
    sql`, `,
  );
  const values = sql.join(
    names.map((name) => sql`${row[name]}`),
    sql`, `,
  );
  return dir === "asc" ? sql`(${keys}) > (${values})` : sql`(${keys}) < (${values})`;
}

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
    held === undefined ? undefined : leavesHolds(after, held),
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
