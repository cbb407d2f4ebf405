import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { contents, differences, recorded, removed } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { importRuns, productChanges, products } from "~/db/schema";
import { HELD, stockChange } from "~/db/stock";
import { PRODUCT } from "~/features/catalogue/product";
import { changedRows, keepChanges, removedRows } from "~/features/product-runs/queries/changes.server";

export type ActRun = typeof importRuns.$inferSelect;

/** Product of an act, as it is stored. */
export interface ActTarget {
  id: string;
  name: string;
  priceCents: number;
  category: string;
  isHidden: boolean;
  /** Its stock is counted for each choice. */
  isDivided: boolean;
  /** Its units have prices of their own. */
  hasOwnPrices: boolean;
}

/** Finds products by their ids, in the order of these. */
export function findTargets(db: Db, ids: string[]): Promise<ActTarget[]> {
  const { id, name, priceCents, category, isHidden } = getTableColumns(products);
  return db
    .select({
      ...{ id, name, priceCents, category, isHidden },
      isDivided: sql<boolean>`products.options <> '[]'`.as("is_divided"),
      hasOwnPrices: sql<boolean>`products.base_cents IS NOT NULL`.as("has_own_prices"),
    })
    .from(sql`(SELECT key AS position, value AS id FROM json_each(${JSON.stringify(ids)})) AS requested`)
    .crossJoin(products)
    .where(sql`${id} = requested.id`)
    .orderBy(sql`requested.position`) as unknown as Promise<ActTarget[]>;
}

/** Begins a run, unless one with its id has begun. @returns the run that is stored */
export async function beginActRun(db: Db, run: typeof importRuns.$inferInsert): Promise<ActRun> {
  const [, rows] = await db.batch([
    db.insert(importRuns).values(run).onConflictDoNothing(),
    db.select().from(importRuns).where(eq(importRuns.id, run.id)),
  ]);
  return rows[0] as ActRun;
}

export async function findActRun(db: Db, id: string): Promise<ActRun | undefined> {
  const rows = await db
    .select()
    .from(importRuns)
    .where(and(eq(importRuns.id, id), eq(importRuns.kind, "act")));
  return rows[0];
}

/** Finds the ids of the products that a run has changed. */
export async function findChangedIds(db: Db, run: string): Promise<Set<string>> {
  const rows = await db
    .select({ id: productChanges.productId })
    .from(productChanges)
    .where(eq(productChanges.runId, run));
  return new Set(rows.map(({ id }) => id));
}

export async function endActRun(
  db: Db,
  id: string,
  end: Pick<ActRun, "updated" | "removed" | "unchanged" | "errorDetails" | "finishedAt">,
): Promise<void> {
  await db
    .update(importRuns)
    .set({ ...end, state: "done" })
    .where(eq(importRuns.id, id));
}

/** Deletes a run that has changed nothing; a parallel request with its id may have. */
export async function deleteEmptyRun(db: Db, id: string): Promise<void> {
  const changes = sql`SELECT 1 FROM ${productChanges} WHERE ${productChanges.runId} = ${id}`;
  await db.delete(importRuns).where(and(eq(importRuns.id, id), sql`NOT EXISTS (${changes})`));
}

/** Column that an act writes: the value that a product must still have, and its new one. */
export type Written = "priceCents" | "category" | "isHidden";
export interface Write {
  id: string;
  before: string | number;
  after: string | number;
}

interface ActWrite {
  run: string;
  /** Epoch seconds. */
  now: number;
}

/** Writes a column of products that still have the value that was read, with audit log and run, in one transaction. */
export async function writeProducts(
  db: Db,
  column: Written,
  writes: Write[],
  { run, now }: ActWrite,
): Promise<void> {
  const rows = writes.map(({ id, before, after }) => [id, before, after]);
  const v = sql`(SELECT value ->> 0 AS id, value ->> 1 AS seen, value ->> 2 AS written
    FROM json_each(${JSON.stringify(rows)})) AS v`;
  const where = sql`${products.id} = v.id AND ${products[column]} = v.seen
    AND ${column === "priceCents" ? sql`products.base_cents IS NULL` : sql`true`}`;
  // A request with the same id, sent at the same time, may have read what this one has just written.
  const change = sql`FROM ${productChanges} AS c WHERE c.run_id = ${run} AND c.product_id = ${products.id}`;
  const isFirst = sql`${where} AND NOT EXISTS (SELECT 1 ${change})`;
  const isKept = sql`${where} AND EXISTS (SELECT 1 ${change} AND c.before ->> ${column} = v.seen)`;
  const columns = { [column]: sql`v.written` };
  const changed = sql`FROM ${v} CROSS JOIN ${products} WHERE ${isFirst}`;
  await db.batch([
    recorded(db, {
      object: "product",
      action: "changed",
      id: products.id,
      changes: differences(products, PRODUCT.audited, columns),
      rows: changed,
    }),
    keepChanges(db, run, changedRows(columns, changed)),
    db
      .update(products)
      .set({ ...columns, updatedAt: now })
      .from(v)
      .where(isKept),
  ]);
}

/** Deletes products without active holds, after movements that take their stock away, with audit log and run. */
export async function deleteProducts(db: Db, ids: string[], run: string, actor: string): Promise<void> {
  const of: SQL = sql`${products.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${HELD} = 0
    AND products.options = '[]'`;
  const rows = sql`FROM ${products} WHERE ${of}`;
  await db.batch([
    recorded(db, {
      object: "product",
      action: "deleted",
      id: products.id,
      changes: contents(products, PRODUCT.audited, removed),
      rows,
    }),
    keepChanges(db, run, removedRows(rows)),
    db
      .update(products)
      .set({ stock: 0, stockChange: stockChange({ reason: "adjustment", actor }) })
      .where(of),
    db.delete(products).where(of),
  ]);
}
