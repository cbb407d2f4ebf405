import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { ProductOption } from "~/db/schema";
import { stockChange } from "~/db/stock";
import { differingUnits } from "~/domain/unit-changes";
import { barcodesOf } from "./codes";
import { MAX_CODE, type ProductUnit } from "./units";

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
  before: Omit<ProductUnit, "held" | "available">[];
}

/** Plan of a product's units, as it is written. */
export interface UnitWrite {
  productId: string;
  /** Price of the product, in cents. */
  priceCents: number;
  plan: UnitPlan;
  /** Units whose stock is written; undefined for all. */
  counted?: Set<string> | undefined;
}

/** Lists the units that a write changes, for the audit log. */
export const unitDifferences = ({ plan, counted }: Pick<UnitWrite, "plan" | "counted">) =>
  differingUnits(
    plan.before,
    plan.units.map((unit) => (counted && !counted.has(unit.id) ? { ...unit, stock: undefined } : unit)),
  );

/** Options as the audit log has them: `Size: 5, 6`. @param options JSON */
const optionTexts = (options: SQLWrapper): SQL =>
  sql`(SELECT json_group_array((o.value ->> 'name') || ': ' || (SELECT group_concat(v.value, ', ') FROM json_each(o.value, '$.values') AS v))
    FROM json_each(${options}) AS o)`;

/**
 * Builds what the audit log has of a product's options and units that change.
 *
 * @param after JSON of its options
 * @param units JSON object by id; null where none differs
 */
export function choicesDifference(after: SQLWrapper, units: SQLWrapper): Record<"options" | "units", SQL> {
  const [was, is] = [optionTexts(sql`products.options`), optionTexts(after)];
  const isOther = sql`${was} <> ${is}`;
  return {
    options: sql`iif(${isOther}, json_array(json(${was}), json(${is})), NULL)`,
    // The fact that choices changed stands in it, also where their names alone did.
    units: sql`json(coalesce(${units}, iif(${isOther}, '{}', NULL)))`,
  };
}

