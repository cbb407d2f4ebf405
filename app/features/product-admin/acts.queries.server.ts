import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { contents, difference, differences, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { importRuns, productChanges, products, units } from "~/db/schema";
import { HELD, stockChange } from "~/db/stock";
import { PRODUCT } from "~/features/catalogue/product";
import { PRICE } from "~/features/catalogue/queries.server";
import {
  changedRows,
  keepChanges,
  keepChoices,
  removedRows,
} from "~/features/product-runs/queries/changes.server";
import { choicesOf } from "~/features/product-runs/queries/choices.server";

export type ActRun = typeof importRuns.$inferSelect;

/** Product of an act, as it is stored. */
export interface ActTarget {
  id: string;
  name: string;
  /** The product's own, in cents. */
  priceCents: number;
  /** JSON of the own prices of its units: `[[id, cents], …]`. */
  ownPrices: string;
  /** JSON of the choices that have them, in the same order: lists of values. */
  ownChoices: string;
  category: string;
  isHidden: boolean;
}

/** Lists a part of the units with own prices of a product as JSON; reads no units of a product with one price. */
const ofOwnPrices = (part: string) =>
  sql.raw(`iif(products.base_cents IS NULL, '[]', (SELECT json_group_array(${part})
  FROM (SELECT id, price_cents, option_values FROM units WHERE product_id = products.id AND price_cents IS NOT NULL
    ORDER BY position, id) AS own))`) as SQL<string>;
const OWN_PRICES = ofOwnPrices("json_array(own.id, own.price_cents)");
const OWN_CHOICES = ofOwnPrices("json(own.option_values)");

/** Finds products by their ids, in the order of these. */
export function findTargets(db: Db, ids: string[]): Promise<ActTarget[]> {
  const { id, name, category, isHidden } = getTableColumns(products);
  return db
    .select({
      ...{ id, name, category, isHidden },
      priceCents: PRICE.as("own_price"),
      ownPrices: OWN_PRICES.as("own_prices"),
      ownChoices: OWN_CHOICES.as("own_choices"),
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
export type Written = "category" | "isHidden";
export interface Write {
  id: string;
  before: string | number;
  after: string | number;
  /** Own prices of its units, as in `ActTarget`. */
  ownBefore?: string;
  ownAfter?: string;
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
  const where = sql`${products.id} = v.id AND ${products[column]} = v.seen`;
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

/** Own prices that a write `v` changes as the audit log has them. */
const CHANGED_PRICES = sql`(SELECT json_group_object(units.id, json_array(
    json_object('values', json(units.option_values), 'priceCents', units.price_cents),
    json_object('values', json(units.option_values), 'priceCents', own.value ->> 1)))
  FROM json_each(v.own_written) AS own CROSS JOIN units
  WHERE units.id = own.value ->> 0 AND units.product_id = products.id AND units.price_cents IS NOT own.value ->> 1)`;

/** Writes prices of products, and those of their units, that are still as they were read, with audit log and run, in one transaction. */
export async function writePrices(db: Db, writes: Write[], { run, now }: ActWrite): Promise<void> {
  const rows = writes.map(({ id, before, after, ownBefore = "[]", ownAfter = "[]" }) => [
    ...[id, before, after, ownBefore, ownAfter],
  ]);
  const v = sql`(SELECT value ->> 0 AS id, value ->> 1 AS seen, value ->> 2 AS written, value ->> 3 AS own_seen,
    value ->> 4 AS own_written FROM json_each(${JSON.stringify(rows)})) AS v`;
  const change = sql`FROM ${productChanges} AS c WHERE c.run_id = ${run} AND c.product_id = products.id`;
  const isSeen = sql`products.id = v.id AND ${PRICE} = v.seen`;
  const changed = sql`FROM ${v} CROSS JOIN products WHERE ${isSeen} AND ${OWN_PRICES} = v.own_seen AND NOT EXISTS (SELECT 1 ${change})`;
  // A request with the same id, sent at the same time, may have read what this one has just written.
  const isKept = sql`${isSeen} AND EXISTS (SELECT 1 ${change} AND coalesce(c.before ->> 'priceCents', v.seen) = v.seen
    AND coalesce(c.before ->> 'choices' = ${choicesOf(sql`products.id`)}, true))`;
  const hasOther = sql`v.own_seen <> v.own_written`;
  const isWritten = sql`FROM ${v} CROSS JOIN products WHERE products.id = v.id AND ${OWN_PRICES} = v.own_written`;
  await runBatch(db, [
    recorded(db, {
      object: "product",
      action: "changed",
      id: products.id,
      changes: {
        priceCents: difference(PRICE, sql`v.written`),
        units: sql`iif(${hasOther}, json(${CHANGED_PRICES}), NULL)`,
      },
      rows: changed,
    }),
    keepChanges(db, run, changedRows({ priceCents: sql`v.written` }, changed, { hasOtherCodes: hasOther })),
    sql`UPDATE units SET price_cents = own.value ->> 1, updated_at = ${now}
      FROM ${v} CROSS JOIN products CROSS JOIN json_each(v.own_written) AS own
      WHERE units.id = own.value ->> 0 AND units.product_id = products.id AND ${isKept}`,
    sql`UPDATE products SET base_cents = iif(products.base_cents IS NULL, NULL, v.written),
        price_cents = iif(products.base_cents IS NULL, v.written, products.price_cents), updated_at = ${now}
      FROM ${v} WHERE ${isSeen} AND ${OWN_PRICES} = v.own_written
        AND EXISTS (SELECT 1 ${change} AND coalesce(c.before ->> 'priceCents', v.seen) = v.seen)`,
    keepChoices(db, run, sql`(SELECT products.id ${isWritten})`),
  ]);
}

/**
 * Deletes products without active holds, after movements that take their stock away, with audit log and run. What the first
 * statement keeps decides what the others delete: a hold may end between them.
 */
export async function deleteProducts(db: Db, ids: string[], run: string, actor: string): Promise<void> {
  const of: SQL = sql`${products.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const kept = sql`${of} AND EXISTS (SELECT 1 FROM ${productChanges} AS c
    WHERE c.run_id = ${run} AND c.product_id = products.id AND c.outcome = 'removed')`;
  await db.batch([
    keepChanges(db, run, removedRows(sql`FROM ${products} WHERE ${of} AND ${HELD} = 0`)),
    recorded(db, {
      object: "product",
      action: "deleted",
      id: products.id,
      changes: contents(products, PRODUCT.audited, removed),
      rows: sql`FROM ${products} WHERE ${kept}`,
    }),
    db
      .update(units)
      .set({ stock: 0, stockChange: stockChange({ reason: "adjustment", actor }) })
      .where(
        sql`units.product_id IN (SELECT products.id FROM ${products} WHERE ${kept}) AND units.stock <> 0`,
      ),
    db.delete(products).where(kept),
  ]);
}
