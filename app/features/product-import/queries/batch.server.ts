import { and, getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Author, added, contents, difference, differences, recorded } from "~/db/audit";
import { type Db, runNamedBatch } from "~/db/client.server";
import { changedForm } from "~/db/columns";
import { type ProductOption, productKeys, products } from "~/db/schema";
import { stockChange } from "~/db/stock";
import { PRODUCT_SHEET } from "~/features/catalogue/product";
import {
  choicesDifference,
  refuseOtherUnitsOfMany,
  type UnitWrite,
  unitDifferences,
  unitStatements,
} from "~/features/catalogue/units.queries.server";
import {
  changedRows,
  createdRows,
  keepChanges,
  keepChoices,
} from "~/features/product-runs/queries/changes.server";
import { type RunCounts, saveProgress } from "~/features/product-runs/queries/runs.server";
import type { RowValues } from "../read-rows.server";
import { BATCH_BYTES } from "../sheet";
import { SHEET_COLUMNS, type SheetColumn } from "./products.server";

/** Values of one product in a batch; null keeps the stored value. */
export type StoredEntry = Omit<RowValues, "units" | "name"> & {
  name: string | null;
  /** Options, where its units change. */
  options: ProductOption[] | null;
  nth: number;
  /** Key of the product in another system; both null where the name identifies it. */
  system: string | null;
  sourceKey: string | null;
  /** Id of the stored product that the key identifies; null for a new one. */
  target: string | null;
  sortKey: string;
  searchName: string | null;
  searchColors: string | null;
  /** Id and position in the default sort, for a new product. */
  id: string;
  shuffle: number;
};

/** Outcome of a batch. */
export interface BatchResult {
  /** New ids of the products that were created. */
  created: Set<string>;
  /** Ids of the products that were changed, and their name key and index among products of that name: `key#nth`. */
  updated: Set<string>;
  /** New ids of products without a price, which are not stored. */
  unpriced: Set<string>;
  /** Ids of rows whose stock is not stored, because the product's is counted for each choice. */
  divided: Set<string>;
}

const NAMES = Object.keys(SHEET_COLUMNS) as SheetColumn[];

/** Computes an expression for each column of a spreadsheet. */
const byColumn = (expression: (column: (typeof SHEET_COLUMNS)[SheetColumn], name: SheetColumn) => SQL) =>
  Object.fromEntries(NAMES.map((name) => [name, expression(SHEET_COLUMNS[name], name)])) as Record<
    SheetColumn,
    SQL
  >;

/** Value of a column in a batch. */
const given = ({ name }: { name: string }) => sql.raw(`v.${name}`);

const VALUES = sql.raw(NAMES.map((name) => `value ->> '${name}' AS ${SHEET_COLUMNS[name].name}`).join(", "));
const BATCH = (batch: StoredEntry[]) => sql`(SELECT
    value ->> 'key' AS key, value ->> 'nth' AS nth, value ->> 'id' AS id, value ->> 'system' AS system,
    value ->> 'sourceKey' AS source_key, value ->> 'target' AS target, value ->> 'shuffle' AS shuffle,
    value ->> 'sortKey' AS sort_key, value ->> 'newCategory' AS new_category, value ->> 'searchText' AS search_text,
    value ->> 'searchName' AS search_name, value ->> 'searchDescription' AS search_description,
    value ->> 'searchColors' AS search_colors, value ->> 'options' AS options, value ->> 'sku' AS sku,
    value ->> 'barcode' AS barcode, ${VALUES}
  FROM json_each(${JSON.stringify(batch)})) AS v`;

/** Id of the product that has an entry's key. */
const BY_KEY = sql`(SELECT k.product_id FROM product_keys AS k WHERE k.system = v.system AND k.key = v.source_key)`;

const NOT_STORED = sql`CASE WHEN v.source_key IS NULL
  THEN NOT EXISTS (SELECT 1 FROM products AS p WHERE p.name_key = v.key)
  ELSE v.target IS NULL AND ${BY_KEY} IS NULL END`;

