import { sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { AVAILABLE, HELD, type StockReason } from "~/db/stock";
import { isKnownProduct } from "~/features/catalogue/queries.server";

/** Movement with the number of its document. */
export interface MovementRow {
  row: number;
  id: string;
  productId: string;
  /** Pieces, negative when they left. */
  quantity: number;
  reason: StockReason["reason"];
  /** Name of the person; empty for the system. */
  actor: string;
  documentId: string | null;
  documentNumber: string | null;
  stockAfter: number;
  createdAt: number;
}

/** Active hold of a product. */
export interface ProductHold {
  id: string;
  quantity: number;
  until: number;
  createdBy: string;
  chatId: string | null;
  customerId: string | null;
  /** Name of the customer or of the visitor; empty when neither is known. */
  name: string;
}

export interface StockedProduct {
  id: string;
  name: string;
  priceCents: number;
  image: string | null;
  stock: number;
  available: number;
  held: number;
}

/** Active holds of a product that are listed: those that end first. */
export const MAX_HOLDS = 10;

const COLUMNS = sql.raw(`m."row", m.id, m.product_id AS productId, m.quantity, m.reason, m.actor,
  m.document_id AS documentId, d.number AS documentNumber, m.stock_after AS stockAfter, m.created_at AS createdAt`);

export async function findMovement(db: Db, id: string): Promise<MovementRow | undefined> {
  const [row] = await db.all<MovementRow>(
    sql`SELECT ${COLUMNS} FROM stock_movements AS m LEFT JOIN documents AS d ON d.id = m.document_id WHERE m.id = ${id}`,
  );
  return row;
}

/**
 * Reads a product with its movements, newest first, and its active holds, one more than are listed, in one round trip. Movements of a deleted
 * product stay.
 *
 * @param before exclusive upper row number; null for the newest
 */
export async function findStockHistory(
  db: Db,
  productId: string,
  { limit, before }: { limit: number; before: number | null },
): Promise<{ product: StockedProduct | undefined; movements: MovementRow[]; holds: ProductHold[] }> {
  const [products = [], movements = [], holds = []] = await runBatch(db, [
    sql`SELECT products.id, products.name, products.price_cents AS priceCents, products.image_urls ->> 0 AS image,
      products.stock, ${AVAILABLE} AS available, ${HELD} AS held FROM products WHERE products.id = ${productId}`,
    sql`SELECT ${COLUMNS} FROM stock_movements AS m LEFT JOIN documents AS d ON d.id = m.document_id
      WHERE m.product_id = ${productId} AND m."row" < ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY m."row" DESC LIMIT ${limit}`,
    sql`SELECT h.id, l.quantity, h.until, h.created_by AS createdBy, h.chat_id AS chatId, h.customer_id AS customerId,
      coalesce(c.name, chats.user_name, '') AS name
      FROM hold_lines AS l INDEXED BY hold_lines_counted CROSS JOIN holds AS h ON h.id = l.hold_id
      LEFT JOIN customers AS c ON c.id = h.customer_id LEFT JOIN chats ON chats.id = h.chat_id
      WHERE l.product_id = ${productId} AND l.counted = 1 AND l.until > unixepoch()
      ORDER BY l.until LIMIT ${MAX_HOLDS + 1}`,
  ]);
  return {
    product: products[0] as unknown as StockedProduct | undefined,
    movements: movements as unknown as MovementRow[],
    holds: holds as unknown as ProductHold[],
  };
}

/**
 * Finds a window of a product's movements, newest first, and counts all; `isKnown` is true for a deleted product with
 * movements too.
 */
export async function findMovements(
  db: Db,
  productId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Omit<MovementRow, "row" | "documentNumber">[]; total: number; isKnown: boolean }> {
  const [rows = [], counted = [], known = []] = await runBatch(db, [
    sql`SELECT id, product_id AS productId, quantity, reason, actor, document_id AS documentId, stock_after AS stockAfter,
      created_at AS createdAt FROM stock_movements WHERE product_id = ${productId}
      ORDER BY row DESC LIMIT ${limit} OFFSET ${offset}`,
    sql`SELECT ordinal AS total FROM stock_movements WHERE product_id = ${productId} ORDER BY row DESC LIMIT 1`,
    isKnownProduct(productId),
  ]);
  return {
    rows: rows as unknown as MovementRow[],
    total: Number(counted[0]?.total ?? 0),
    isKnown: known.length > 0,
  };
}
