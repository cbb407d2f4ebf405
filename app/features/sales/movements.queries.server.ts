import { sql } from "drizzle-orm";
import { batched, type Db } from "~/db/client.server";
import type { StockReason } from "~/db/stock";

export interface Movement {
  id: string;
  productId: string;
  /** Pieces, negative when they left. */
  quantity: number;
  reason: StockReason["reason"];
  /** Name of the person; empty for the system. */
  actor: string;
  documentId: string | null;
  stockAfter: number;
  createdAt: number;
}

/** Finds a window of a product's movements, newest first, and whether the product exists or did. */
export async function findMovements(
  db: Db,
  productId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Movement[]; isKnown: boolean }> {
  const [rows = [], known = []] = await batched(db, [
    sql`SELECT id, product_id AS productId, quantity, reason, actor, document_id AS documentId, stock_after AS stockAfter,
      created_at AS createdAt FROM stock_movements WHERE product_id = ${productId}
      ORDER BY row DESC LIMIT ${limit} OFFSET ${offset}`,
    sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM products WHERE id = ${productId})
      OR EXISTS (SELECT 1 FROM stock_movements WHERE product_id = ${productId})`,
  ]);
  return { rows: rows as unknown as Movement[], isKnown: known.length > 0 };
}