/** New products of a batch. */
const newRows = (v: SQL) => sql`FROM ${v} WHERE v.nth = 0 AND v.price_cents IS NOT NULL AND ${NOT_STORED}`;

/** Values of a new product where a file has none. */
export const NEW_VALUES = {
  ...Object.fromEntries(NAMES.map((name) => [name, SHEET_COLUMNS[name].default ?? null])),
  category: "OTHERS",
} as RowValues;

/** Values of a new product by column. */
const NEW = byColumn((column, name) => {
  if (NEW_VALUES[name] === null) return given(column);
  const guess = name === "category" ? sql`v.new_category, ` : sql``;
  return sql`coalesce(${given(column)}, ${guess}${sql.param(NEW_VALUES[name], column)})`;
});

/** Selects the new products, with all columns in the table's order. */
function newProducts(v: SQL, now: number, change: SQL): SQL {
  const values: Partial<Record<keyof typeof products.$inferSelect, SQL>> = {
    ...NEW,
    row: sql`NULL`,
    id: sql`v.id`,
    nameKey: sql`v.key`,
    sortKey: sql`v.sort_key`,
    searchText: sql`coalesce(v.search_text, '')`,
    searchName: sql`v.search_name`,
    searchDescription: sql`v.search_description`,
    searchColors: sql`v.search_colors`,
    shuffle: sql`v.shuffle`,
    options: sql`coalesce(v.options, '[]')`,
    stockChange: change,
    createdAt: sql`${now}`,
    updatedAt: sql`${now}`,
  };
  const columns = Object.entries(getTableColumns(products));
  return sql`SELECT ${sql.join(
    columns.map(
      ([name, column]) =>
        values[name as keyof typeof values] ?? sql`${sql.param(column.default ?? null, column)}`,
    ),
    sql`, `,
  )} ${newRows(v)}`;
}

/** Moves alternative texts along with their images. */
const MOVED_ALTS = sql`CASE WHEN v.image_urls IS NULL OR v.image_urls = products.image_urls THEN products.image_alts
  WHEN products.image_alts = '[]' THEN '[]' ELSE (
    SELECT json_group_array(coalesce((
      SELECT products.image_alts ->> old.key FROM json_each(products.image_urls) AS old WHERE old.value = fresh.value
    ), products.name)) FROM json_each(v.image_urls) AS fresh) END`;

/** Values of a batch by column; the name of a product that is found by it stays. */
const INCOMING = {
  ...byColumn(given),
  name: sql`CASE WHEN v.source_key IS NULL THEN NULL ELSE v.name END`,
};

/** Products whose units have a column's values, which a row of a product leaves; the price follows from theirs. */
const KEPT: Record<string, string> = {
  stock: "products.options <> '[]' OR v.options IS NOT NULL",
  colors: "products.options <> '[]' AND v.options IS NULL",
  priceCents: "products.base_cents IS NOT NULL",
};

/** Each column with its stored value, and the one that it gets: null in the batch leaves what is stored. */
const MERGED = Object.entries(INCOMING).map(([column, value]) => {
  const stored = sql.raw(`products.${products[column as keyof typeof INCOMING].name}`);
  const kept = KEPT[column];
  const merged = sql`coalesce(${value}, ${stored})`;
  return { column, stored, merged: kept ? sql`iif(${sql.raw(kept)}, ${stored}, ${merged})` : merged };
});

/** Own price that a product gets, beside those of its units. */
const OWN_PRICE = sql`coalesce(v.price_cents, products.base_cents, products.price_cents)`;

/** Condition that the name of a product stays: the product is found by it, or is named by its key alone. */
const NAME_STAYS = sql`(v.source_key IS NULL OR v.name IS NULL)`;

