import { type SQL, sql } from "drizzle-orm";

/** Reason of a change of stock, its actor's name and, for sales and returns, the document. */
export interface StockReason {
  /** Id of the movement, which can be written once; random by default. */
  id?: string | undefined;
  reason: "opening" | "adjustment" | "import" | "sale" | "return";
  actor: string;
  documentId?: string;
}

/** Value of `stock_change` for a write of `stock`; a trigger refuses the write without it (migrations/0040_movement_ordinals.sql). */
export function stockChange({ id, reason, actor, documentId }: StockReason): SQL<string> {
  return sql`json_object('id', coalesce(${id ?? null}, lower(hex(randomblob(12)))), 'reason', ${reason}, 'actor', ${actor},
    'documentId', ${documentId ?? null})`;
}

/** Pieces of a product that nobody has set aside; holds end by D1's clock. Reads nothing more without holds. */
export const AVAILABLE = sql.raw(`CASE WHEN products.held = 0 THEN products.stock
  ELSE max(0, products.stock - products.held + coalesce((
    SELECT sum(l.quantity) FROM hold_lines AS l
    WHERE l.product_id = products.id AND l.counted = 1 AND l.until <= unixepoch()), 0)) END`) as SQL<number>;

/**
 * Condition of a write that lowers a product's stock: it stays at what is on hold, or its caller has seen how many pieces are.
 *
 * @param after stock that is written
 * @param seen pieces on hold that the caller knows of
 */
export const leavesHolds = (after: number | SQL, seen: number): SQL =>
  sql`(${after} >= products.stock OR ${after} >= ${HELD} OR ${HELD} <= ${seen})`;

/** Pieces of a product in active holds. */
export const HELD = sql.raw(`CASE WHEN products.held = 0 THEN 0
  ELSE products.held - coalesce((
    SELECT sum(l.quantity) FROM hold_lines AS l
    WHERE l.product_id = products.id AND l.counted = 1 AND l.until <= unixepoch()), 0) END`) as SQL<number>;
