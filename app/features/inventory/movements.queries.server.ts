import { sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { AVAILABLE, HELD, type StockReason, UNIT_AVAILABLE, UNIT_HELD } from "~/db/stock";
import { choiceText } from "~/domain/unit-name";
import { isKnownProduct, PRICE } from "~/features/catalogue/queries.server";

/** Movement with the number of its document. */
export interface MovementRow {
  row: number;
  id: string;
  productId: string;
  /** The product's id for its only unit. */
  unitId: string;
  /** Values of the unit, as they were then; "" without options. */
  choice: string;
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

/** Product or unit of a panel. */
export interface StockedProduct {
  /** Of the product. */
  id: string;
  name: string;
  /** Values of the unit; "" for a product, or one without options. */
  choice: string;
  /** Sum of several units. */
  isSum: number;
  priceCents: number;
  image: string | null;
  stock: number;
  available: number;
  held: number;
}

/** Active holds of a product that are listed: those that end first. */
export const MAX_HOLDS = 10;

const COLUMNS = sql.raw(`m."row", m.id, m.product_id AS productId,
  coalesce(m.unit_id, m.product_id) AS unitId, m.choice, m.quantity, m.reason, m.actor,
  m.document_id AS documentId, d.number AS documentNumber, m.stock_after AS stockAfter, m.created_at AS createdAt`);

export async function findMovement(db: Db, id: string): Promise<MovementRow | undefined> {
  const [row] = await db.all<MovementRow>(
    sql`SELECT ${COLUMNS} FROM stock_movements AS m LEFT JOIN documents AS d ON d.id = m.document_id WHERE m.id = ${id}`,
  );
  return row;
}

/**
 * Reads a product or a unit with its movements, newest first, and its active holds, one more than are listed, in one round
 * trip. Movements of a deleted product stay; those of its own unit lead to its stock, unless it has several.
 *
 * @param id of a product or a unit
 * @param before exclusive upper row number; null for the newest
 */
export async function findStockHistory(
  db: Db,
  id: string,
  { limit, before }: { limit: number; before: number | null },
): Promise<{ product: StockedProduct | undefined; movements: MovementRow[]; holds: ProductHold[] }> {
  const productId = sql`coalesce((SELECT product_id FROM units WHERE id = ${id}), ${id})`;
  const isOne = sql`EXISTS (SELECT 1 FROM units WHERE id = ${id})`;
  const [units = [], products = [], movements = [], holds = []] = await runBatch(db, [
    sql`SELECT products.id, products.name, units.option_values AS choice, 0 AS isSum,
      coalesce(units.price_cents, ${PRICE}) AS priceCents,
      coalesce(nullif(units.image, ''), products.image_urls ->> 0) AS image,
      units.stock, ${UNIT_AVAILABLE} AS available, ${UNIT_HELD} AS held
      FROM units CROSS JOIN products ON products.id = units.product_id WHERE units.id = ${id}`,
    sql`SELECT products.id, products.name, '[]' AS choice, products.options <> '[]' AS isSum,
      products.price_cents AS priceCents, products.image_urls ->> 0 AS image,
      products.stock, ${AVAILABLE} AS available, ${HELD} AS held FROM products WHERE products.id = ${id}`,
    sql`SELECT ${COLUMNS} FROM stock_movements AS m LEFT JOIN documents AS d ON d.id = m.document_id
      WHERE m.product_id = ${productId} AND (NOT ${isOne} OR coalesce(m.unit_id, m.product_id) = ${id})
      AND m."row" < ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY m."row" DESC LIMIT ${limit}`,
    sql`SELECT h.id, l.quantity, h.until, h.created_by AS createdBy, h.chat_id AS chatId, h.customer_id AS customerId,
      coalesce(c.name, chats.user_name, '') AS name
      FROM hold_lines AS l INDEXED BY hold_lines_counted CROSS JOIN holds AS h ON h.id = l.hold_id
      LEFT JOIN customers AS c ON c.id = h.customer_id LEFT JOIN chats ON chats.id = h.chat_id
      WHERE l.product_id = ${productId} AND (NOT ${isOne} OR l.unit_id = ${id}) AND l.counted = 1 AND l.until > unixepoch()
      ORDER BY l.until LIMIT ${MAX_HOLDS + 1}`,
  ]);
  const [found] = [...units, ...products] as unknown as StockedProduct[];
  return {
    product: found && { ...found, choice: choiceText(JSON.parse(found.choice) as string[]) },
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
    sql`SELECT id, product_id AS productId, coalesce(unit_id, product_id) AS unitId, choice, quantity, reason, actor, document_id AS documentId, stock_after AS stockAfter,
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
