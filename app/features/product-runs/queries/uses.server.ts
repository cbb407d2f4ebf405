import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { HELD } from "~/db/stock";

/** Rows of each kind that are read of one product. */
const MAX_READ = 50;

/** Sales, holds and chats of a product; times are epoch seconds. */
export interface ProductUses {
  productId: string;
  /** Pieces that were sold since a run, without those that came back. */
  sold: number;
  /** Number of the last sale. */
  document: string | null;
  soldAt: number | null;
  held: number;
  /** Person of the hold that ends first. */
  holder: string | null;
  heldUntil: number | null;
  chats: number;
  askedAt: number | null;
}

/** Finds what happened to products since a run. @param products with the last movement before the run */
export function findUses(
  db: Db,
  products: { productId: string; movement: number }[],
): Promise<ProductUses[]> {
  const sale = sql`FROM document_lines AS l JOIN documents AS d ON d.id = l.document_id
    WHERE l.product_id = sought.id AND d.kind = 'sale' ORDER BY l.rowid DESC LIMIT 1`;
  const hold = sql`FROM hold_lines AS l INDEXED BY hold_lines_counted CROSS JOIN holds AS h ON h.id = l.hold_id
    LEFT JOIN customers AS c ON c.id = h.customer_id LEFT JOIN chats ON chats.id = h.chat_id
    WHERE l.product_id = sought.id AND l.counted = 1 AND l.until > unixepoch() ORDER BY l.until LIMIT 1`;
  const asked = sql`(SELECT id, last_message_at FROM chats WHERE product_id = sought.id
    UNION SELECT id, last_message_at FROM chats WHERE subject_id = sought.id LIMIT ${sql.raw(String(MAX_READ))})`;
  return db.all<ProductUses>(
    sql`SELECT sought.id AS productId,
      coalesce((SELECT -sum(m.quantity) FROM (SELECT quantity, reason FROM stock_movements
        WHERE product_id = sought.id AND "row" > sought.movement ORDER BY "row" LIMIT ${sql.raw(String(MAX_READ))}) AS m
        WHERE m.reason IN ('sale', 'return')), 0) AS sold,
      (SELECT d.number ${sale}) AS document, (SELECT d.recorded_at ${sale}) AS soldAt,
      coalesce(${HELD}, 0) AS held, (SELECT coalesce(c.name, chats.user_name) ${hold}) AS holder, (SELECT l.until ${hold}) AS heldUntil,
      (SELECT count(*) FROM ${asked}) AS chats, (SELECT max(last_message_at) FROM ${asked}) AS askedAt
    FROM (SELECT value ->> 'productId' AS id, value ->> 'movement' AS movement FROM json_each(${JSON.stringify(products)})) AS sought
    LEFT JOIN products ON products.id = sought.id`,
  );
}
