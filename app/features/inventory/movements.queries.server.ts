import { sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { IS_SCARCE } from "~/db/schema";
import { AVAILABLE, HELD, type StockReason, UNIT_AVAILABLE, UNIT_HELD } from "~/db/stock";
import { LOW_STOCK } from "~/domain/stock-levels";
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

/** Unit with few or no pieces, and the change that left them. */
export interface ScarceUnit {
  unitId: string;
  productId: string;
  name: string;
  values: string[];
  stock: number;
  /** Change that left them: pieces, negative when they left, and epoch seconds. Null for one that never had any. */
  change: { quantity: number; reason: StockReason["reason"]; at: number } | null;
}

/** Latest changes that left few pieces, among which units are found: some have more by now, and some changed twice. */
const MAX_SCARCE_CHANGES = 8;

/** Places that units without a piece have before those with few. */
const OUT_PLACES = 2;

/** Latest changes of a product, among which that of its unit is found. */
const MAX_PRODUCT_CHANGES = 5;

const CHANGE = sql.raw(
  "json_object('quantity', latest.quantity, 'reason', latest.reason, 'at', latest.created_at)",
);

/**
 * Finds units without a piece, then those with few: each those that ran out or low last, what never had a piece, and what is low
 * since its number was changed.
 */
export async function findScarceUnits(db: Db, limit: number): Promise<ScarceUnit[]> {
  const columns = (of: "u" | "page") =>
    sql.raw(
      `${of}.id AS unitId, ${of}.product_id AS productId, p.name, ${of}.option_values AS "values", ${of}.stock`,
    );
  const [changed, never, few] = await Promise.all([
    db.all<StoredScarceUnit>(sql`
      SELECT ${columns("u")}, ${CHANGE} AS change
      FROM (SELECT "row", coalesce(unit_id, product_id) AS unit, quantity, reason, stock_after, created_at
          FROM stock_movements INDEXED BY stock_movements_low WHERE stock_after <= ${sql.raw(String(LOW_STOCK))}
          ORDER BY "row" DESC LIMIT ${MAX_SCARCE_CHANGES}) AS latest
        CROSS JOIN units AS u ON u.id = latest.unit AND u.stock = latest.stock_after AND u.stock <= u.low_at
        CROSS JOIN products AS p ON p.id = u.product_id
      ORDER BY latest."row" DESC`),
    db.all<StoredScarceUnit>(sql`
      SELECT ${columns("page")}, NULL AS change FROM (
        SELECT id, product_id, option_values, stock FROM units INDEXED BY units_out WHERE stock = 0 LIMIT ${limit}) AS page
        CROSS JOIN products AS p ON p.id = page.product_id`),
    db.all<StoredScarceUnit>(sql`
      SELECT ${columns("page")}, (SELECT ${CHANGE} FROM (SELECT quantity, reason, created_at, coalesce(unit_id, product_id) AS unit
          FROM stock_movements WHERE product_id = page.product_id ORDER BY "row" DESC LIMIT ${MAX_PRODUCT_CHANGES}) AS latest
        WHERE latest.unit = page.id LIMIT 1) AS change
      FROM (SELECT id, product_id, option_values, stock FROM units INDEXED BY units_scarce_latest
        WHERE ${IS_SCARCE} ORDER BY updated_at DESC LIMIT ${limit}) AS page
        CROSS JOIN products AS p ON p.id = page.product_id`),
  ]);
  const seen = new Set<string>();
  const isFirst = ({ unitId }: StoredScarceUnit) => !seen.has(unitId) && seen.add(unitId);
  const known = [...changed, ...never, ...few].filter(isFirst).map(scarceUnit);
  const [out, low] = [known.filter(({ stock }) => stock === 0), known.filter(({ stock }) => stock > 0)];
  const listed = out.slice(0, Math.max(OUT_PLACES, limit - low.length));
  return [...listed, ...low].slice(0, limit);
}

type StoredScarceUnit = Omit<ScarceUnit, "values" | "change"> & { values: string; change: string | null };

const scarceUnit = ({ values, change, ...unit }: StoredScarceUnit): ScarceUnit => ({
  ...unit,
  values: JSON.parse(values),
  change: change === null ? null : JSON.parse(change),
});
