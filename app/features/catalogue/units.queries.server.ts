import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { ProductOption } from "~/db/schema";
import { stockChange } from "~/db/stock";
import type { ProductUnit } from "./units";

/** Unit as a write leaves it. */
export interface PlannedUnit extends Omit<ProductUnit, "held" | "available"> {
  isNew: boolean;
}

/** Options and units that a write leaves a product with. */
export interface UnitPlan {
  options: ProductOption[];
  units: PlannedUnit[];
  /** Units that are deleted. */
  removed: string[];
  /** Units that the plan was made from. */
  before: Pick<ProductUnit, "id" | "stock">[];
}

interface UnitWrite {
  productId: string;
  /** Price of the product, in cents. */
  priceCents: number;
  /** Name of the person, for the stock movements. */
  actor: string;
  /** Epoch seconds. */
  now: number;
}

const list = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Statement that aborts its batch when a product has other units than a plan was made from, or a removed one is on hold. */
export const refuseOtherUnits = (productId: string, { before, removed }: UnitPlan): SQL => {
  const known = before.map(({ id, stock }) => [id, stock]).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return sql`SELECT json(iif((SELECT json_group_array(json_array(id, stock))
      FROM (SELECT id, stock FROM units WHERE product_id = ${productId} ORDER BY id)) = ${JSON.stringify(known)}
    AND NOT EXISTS (SELECT 1 FROM hold_lines WHERE counted = 1 AND until > unixepoch() AND unit_id IN ${list(removed)}),
    '1', 'other units'))`;
};

/** Builds the statements that give a product its units, after those that write its options. */
export function unitStatements(plan: UnitPlan, { productId, priceCents, actor, now }: UnitWrite): SQL[] {
  const { units, removed } = plan;
  const stocked = (reason: "opening" | "adjustment") => stockChange({ reason, actor });
  const rows = (those: PlannedUnit[]) =>
    JSON.stringify(those.map((unit) => ({ ...unit, position: units.indexOf(unit) })));
  const [added, kept] = [units.filter(({ isNew }) => isNew), units.filter(({ isNew }) => !isNew)];
  const basePrice = units.some((unit) => unit.priceCents !== null) ? priceCents : null;
  return [
    sql`UPDATE units SET stock = 0, stock_change = ${stocked("adjustment")}, updated_at = ${now}
      WHERE id IN ${list(removed)} AND stock <> 0`,
    sql`DELETE FROM units WHERE id IN ${list(removed)}`,
    sql`UPDATE units SET position = v.value ->> 'position', option_values = v.value -> 'values', sku = v.value ->> 'sku',
        barcode = v.value ->> 'barcode', price_cents = v.value ->> 'priceCents', image = v.value ->> 'image', updated_at = ${now}
      FROM json_each(${rows(kept)}) AS v WHERE units.id = v.value ->> 'id' AND units.product_id = ${productId}`,
    sql`UPDATE units SET stock = v.value ->> 'stock', stock_change = ${stocked("adjustment")}, updated_at = ${now}
      FROM json_each(${rows(kept)}) AS v
      WHERE units.id = v.value ->> 'id' AND units.product_id = ${productId} AND units.stock <> v.value ->> 'stock'`,
    sql`INSERT INTO units (id, product_id, position, option_values, sku, barcode, price_cents, image, stock, stock_change, updated_at)
      SELECT value ->> 'id', ${productId}, value ->> 'position', value -> 'values', value ->> 'sku', value ->> 'barcode',
        value ->> 'priceCents', value ->> 'image', value ->> 'stock', ${stocked(plan.before.length === 0 ? "opening" : "adjustment")}, ${now}
      FROM json_each(${rows(added)})`,
    sql`UPDATE products SET base_cents = ${basePrice}, price_cents = iif(${basePrice} IS NULL, ${priceCents}, price_cents)
      WHERE id = ${productId}`,
  ];
}

/** Hold of a unit, with its owner. */
export interface HoldOfUnit {
  unitId: string;
  quantity: number;
  /** Epoch seconds. */
  until: number;
  /** Customer or visitor; "" for somebody without a name. */
  name: string;
}

/** Finds the active holds of units, the earliest end first. */
export function findHoldsOfUnits(db: Db, unitIds: string[]): Promise<HoldOfUnit[]> {
  return db.all(sql`SELECT l.unit_id AS unitId, l.quantity, l.until,
      coalesce((SELECT name FROM customers WHERE id = h.customer_id), (SELECT user_name FROM chats WHERE id = h.chat_id), '') AS name
    FROM hold_lines AS l JOIN holds AS h ON h.id = l.hold_id
    WHERE l.counted = 1 AND l.until > unixepoch() AND l.unit_id IN ${list(unitIds)} ORDER BY l.until LIMIT 5`);
}

/** Products that a search for a code finds. */
const MAX_CODE_PRODUCTS = 8;
/** Text that may be the beginning of a code: one word with a digit. */
const CODE_PART = /^(?=.*\d)\S{3,}$/;

/**
 * Builds the table `found` of the products whose units have a SKU or a barcode, in any case of A to Z: exactly, else one that
 * begins with the text.
 *
 * @returns null where none has
 */
export async function findByCode(db: Db, text: string): Promise<SQL | null> {
  const code = text.trim();
  const end = `${code}\u{10ffff}`;
  const isPart = CODE_PART.test(code);
  const select = (sku: SQL, barcode: SQL) => sql`SELECT DISTINCT products."row" AS "row" FROM (
      SELECT product_id FROM units WHERE sku <> '' AND ${sku}
      UNION ALL SELECT product_id FROM units WHERE barcode <> '' AND ${barcode} LIMIT ${MAX_CODE_PRODUCTS}) AS hits
    CROSS JOIN products ON products.id = hits.product_id`;
  const exact = await db.all<{ row: number }>(
    select(sql`lower(sku) = lower(${code})`, sql`barcode = ${code}`),
  );
  const begins = sql`lower(sku) >= lower(${code}) AND lower(sku) < lower(${end})`;
  const rows =
    exact.length > 0 || !isPart
      ? exact
      : await db.all<{ row: number }>(select(begins, sql`barcode >= ${code} AND barcode < ${end}`));
  if (rows.length === 0) return null;
  return sql`(SELECT value AS "row" FROM json_each(${JSON.stringify(rows.map(({ row }) => row))})) AS found`;
}
