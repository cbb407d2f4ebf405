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

/** Builds the sum of the holds that `held` still counts, though they have ended by D1's clock. */
const endedOf = (line: "product_id" | "unit_id", id: string) => `coalesce((
    SELECT sum(l.quantity) FROM hold_lines AS l
    WHERE l.${line} = ${id} AND l.counted = 1 AND l.until <= unixepoch()), 0)`;

/**
 * Builds the pieces on hold, and those that are not, of rows that count their holds in `held`. Reads no holds of a row that
 * has none.
 *
 * @param short pieces on hold that are not there, which the difference of the sums takes from others
 */
function piecesOf(table: "products" | "units", line: "product_id" | "unit_id", short = "0") {
  const ended = endedOf(line, `${table}.id`);
  return {
    held: sql.raw(`CASE WHEN ${table}.held = 0 THEN 0
  ELSE ${table}.held - ${ended} END`) as SQL<number>,
    available: sql.raw(`CASE WHEN ${table}.held = 0 THEN ${table}.stock
  ELSE max(0, ${table}.stock - ${table}.held + ${ended} + ${short}) END`) as SQL<number>,
  };
}

/** Table of the units, one of several, whose stock is below what is on hold: few. */
export const SHORT_UNITS =
  "units AS u INDEXED BY units_short WHERE u.stock < u.held AND u.id <> u.product_id";

const SHORT = `coalesce((SELECT sum(max(0, u.held - u.stock - ${endedOf("unit_id", "u.id")}))
    FROM ${SHORT_UNITS} AND u.product_id = products.id), 0)`;

/** Pieces of a product in active holds, and the sum of those of its units that are not on hold. */
export const { held: HELD, available: AVAILABLE } = piecesOf("products", "product_id", SHORT);

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