interface UnitWriter {
  /** Name of the person, for the stock movements. */
  actor: string;
  /** Reason of the stock movements; the first of a new product is its opening by default. */
  reason?: "import" | undefined;
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

/** Builds the statements that give products their units, after those that write their options. */
export function unitStatements(writes: UnitWrite[], { actor, reason, now }: UnitWriter): SQL[] {
  const planned = writes.map(({ productId, plan, counted }) => ({
    ...{ productId, isFirst: plan.before.length === 0 },
    units: plan.units.map((unit) => (counted && !counted.has(unit.id) ? { ...unit, stock: null } : unit)),
  }));
  const removed = writes.flatMap(({ plan }) => plan.removed);
  const rows = sql`(SELECT p.value ->> 'productId' AS product_id, p.value ->> 'isFirst' AS is_first, v.key AS position,
      v.value ->> 'id' AS id, v.value -> 'values' AS option_values, v.value ->> 'sku' AS sku, v.value ->> 'barcode' AS barcode,
      v.value ->> 'priceCents' AS price_cents, v.value ->> 'image' AS image, v.value ->> 'stock' AS stock,
      v.value ->> 'isNew' AS is_new
    FROM json_each(${JSON.stringify(planned)}) AS p CROSS JOIN json_each(p.value, '$.units') AS v) AS v`;
  const stocked = (by: "opening" | "adjustment") => stockChange({ reason: reason ?? by, actor });
  const change = stocked("adjustment");
  const opening = sql`iif(v.is_first, ${stocked("opening")}, ${change})`;
  const statements = writeUnits(rows, removed.length > 0 ? list(removed) : null, { change, opening, now });
  return [...statements, priceStatement(writes)];
}

/** Values of the stock movements of units. */
interface UnitChange {
  /** `stock_change` of stored units, and of new ones. */
  change: SQL;
  opening: SQL;
  /** Epoch seconds. */
  now: number;
}

/**
 * Builds the statements that write units.
 *
 * @param rows table `v` of the units as they will be, by the columns of `units`, without a stock where it stays, and with `is_new`
 * @param removed ids of the units that go; null for none
 */
export function writeUnits(rows: SQL, removed: SQL | null, { change, opening, now }: UnitChange): SQL[] {
  const isKept = sql`NOT v.is_new AND units.id = v.id AND units.product_id = v.product_id`;
  const clearing = removed && [
    sql`UPDATE units SET stock = 0, stock_change = ${change}, updated_at = ${now} WHERE id IN ${removed} AND stock <> 0`,
    sql`DELETE FROM units WHERE id IN ${removed}`,
  ];
  return [
    ...(clearing ?? []),
    sql`UPDATE units SET position = v.position, option_values = v.option_values, sku = v.sku, barcode = v.barcode,
        price_cents = v.price_cents, image = v.image, updated_at = ${now} FROM ${rows} WHERE ${isKept}`,
    sql`UPDATE units SET stock = v.stock, stock_change = ${change}, updated_at = ${now}
      FROM ${rows} WHERE ${isKept} AND units.stock <> v.stock`,
    sql`INSERT INTO units (id, product_id, position, option_values, sku, barcode, price_cents, image, stock, stock_change, updated_at)
      SELECT v.id, v.product_id, v.position, v.option_values, v.sku, v.barcode, v.price_cents, v.image, v.stock, ${opening}, ${now}
      FROM ${rows} WHERE v.is_new`,
  ];
}

/** Builds the statement that gives products their own price, beside those of their units. */
function priceStatement(writes: UnitWrite[]): SQL {
  const prices = writes.map(({ productId, priceCents, plan }) => ({
    productId,
    priceCents,
    baseCents: plan.units.some((unit) => unit.priceCents !== null) ? priceCents : null,
  }));
  return sql`UPDATE products SET base_cents = v.value ->> 'baseCents',
      price_cents = iif(v.value ->> 'baseCents' IS NULL, v.value ->> 'priceCents', price_cents)
    FROM json_each(${JSON.stringify(prices)}) AS v WHERE products.id = v.value ->> 'productId'`;
}

/** Statement that aborts its batch when a product of several is gone, or has other units than those of its plan, or a removed one is on hold. */
export function refuseOtherUnitsOfMany(writes: Pick<UnitWrite, "productId" | "plan">[]): SQL {
  const plans = writes.map(({ productId, plan }) => ({
    productId,
    known: JSON.stringify(plan.before.map(({ id }) => id).sort()),
  }));
  const removed = writes.flatMap(({ plan }) => plan.removed);
  return sql`SELECT json(iif(NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(plans)}) AS v
      WHERE NOT EXISTS (SELECT 1 FROM products WHERE id = v.value ->> 'productId')
        OR v.value ->> 'known' <> (SELECT json_group_array(id)
          FROM (SELECT id FROM units WHERE product_id = v.value ->> 'productId' ORDER BY id)))
    AND NOT EXISTS (SELECT 1 FROM hold_lines WHERE counted = 1 AND until > unixepoch() AND unit_id IN ${list(removed)}),
    '1', 'other units'))`;
}

/** Hold of a unit, with its owner. */
export interface HoldOfUnit {
  productId: string;
  unitId: string;
  quantity: number;
  /** Epoch seconds. */
  until: number;
  /** Customer or visitor; "" for somebody without a name. */
  name: string;
}

/** Holds that are read at once. */
const MAX_HOLDS = 2000;

/** Finds the active holds of units, or of products, the earliest end first. */
export function findHoldsOf(db: Db, of: "unit" | "product", ids: string[]): Promise<HoldOfUnit[]> {
  return db.all(sql`SELECT l.product_id AS productId, l.unit_id AS unitId, l.quantity, l.until,
      coalesce((SELECT name FROM customers WHERE id = h.customer_id), (SELECT user_name FROM chats WHERE id = h.chat_id), '') AS name
    FROM hold_lines AS l JOIN holds AS h ON h.id = l.hold_id
    WHERE l.counted = 1 AND l.until > unixepoch() AND ${of === "unit" ? sql`l.unit_id` : sql`l.product_id`} IN ${list(ids)}
    ORDER BY l.until LIMIT ${MAX_HOLDS}`);
}

/** Statement that aborts its batch when pieces of a product are on hold. */
export const refuseHeldProduct = (productId: string): SQL =>
  sql`SELECT json(iif(EXISTS (SELECT 1 FROM hold_lines
    WHERE counted = 1 AND until > unixepoch() AND product_id = ${productId}), 'on hold', '1'))`;

/** Products that a search for a code finds. */
const MAX_CODE_PRODUCTS = 8;
/** Text that may be the beginning of a code: one word with a digit. */
const CODE_PART = /^(?=.*\d)\S{3,}$/;
export const isCodePart = (text: string): boolean => CODE_PART.test(text.trim());

/** Conditions that the SKU of a unit, in any case of A to Z, and its barcode begin with a text: ranges of their indexes. */
export function codesBeginningWith(text: string): Record<"sku" | "barcode", SQL> {
  const end = `${text}\u{10ffff}`;
  return {
    sku: sql`lower(sku) >= lower(${text}) AND lower(sku) < lower(${end})`,
    barcode: sql`barcode >= ${text} AND barcode < ${end}`,
  };
}

/** Selects the products of units that have an SKU or a barcode. */
const productsWith = (
  sku: SQL,
  barcode: SQL,
) => sql`SELECT DISTINCT products."row" AS "row", products.is_hidden AS isHidden FROM (
      SELECT product_id FROM units WHERE sku <> '' AND ${sku}
      UNION ALL SELECT product_id FROM units WHERE barcode <> '' AND ${barcode} LIMIT ${MAX_CODE_PRODUCTS}) AS hit
    CROSS JOIN products ON products.id = hit.product_id`;

interface CodeHit {
  row: number;
  isHidden: number;
}

/** Finds the products whose units have exactly this SKU, in any case of A to Z, or this barcode; a UPC-A also as EAN-13. */
export async function findByExactCode(db: Db, text: string): Promise<CodeHit[]> {
  const code = text.trim();
  if (code === "" || code.length > MAX_CODE) return [];
  const [first, second = first] = barcodesOf(code);
  return db.all<CodeHit>(
    productsWith(sql`lower(sku) = lower(${code})`, sql`barcode IN (${first}, ${second})`),
  );
}

/**
 * Builds the table `found` of the products whose units have a SKU or a barcode, in any case of A to Z: exactly, else one that
 * begins with the text.
 *
 * @returns null where none has
 */
export async function findByCode(db: Db, text: string): Promise<SQL | null> {
  const exact = await findByExactCode(db, text);
  if (exact.length > 0 || !isCodePart(text)) return foundRows(exact);
  const { sku, barcode } = codesBeginningWith(text.trim());
  return foundRows(await db.all<CodeHit>(productsWith(sku, barcode)));
}

/** Builds the table `found` of a product that has this name; null where it has another. */
export async function findByOwnName(db: Db, id: string, name: string): Promise<SQL | null> {
  return foundRows(
    await db.all<Pick<CodeHit, "row">>(
      sql`SELECT products."row" AS "row" FROM products WHERE id = ${id} AND name = ${name}`,
    ),
  );
}

const foundRows = (rows: Pick<CodeHit, "row">[]): SQL | null =>
  rows.length === 0
    ? null
    : sql`(SELECT value AS "row" FROM json_each(${JSON.stringify(rows.map(({ row }) => row))})) AS found`;
