import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { LOW_STOCK } from "~/db/low-stock";
import { products, stockCounts } from "~/db/schema";
import type { Category } from "~/features/catalogue/categories";
import type { ListWindow } from "~/features/catalogue/queries.server";
import type { SearchPlan } from "~/features/catalogue/search";
import { matching, onMatch } from "~/features/catalogue/search.queries.server";
import type { LowOrOut } from "./levels";
import type { StockSort } from "./list-params";

/** A product as the inventory shows it. */
export interface StockRow {
  id: string;
  name: string;
  category: Category;
  priceCents: number;
  stock: number;
}

/** A row with what the next one is found by. */
export type KeyedStockRow = StockRow & { nameKey: string };

export interface StockFilter {
  category: Category | null;
  level: LowOrOut | null;
  sort: StockSort;
  dir: "asc" | "desc";
}

const columns = {
  id: products.id,
  name: products.name,
  nameKey: products.nameKey,
  category: products.category,
  priceCents: products.priceCents,
  stock: products.stock,
};

/** What a list is ordered by; each has an index. */
const KEYS = {
  name: ["nameKey", "id"],
  category: ["category", "nameKey", "id"],
  price: ["priceCents", "id"],
  stock: ["stock", "id"],
} as const satisfies Record<StockSort, readonly (keyof typeof columns)[]>;

/** As the partial indexes have it: SQLite only takes them for the same words. */
const LEVEL_IS: Record<LowOrOut, SQL> = {
  out: sql.raw(`"products"."stock" = 0`),
  low: sql.raw(`"products"."stock" BETWEEN 1 AND ${LOW_STOCK}`),
};

const LEVEL = sql<number>`CASE WHEN ${products.stock} = 0 THEN 0 WHEN ${products.stock} <= ${sql.raw(String(LOW_STOCK))} THEN 1 ELSE 2 END`;

/**
 * A window of the inventory.
 *
 * @param plan of a search, or null for all products
 * @param after the row that the window follows, or null where `offset` says where it begins
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
    after ? behind(after, filter) : undefined,
  ];
  const from = db.select(columns);
  const isWalked = !plan && level && !category && sort === "name";
  const source = isWalked
    ? walked(level, and(...conditions), order, { limit, offset })
    : plan && matching(plan);
  const rows = source ? from.from(source).crossJoin(products) : from.from(products);
  return rows
    .where(isWalked ? onMatch : and(source ? onMatch : undefined, ...conditions))
    .orderBy(...order)
    .limit(limit)
    .offset(isWalked ? 0 : offset) as unknown as Promise<KeyedStockRow[]>;
}

/** A window along a level's own index; left to itself, SQLite finds all of the level first and sorts them then. */
function walked(level: LowOrOut, where: SQL | undefined, order: SQL[], { limit, offset }: ListWindow): SQL {
  const index = sql.raw(`"products" INDEXED BY "products_${level}"`);
  return sql`(SELECT "row" FROM ${index} WHERE ${where} ORDER BY ${sql.join(order, sql`, `)}
    LIMIT ${limit} OFFSET ${offset}) AS found`;
}

function behind(row: KeyedStockRow, { sort, dir }: StockFilter): SQL {
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

/** How many products are at each level (0 out, 1 low, 2 enough): from the counters, or counted among what a search finds. */
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

/**
 * Sets a product's stock if it is still what it was.
 *
 * @param now epoch seconds
 * @returns the product as it is then, or undefined when it was something else, or is gone
 */
export async function writeStock(
  db: Db,
  { id, stock, was }: { id: string; stock: number; was: number },
  now: number,
): Promise<{ id: string; name: string; stock: number } | undefined> {
  const rows = await db
    .update(products)
    .set({ stock, updatedAt: now })
    .where(and(eq(products.id, id), eq(products.stock, was)))
    .returning({ id: products.id, name: products.name, stock: products.stock });
  return rows[0];
}
