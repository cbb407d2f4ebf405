import { type SQL, sql } from "drizzle-orm";
import { UNIT_HELD } from "~/db/stock";
import { MAX_STOCK } from "~/domain/stock-levels";
import { writeUnits } from "~/features/catalogue/units.queries.server";

/** Options of a product with its units, without their stock, as text: an undo puts them back as a whole. */
export const choicesOf = (
  productId: SQL,
): SQL => sql`(SELECT json_object('options', json(p.options), 'units', json((
    SELECT json_group_array(json_object('id', n.id, 'values', json(n.option_values), 'sku', n.sku, 'barcode', n.barcode,
      'priceCents', n.price_cents, 'image', n.image))
    FROM (SELECT * FROM units WHERE product_id = p.id ORDER BY position, id) AS n))) || ''
  FROM products AS p WHERE p.id = ${productId})`;

/** Stocks of a product's units by id, as text. */
export const stocksOf = (productId: SQL): SQL =>
  sql`(SELECT json_group_object(n.id, n.stock) || '' FROM units AS n WHERE n.product_id = ${productId})`;

/** Stock of a unit that the change `c` keeps; null where it had no such unit. */
const stockIn = (part: "before" | "after", id: SQL) =>
  sql`json_extract(${sql.raw(`c.${part} ->> 'stocks'`)}, '$."' || ${id} || '"')`;

const UNIT = sql.raw("units.id");
const WAS = stockIn("before", UNIT);
const ADDED = sql`(coalesce(${stockIn("after", UNIT)}, 0) - coalesce(${WAS}, 0))`;
const MOVED = sql`coalesce((SELECT sum(m.quantity) FROM stock_movements AS m WHERE m.product_id = units.product_id
  AND coalesce(m.unit_id, m.product_id) = units.id AND m."row" > c.movement AND m.reason NOT IN ('sale', 'return')), 0)`;
const IS_USED = sql`(${UNIT_HELD} > 0 OR EXISTS (SELECT 1 FROM document_lines AS sold
  WHERE sold.product_id = units.product_id AND coalesce(sold.unit_id, sold.product_id) = units.id))`;

/** Condition that what the run has done to a unit's stock can be taken back, by the rules of a product's stock. */
const CAN_RETURN = sql`(${ADDED} = 0 AND ${WAS} IS NOT NULL OR ${MOVED} = ${ADDED}
  AND (${ADDED} <= 0 OR units.stock - ${ADDED} >= ${UNIT_HELD}) AND units.stock - ${ADDED} <= ${sql.raw(String(MAX_STOCK))}
  AND (${WAS} IS NOT NULL OR NOT ${IS_USED}))`;

const NOW = choicesOf(sql.raw("c.product_id"));
const STOCKS_NOW = stocksOf(sql.raw("c.product_id"));

/**
 * Changes, with whether the choices and codes of their products go back, which they do if nobody has changed them since, and
 * whether they are back already.
 */
export const CHANGES = sql`(SELECT c.*,
    (c.after ->> 'choices' = ${NOW} AND (c.before ->> 'stocks' IS NULL
      OR NOT EXISTS (SELECT 1 FROM units WHERE units.product_id = c.product_id AND NOT ${CAN_RETURN}))) IS TRUE AS choices_return,
    (c.before ->> 'choices' = ${NOW} AND (c.before ->> 'stocks' IS NULL OR c.before ->> 'stocks' = ${STOCKS_NOW})) IS TRUE AS choices_same
  FROM product_changes AS c) AS c`;

/** Content of the choices that go back: as they are, and as the undo leaves them. Pieces that were sold since stay sold. */
export const CHOICES_RETURNING = {
  choices: NOW,
  stocks: sql`iif(c.before ->> 'stocks' IS NULL, NULL, ${STOCKS_NOW})`,
};
const OF_EACH = sql.raw("(each.value ->> 'id')");
export const CHOICES_RETURNED = {
  choices: sql`c.before ->> 'choices'`,
  stocks: sql`iif(c.before ->> 'stocks' IS NULL, NULL, (SELECT json_group_object(${OF_EACH}, ${stockIn("before", OF_EACH)} + coalesce(
      (SELECT stock FROM units WHERE id = ${OF_EACH}) - ${stockIn("after", OF_EACH)}, 0)) || ''
    FROM json_each(c.before ->> 'choices', '$.units') AS each))`,
};

/** Units that the undo `u` changes of its product as the audit log has them; null for none. */
export const CHANGED_UNITS =
  sql.raw(`(SELECT nullif(json_group_object(coalesce(o.id, n.id), json_array(json(o.unit), json(n.unit))), '{}')
  FROM (SELECT known.id, json_object('values', json(known.option_values), 'sku', known.sku, 'barcode', known.barcode,
      'priceCents', known.price_cents, 'image', known.image, 'stock', iif(u.after ->> 'stocks' IS NULL, NULL, known.stock)) AS unit
    FROM units AS known WHERE known.product_id = products.id) AS o
  FULL JOIN (SELECT given.value ->> 'id' AS id, json_object('values', json(given.value -> 'values'), 'sku', given.value ->> 'sku',
      'barcode', given.value ->> 'barcode', 'priceCents', given.value ->> 'priceCents', 'image', given.value ->> 'image',
      'stock', json_extract(u.after ->> 'stocks', '$."' || (given.value ->> 'id') || '"')) AS unit
    FROM json_each(u.after ->> 'choices', '$.units') AS given) AS n ON n.id = o.id
  WHERE o.unit IS NOT n.unit)`);

/**
 * Builds the statements that put the choices of products back, after the one that writes their other fields.
 *
 * @param u changes of the undo
 * @param isChanged condition that `u` changes its product, of a statement with both
 * @param now epoch seconds
 */
export function returnChoices(u: SQL, isChanged: SQL, change: SQL, now: number): SQL[] {
  const given = sql.raw("json_each(u.after ->> 'choices', '$.units') AS v");
  const rows = sql`(SELECT u.product_id AS product_id, v.key AS position, v.value ->> 'id' AS id, v.value -> 'values' AS option_values,
      v.value ->> 'sku' AS sku, v.value ->> 'barcode' AS barcode, v.value ->> 'priceCents' AS price_cents, v.value ->> 'image' AS image,
      json_extract(u.after ->> 'stocks', '$."' || (v.value ->> 'id') || '"') AS stock,
      NOT EXISTS (SELECT 1 FROM units AS known WHERE known.id = v.value ->> 'id') AS is_new
    FROM ${u} CROSS JOIN products CROSS JOIN ${given} WHERE ${isChanged}) AS v`;
  const removed = sql`(SELECT known.id FROM ${u} CROSS JOIN products CROSS JOIN units AS known ON known.product_id = products.id
    WHERE ${isChanged} AND u.after ->> 'choices' IS NOT NULL AND known.id NOT IN (SELECT v.value ->> 'id' FROM ${given}))`;
  const own = sql`coalesce(u.after ->> 'priceCents', products.base_cents, products.price_cents)`;
  const haveOwn = sql`EXISTS (SELECT 1 FROM units WHERE units.product_id = products.id AND units.price_cents IS NOT NULL)`;
  return [
    ...writeUnits(rows, removed, { change, opening: change, now }),
    sql`UPDATE products SET base_cents = iif(${haveOwn}, ${own}, NULL), price_cents = iif(${haveOwn}, products.price_cents, ${own})
      FROM ${u} WHERE ${isChanged} AND (u.after ->> 'choices' IS NOT NULL
        OR u.after ->> 'priceCents' IS NOT NULL AND products.base_cents IS NOT NULL)`,
  ];
}