const CHANGED = (now: number, change: SQL) => ({
  ...Object.fromEntries(MERGED.map(({ column, merged }) => [column, merged])),
  baseCents: sql`iif(products.base_cents IS NULL, NULL, ${OWN_PRICE})`,
  nameKey: sql`iif(${NAME_STAYS}, products.name_key, v.key)`,
  sortKey: sql`iif(${NAME_STAYS}, products.sort_key, v.sort_key)`,
  searchText: sql`coalesce(v.search_text, products.search_text)`,
  searchName: sql`iif(${NAME_STAYS}, products.search_name, ${changedForm(products.searchName, sql`v.search_name`)})`,
  searchDescription: sql`iif(v.search_text IS NULL, products.search_description, ${changedForm(products.searchDescription, sql`v.search_description`)})`,
  searchColors: sql`iif(v.colors IS NULL, products.search_colors, ${changedForm(products.searchColors, sql`v.search_colors`)})`,
  imageAlts: MOVED_ALTS,
  options: sql`coalesce(v.options, products.options)`,
  stockChange: change,
  updatedAt: now,
});

/** Matches an entry with the product of its key, or without one with the nth product of its name. */
const MATCHES = sql`products.row = CASE WHEN v.source_key IS NULL THEN (
  SELECT p.row FROM products AS p WHERE p.name_key = v.key
    AND v.nth = (SELECT count(*) FROM products AS older WHERE older.name_key = v.key AND older.row < p.row))
  ELSE (SELECT p.row FROM products AS p WHERE p.id = coalesce(v.target, ${BY_KEY})) END`;

/** Condition that a batch changes a product that it has not just created; options stand in it where units change. */
const DIFFERS = sql`(products.id <> v.id AND (v.options IS NOT NULL
  OR ${OWN_PRICE} IS NOT coalesce(products.base_cents, products.price_cents) OR ${sql.join(
    MERGED.map(({ stored, merged }) => sql`${merged} IS NOT ${stored}`),
    sql` OR `,
  )}))`;

/** Condition that a batch has another code for the only unit of a product. */
const OTHER_CODES = sql`(coalesce(v.sku, units.sku) <> units.sku OR coalesce(v.barcode, units.barcode) <> units.barcode)`;
const HAS_OTHER_CODES = sql`(products.id <> v.id
  AND EXISTS (SELECT 1 FROM units WHERE units.id = products.id AND units.product_id = products.id AND ${OTHER_CODES}))`;

/** Other codes of an only unit as the audit log has them; null for none. */
const CHANGED_CODES = sql`(SELECT json_object(units.id, json_array(
    json_object('values', json('[]'), 'sku', units.sku, 'barcode', units.barcode),
    json_object('values', json('[]'), 'sku', coalesce(v.sku, units.sku), 'barcode', coalesce(v.barcode, units.barcode))))
  FROM units WHERE products.id <> v.id AND units.id = products.id AND units.product_id = products.id AND ${OTHER_CODES})`;

/**
 * Lists the units that a batch changes as the audit log has them.
 *
 * @returns JSON by product: its units, or the fact alone for what does not fit into one value
 */
function changedUnits(writes: UnitWrite[]): string {
  let bytes = 0;
  const listed = writes.flatMap((write) => {
    const units = JSON.stringify(unitDifferences(write));
    if (units === "{}") return [];
    const id = JSON.stringify(write.productId);
    bytes += Buffer.byteLength(`${id}:${units},`);
    return [`${id}:${bytes > BATCH_BYTES ? "true" : units}`];
  });
  return `{${listed.join()}}`;
}

/** Fields of a batch in the audit log, those of an edit. @param writes units of the products that get any */
function changesOf(writes: UnitWrite[]) {
  return {
    ...differences(
      products,
      PRODUCT_SHEET.audited,
      Object.fromEntries(MERGED.map(({ column, merged }) => [column, merged])),
    ),
    priceCents: difference(sql`coalesce(products.base_cents, products.price_cents)`, OWN_PRICE),
    ...choicesDifference(
      sql`coalesce(v.options, products.options)`,
      sql`coalesce(${changedUnits(writes)} -> ('$."' || products.id || '"'), ${CHANGED_CODES})`,
    ),
  };
}

