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
 * Builds the value of `stock_change` for a write of `stock`. A trigger rejects the write without it
 * (migrations/0040_movement_ordinals.sql).
 */
export function stockChange({ id, reason, actor, documentId }: StockReason): SQL<string> {
  return sql`json_object('id', coalesce(${id ?? null}, lower(hex(randomblob(12)))), 'reason', ${reason}, 'actor', ${actor},
    'documentId', ${documentId ?? null})`;
}

/** Pieces in holds that have ended, which `products.held` still counts; by D1's clock. */
const ENDED = `coalesce((
    SELECT sum(l.quantity) FROM hold_lines AS l
    WHERE l.product_id = products.id AND l.counted = 1 AND l.until <= unixepoch()), 0)`;

/** Pieces of a product in active holds. A product without holds is not looked up. */
export const HELD = sql.raw(`CASE WHEN products.held = 0 THEN 0
  ELSE products.held - ${ENDED} END`) as SQL<number>;

/** Pieces of a product that are not on hold. A product without holds is not looked up. */
export const AVAILABLE = sql.raw(`CASE WHEN products.held = 0 THEN products.stock
  ELSE max(0, products.stock - products.held + ${ENDED}) END`) as SQL<number>;

/**
 * Builds the condition for a write of stock: the stock does not fall, covers the holds, or
 * its caller has seen how many pieces are on hold.
 *
 * @param after stock that is written
 * @param seen pieces on hold that the caller knows of
 */
export const respectsHolds = (after: number | SQL, seen: number): SQL =>
  sql`(${after} >= products.stock OR ${after} >= ${HELD} OR ${HELD} <= ${seen})`;
