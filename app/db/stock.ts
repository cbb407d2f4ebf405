import { type SQL, sql } from "drizzle-orm";

/** Reason for a change of stock. */
export interface StockReason {
  /** Idempotency key; random by default. */
  id?: string | undefined;
  reason: "opening" | "adjustment" | "import" | "sale" | "return";
  /** Name of the person or program. */
  actor: string;
  /** Document of a sale or return. */
  documentId?: string | undefined;
}

/**
 * Builds the value of `stock_change`, without which a trigger rejects a write of `stock`, of a unit or of a product with one
 * (migrations/0083_units.sql).
 */
export function stockChange({ id, reason, actor, documentId }: StockReason): SQL<string> {
  return sql`json_object('id', coalesce(${id ?? null}, lower(hex(randomblob(12)))), 'reason', ${reason}, 'actor', ${actor},
    'documentId', ${documentId ?? null})`;
}

/** Pieces in holds that have ended by D1's clock, which `products.held` still counts. */
const ENDED = `coalesce((
    SELECT sum(l.quantity) FROM hold_lines AS l
    WHERE l.product_id = products.id AND l.counted = 1 AND l.until <= unixepoch()), 0)`;

/** Pieces of a product in active holds; reads no holds of a product that has none. */
export const HELD = sql.raw(`CASE WHEN products.held = 0 THEN 0
  ELSE products.held - ${ENDED} END`) as SQL<number>;

/** Pieces of a product that are not on hold; reads no holds of a product that has none. */
export const AVAILABLE = sql.raw(`CASE WHEN products.held = 0 THEN products.stock
  ELSE max(0, products.stock - products.held + ${ENDED}) END`) as SQL<number>;

/**
 * Builds the condition for a write of stock: it does not lower the stock, leaves enough for the holds, or its author has
 * seen as many pieces on hold as there are.
 *
 * @param after stock to be written
 * @param seen pieces on hold that the author has seen
 */
export const respectsHolds = (after: number | SQL, seen: number): SQL =>
  sql`(${after} >= products.stock OR ${after} >= ${HELD} OR ${HELD} <= ${seen})`;

/** Pieces of a unit in holds that have ended, which `units.held` still counts. */
const ENDED_OF_UNIT = `coalesce((
    SELECT sum(l.quantity) FROM hold_lines AS l
    WHERE l.unit_id = units.id AND l.counted = 1 AND l.until <= unixepoch()), 0)`;

/** Pieces of a unit in active holds. */
export const UNIT_HELD = sql.raw(`CASE WHEN units.held = 0 THEN 0
  ELSE units.held - ${ENDED_OF_UNIT} END`) as SQL<number>;

/** Pieces of a unit that are not on hold. */
export const UNIT_AVAILABLE = sql.raw(`CASE WHEN units.held = 0 THEN units.stock
  ELSE max(0, units.stock - units.held + ${ENDED_OF_UNIT}) END`) as SQL<number>;

/** Builds the condition of `respectsHolds` for a write of a unit's stock. */
export const unitRespectsHolds = (after: number | SQL, seen: number): SQL =>
  sql`(${after} >= units.stock OR ${after} >= ${UNIT_HELD} OR ${UNIT_HELD} <= ${seen})`;
