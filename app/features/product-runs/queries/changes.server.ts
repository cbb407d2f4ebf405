import { type Column, getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { productChanges, productKeys, products } from "~/db/schema";
import { PRODUCT } from "~/features/catalogue/product";
import { choicesOf, stocksOf } from "./choices.server";

const COLUMNS = getTableColumns(products);
export type ProductColumn = keyof typeof COLUMNS;

/** Columns that follow from a field, or stand beside it: they are kept, and go back, together with it. */
const BESIDE: Partial<Record<string, ProductColumn[]>> = {
  name: ["nameKey", "sortKey", "searchName"],
  description: ["searchText", "searchDescription"],
  colors: ["searchColors"],
  imageUrls: ["imageAlts"],
};

/** Fields whose changes are kept, those of the record, each with the columns beside it. */
export const KEPT_FIELDS = PRODUCT.columns.map(({ column, field }) => ({
  column: column as ProductColumn,
  field,
  beside: BESIDE[column] ?? [],
}));

/** Reads a value that a change keeps of a column. */
export const storedValue = (column: string, value: unknown): unknown =>
  COLUMNS[column as ProductColumn].mapFromDriverValue(value as never);

/** Columns of a whole product, by which it is created again. */
export const KEPT_COLUMNS: ProductColumn[] = [
  ...KEPT_FIELDS.flatMap(({ column, beside }) => [column, ...beside]),
  ...(["createdAt", "options", "baseCents"] as const),
];

/** Units of a stored product as JSON, by which they are created again. */
const UNITS = sql`(SELECT json_group_array(json_object('id', u.id, 'position', u.position, 'values', json(u.option_values),
    'sku', u.sku, 'barcode', u.barcode, 'priceCents', u.price_cents, 'image', u.image, 'stock', u.stock))
  FROM units AS u WHERE u.product_id = products.id)`;

/** Column of `products`, in statements that name the table. */
export const stored = (column: ProductColumn): SQL => sql`${COLUMNS[column] as Column}`;

/** Value of a field that is the product's own: of the price, without those of its units. */
export const ownValue = (column: ProductColumn): SQL =>
  column === "priceCents" ? sql`coalesce(products.base_cents, products.price_cents)` : stored(column);

/** Pairs in one object: D1's largest number of arguments of an SQL function is 32. */
const PAIRS = 15;

/** Builds a JSON object of many values, without those that are null. */
export function jsonObject(values: Record<string, SQL>): SQL {
  const pairs = Object.entries(values);
  let object = sql`'{}'`;
  for (let from = 0; from < pairs.length; from += PAIRS) {
    const group = pairs.slice(from, from + PAIRS).flatMap(([name, value]) => [sql.raw(`'${name}'`), value]);
    object = sql`json_patch(${object}, json_object(${sql.join(group, sql`, `)}))`;
  }
  return object;
}

/** Selects the keys by which other systems know a product, as a JSON object by system; null without any. */
export const keysOf = (productId: SQL): SQL => sql`(SELECT nullif(json_group_object(k.system, k.key), '{}')
  FROM ${productKeys} AS k WHERE k.product_id = ${productId})`;

/** Fields of a stored product: its kept columns, and its keys. */
const FIELDS = {
  ...Object.fromEntries(KEPT_COLUMNS.map((column) => [column, stored(column)])),
  keys: sql`json(${keysOf(sql`products.id`)})`,
};

/** Content of a stored product, with its units. */
export const CONTENT = jsonObject({ ...FIELDS, units: sql`json(${UNITS})` });

/** Values that a run writes by column: expressions, or values for all rows. */
type Written = Partial<Record<ProductColumn, unknown>>;

const expression = (column: ProductColumn, value: unknown): SQL =>
  is(value, SQL) ? value : sql`${sql.param(value, COLUMNS[column] as Column)}`;

/** Builds the JSON of the fields that differ, with the columns beside them. */
function differing(written: Written, read: (column: ProductColumn) => SQL): Record<string, SQL> {
  const fields = KEPT_FIELDS.flatMap(({ column, beside }) => {
    if (written[column] === undefined) return [];
    const differs = sql`${ownValue(column)} IS NOT ${expression(column, written[column])}`;
    const columns = [column, ...beside.filter((each) => written[each] !== undefined)];
    return columns.map((each) => [each, sql`CASE WHEN ${differs} THEN ${read(each)} END`] as const);
  });
  return Object.fromEntries(fields);
}

/** Rows of the statement that keeps changes: outcome, product, before and after. */
export interface KeptRows {
  select: SQL;
}

/**
 * Selects what a run is about to write to stored products; stands before the update. Products in which nothing differs are
 * left out.
 *
 * @param written columns that the update sets, a name with its keys and so on; other columns are ignored
 * @param rows `FROM … products … WHERE …` of the changed rows
 * @param beside what the run writes besides, as expressions of `rows`: a JSON object by system of the keys that the products get,
 *   null for none, whether it gives them other units, and whether other codes; then `keepChoices` follows the writes
 */
export function changedRows(
  written: Written,
  rows: SQL,
  beside: { keys?: SQL; hasOtherUnits?: SQL; hasOtherCodes?: SQL } = {},
): KeptRows {
  const { keys = sql`NULL`, hasOtherUnits = sql`false`, hasOtherCodes = sql`false` } = beside;
  const isOther = sql`(${hasOtherUnits} OR ${hasOtherCodes})`;
  const otherUnits = sql`iif(${isOther}, 1, NULL)`;
  const before = jsonObject({
    ...differing(written, ownValue),
    otherUnits,
    choices: sql`iif(${isOther}, ${choicesOf(sql`products.id`)}, NULL)`,
    stocks: sql`iif(${hasOtherUnits}, ${stocksOf(sql`products.id`)}, NULL)`,
  });
  const after = jsonObject({
    ...differing(written, (column) => expression(column, written[column])),
    keys: sql`json(${keys})`,
    otherUnits,
  });
  return {
    select: sql`SELECT iif(kept.before = '{}', 'unchanged', 'updated') AS outcome, kept.id, kept.before, kept.after
      FROM (SELECT products.id AS id, ${before} AS before, ${after} AS after ${rows}) AS kept WHERE kept.after <> '{}'`,
  };
}

/** Selects products that a run has created; stands after the insert. @param rows `FROM … products … WHERE …` */
export const createdRows = (rows: SQL, newKeys: SQL = sql`NULL`): KeptRows => ({
  select: sql`SELECT 'created' AS outcome, products.id AS id, NULL AS before, json_patch(${jsonObject(FIELDS)}, json_object('keys', json(${newKeys}))) AS after ${rows}`,
});

/** Selects products that a run is about to delete; stands before the deletion. @param rows `FROM … products … WHERE …` */
export const removedRows = (rows: SQL): KeptRows => ({
  select: sql`SELECT 'removed' AS outcome, products.id AS id, ${CONTENT} AS before, NULL AS after ${rows}`,
});

/**
 * Builds the statement that keeps which units a run leaves products with; stands after those that write them. What it has kept
 * of a product stays until it writes units of it again: somebody may have changed them meanwhile.
 *
 * @param ids `(SELECT …)` of the products
 */
export const keepChoices = (db: Db, run: string, ids: SQL) =>
  db
    .update(productChanges)
    .set({
      after: sql`json_patch(after, json_object('choices', ${choicesOf(sql`product_changes.product_id`)},
        'stocks', iif(before ->> 'stocks' IS NULL, NULL, ${stocksOf(sql`product_changes.product_id`)})))`,
    })
    .where(sql`run_id = ${run} AND product_id IN ${ids} AND after ->> 'otherUnits'
      AND after ->> 'choices' IS NULL AND before IS NOT NULL`);

/** Last movement of any stock: those that follow have a higher number. */
export const LAST_MOVEMENT = sql`coalesce((SELECT max("row") FROM stock_movements), 0)`;

/**
 * Builds the statement that keeps what a run changes of products, for the batch that changes them, so that the run can be
 * taken back for 30 days. A run that goes on after an interruption may change a product again: what was before it at first
 * stays.
 *
 * @param run id of the run, a row of `import_runs`
 */
export function keepChanges(db: Db, run: string, ...kept: KeptRows[]) {
  const rows = sql.join(
    kept.map(({ select }) => select),
    sql` UNION ALL `,
  );
  const first = sql`excluded.before IS NULL OR excluded.after IS NULL`;
  return db
    .insert(productChanges)
    .select(
      sql`SELECT NULL, ${run}, kept.id, kept.outcome, kept.before, kept.after, NULL, ${LAST_MOVEMENT}, unixepoch()
        FROM (${rows}) AS kept WHERE true`,
    )
    .onConflictDoUpdate({
      target: [productChanges.runId, productChanges.productId],
      set: {
        outcome: sql`iif(product_changes.outcome = 'unchanged', excluded.outcome, product_changes.outcome)`,
        before: sql`iif(${first}, product_changes.before, json_patch(excluded.before, product_changes.before))`,
        // Choices that it writes anew are kept anew.
        after: sql`iif(${first}, product_changes.after, json_patch(iif(excluded.after ->> 'otherUnits',
          json_remove(product_changes.after, '$.choices', '$.stocks'), product_changes.after), excluded.after))`,
      },
    });
}