/** Fields of new products in the audit log; the stock of one with units is their sum. */
function newContent(writes: UnitWrite[]) {
  const sums = writes.map(({ productId, plan }) => [productId, sumOf(plan.units)]);
  const stock = sql`coalesce(${JSON.stringify(Object.fromEntries(sums))} ->> ('$."' || v.id || '"'), ${NEW.stock})`;
  return contents(products, PRODUCT_SHEET.audited, added, sums.length > 0 ? { ...NEW, stock } : NEW);
}

const sumOf = (units: { stock: number }[]) => units.reduce((sum, { stock }) => sum + stock, 0);

/** Statement that stores the keys of a batch's products; a product keeps the one it has of a system. */
const addKeys = (db: Db, v: SQL) =>
  db
    .insert(productKeys)
    .select(
      sql`SELECT v.system, v.source_key, coalesce(v.target, v.id) FROM ${v} WHERE v.source_key IS NOT NULL
        AND EXISTS (SELECT 1 FROM products AS p WHERE p.id = coalesce(v.target, v.id))`,
    )
    .onConflictDoNothing();

/** Key of a batch that a product of it gets, as a JSON object by system. */
const NEW_KEY = sql`CASE WHEN v.source_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM product_keys AS k
    WHERE k.system = v.system AND (k.key = v.source_key OR k.product_id = products.id))
  THEN json_object(v.system, v.source_key) END`;

const NEW_PRODUCTS = (v: SQL) =>
  createdRows(sql`FROM ${v} CROSS JOIN products WHERE products.id = v.id`, NEW_KEY);

/** Products that a batch changes, as they are before. */
const changedProducts = (v: SQL, columns: ReturnType<typeof CHANGED>) =>
  changedRows(
    { ...columns, priceCents: OWN_PRICE },
    sql`FROM ${v} CROSS JOIN products
      WHERE ${and(MATCHES, sql`(${DIFFERS} OR ${HAS_OTHER_CODES} OR v.source_key IS NOT NULL)`)}`,
    { keys: NEW_KEY, hasOtherUnits: sql`v.options IS NOT NULL`, hasOtherCodes: HAS_OTHER_CODES },
  );

/** Statement that gives the only unit of products their codes; stands after the keys by which products are found. */
const writeCodes = (v: SQL, now: number) => sql`UPDATE units SET sku = coalesce(v.sku, units.sku),
    barcode = coalesce(v.barcode, units.barcode), updated_at = ${now}
  FROM ${v} WHERE (v.sku IS NOT NULL OR v.barcode IS NOT NULL) AND units.id = units.product_id
    AND units.id = (SELECT products.id FROM products WHERE ${MATCHES}) AND ${OTHER_CODES}
  RETURNING id, (SELECT p.name_key FROM products AS p WHERE p.id = units.id) AS name_key,
    (SELECT count(*) FROM products AS p CROSS JOIN products AS older
      WHERE p.id = units.id AND older.name_key = p.name_key AND older.row < p.row) AS nth`;

const NTH = sql<number>`(SELECT count(*) FROM products AS p
  WHERE p.name_key = products.name_key AND p.row < products.row)`.as("nth");

/** Statements that record the new products of a batch, and those that it changes; each precedes its write. */
function recordBatch(db: Db, v: SQL, author: Author, writes: UnitWrite[]) {
  const product = { object: "product" } as const;
  const changed = sql`FROM ${v} CROSS JOIN products WHERE ${and(MATCHES, sql`(${DIFFERS} OR ${HAS_OTHER_CODES})`)}`;
  return {
    created: recorded(
      db,
      { ...product, action: "created", id: sql`v.id`, changes: newContent(writes), rows: newRows(v) },
      author,
    ),
    changed: recorded(
      db,
      { ...product, action: "changed", id: sql`products.id`, changes: changesOf(writes), rows: changed },
      author,
    ),
  };
}

