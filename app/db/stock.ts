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

/**
 * Builds the pieces on hold, and those that are not, of rows that count their holds in `held`, those included that have ended
 * by D1's clock. Reads no holds of a row that has none.
 */
function piecesOf(table: "products" | "units", line: "product_id" | "unit_id") {
  const ended = `coalesce((
    SELECT sum(l.quantity) FROM hold_lines AS l
    WHERE l.${line} = ${table}.id AND l.counted = 1 AND l.until <= unixepoch()), 0)`;
  return {
    held: sql.raw(`CASE WHEN ${table}.held = 0 THEN 0
  ELSE ${table}.held - ${ended} END`) as SQL<number>,
    available: sql.raw(`CASE WHEN ${table}.held = 0 THEN ${table}.stock
  ELSE max(0, ${table}.stock - ${table}.held + ${ended}) END`) as SQL<number>,
  };
}

/** Pieces of a product in active holds, and those that are not on hold. */
export const { held: HELD, available: AVAILABLE } = piecesOf("products", "product_id");

/** Pieces of a unit in active holds, and those that are not on hold. */
export const { held: UNIT_HELD, available: UNIT_AVAILABLE } = piecesOf("units", "unit_id");

/**
 * Builds the condition for a write of stock: it does not lower the stock, leaves enough for the holds, or its author has
 * seen as many pieces on hold as there are.
 *
 * @param after stock to be written
 * @param seen pieces on hold that the author has seen
 */
export const respectsHolds = (after: number | SQL, seen: number): SQL =>
  sql`(${after} >= products.stock OR ${after} >= ${HELD} OR ${HELD} <= ${seen})`;

/** Builds the condition of `respectsHolds` for a write of a unit's stock. */
export const unitRespectsHolds = (after: number | SQL, seen: number): SQL =>
  sql`(${after} >= units.stock OR ${after} >= ${UNIT_HELD} OR ${UNIT_HELD} <= ${seen})`;