/** A batch, as it is stored. */
interface StoredBatch {
  entries: StoredEntry[];
  /** Units of the products that get any. */
  units: UnitWrite[];
}

interface BatchRun {
  id: string;
  actor: string;
  author: Author;
  progress: RunCounts;
}

/**
 * Adds the new products of a batch and updates those that differ, in one transaction with the run's progress. Repeated
 * and concurrent calls never add a name twice.
 *
 * @param now epoch seconds
 * @throws when units have changed since they were planned, or one that goes is on hold
 */
export async function storeBatch(
  db: Db,
  { entries, units: writes }: StoredBatch,
  now: number,
  run: BatchRun,
): Promise<BatchResult> {
  const v = BATCH(entries);
  const change = stockChange({ reason: "import", actor: run.actor });
  const record = recordBatch(db, v, run.author, writes);
  const columns = CHANGED(now, change);
  const hasUnits = writes.length > 0;
  const statements = {
    noted: sql`SELECT v.id AS id, 1 AS unpriced FROM ${v} WHERE v.price_cents IS NULL AND ${NOT_STORED}
      UNION ALL SELECT v.id, 0 FROM ${v} CROSS JOIN products WHERE ${MATCHES} AND products.options <> '[]'
        AND v.options IS NULL AND v.stock <> products.stock`,
    recordCreated: record.created,
    created: db
      .insert(products)
      .select(newProducts(v, now, change))
      .returning({ id: products.id }),
    keep: keepChanges(db, run.id, ...(hasUnits ? [] : [NEW_PRODUCTS(v)]), changedProducts(v, columns)),
    recordChanged: record.changed,
    updated: db
      .update(products)
      .set(columns)
      .from(v)
      .where(and(MATCHES, DIFFERS))
      .returning({ id: products.id, key: products.nameKey, nth: NTH }),
    progress: saveProgress(db, run.id, run.progress),
    ...(hasUnits && {
      refused: refuseOtherUnitsOfMany(writes),
      ...numbered(unitStatements(writes, { actor: run.actor, reason: "import", now })),
      keepCreated: keepChanges(db, run.id, NEW_PRODUCTS(v)),
    }),
    ...keysAndCodes(db, v, entries, { id: run.id, now }),
  };
  const rows = await runNamedBatch(db, statements as Record<keyof typeof statements, SQLWrapper>);
  return batchResult(rows);
}

/** Statements that write the keys and codes of a batch where it has any, and then keep the choices with their codes. */
function keysAndCodes(db: Db, v: SQL, entries: StoredEntry[], run: { id: string; now: number }) {
  const hasCodes = entries.some(({ sku, barcode }) => sku !== null || barcode !== null);
  const hasChoices = hasCodes || entries.some(({ options }) => options !== null);
  const matching = sql`(SELECT (SELECT products.id FROM products WHERE ${MATCHES}) FROM ${v})`;
  return {
    ...(entries.some(({ sourceKey }) => sourceKey !== null) && { keys: addKeys(db, v) }),
    ...(hasCodes && { codes: writeCodes(v, run.now) }),
    ...(hasChoices && { choices: keepChoices(db, run.id, matching) }),
  };
}

const numbered = (statements: SQL[]) =>
  Object.fromEntries(statements.map((statement, at) => [`units${at}`, statement]));

function batchResult({
  created = [],
  updated = [],
  noted = [],
  codes = [],
}: Partial<Record<string, Record<string, unknown>[]>>): BatchResult {
  const ids = (of: Record<string, unknown>[]) => of.map(({ id }) => String(id));
  return {
    created: new Set(ids(created)),
    updated: new Set([
      ...[...updated, ...codes].flatMap((row) => [String(row.id), `${row.name_key}#${row.nth}`]),
    ]),
    unpriced: new Set(ids(noted.filter(({ unpriced }) => unpriced === 1))),
    divided: new Set(ids(noted.filter(({ unpriced }) => unpriced === 0))),
  };
}
