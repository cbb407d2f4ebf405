import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { ProductOption } from "~/db/schema";
import { UNIT_AVAILABLE } from "~/db/stock";
import { searchKey, wordsOf } from "~/db/text";
import type { Category } from "~/domain/categories";
import { barcodesOf, idBeginning, MAX_CODE_HITS } from "./codes";
import { PRICE } from "./queries.server";
import { codesBeginningWith } from "./units.queries.server";

/** Unit with what its product gives it. */
export interface UnitRow {
  unitId: string;
  productId: string;
  name: string;
  category: Category;
  options: ProductOption[];
  values: string[];
  sku: string;
  barcode: string;
  priceCents: number;
  stock: number;
  available: number;
  /** Stored entry; "" without a picture. */
  image: string;
}

const COLUMNS = sql`units.id AS unitId, units.product_id AS productId, products.name, products.category, products.options,
  units.option_values AS "values", units.sku, units.barcode, coalesce(units.price_cents, ${PRICE}) AS priceCents, units.stock,
  ${UNIT_AVAILABLE} AS available, coalesce(nullif(units.image, ''), products.image_urls ->> 0, '') AS image`;

type StoredUnitRow = Omit<UnitRow, "options" | "values"> & Record<"options" | "values", string>;

const unitRow = (row: StoredUnitRow): UnitRow => ({
  ...row,
  options: JSON.parse(row.options),
  values: JSON.parse(row.values),
});

/** Finds the units that have a code: as barcode, as SKU in any case of A to Z, or as their own code. */
export async function findUnitsByCode(db: Db, code: string): Promise<UnitRow[]> {
  const [first, second = first] = barcodesOf(code);
  const beginning = idBeginning(code);
  // An id without a digit is a word that somebody searches for.
  const isId = sql`id = ${/\d/.test(code) ? code : null}`;
  const own = beginning ? sql`id > ${`${beginning}-`} AND id < ${`${beginning}.`}` : isId;
  const rows = await db.all<StoredUnitRow>(sql`SELECT ${COLUMNS} FROM units
    CROSS JOIN products ON products.id = units.product_id
    WHERE units.id IN (
      SELECT id FROM units WHERE barcode <> '' AND barcode IN (${first}, ${second})
      UNION ALL SELECT id FROM units WHERE sku <> '' AND lower(sku) = lower(${code})
      UNION ALL SELECT id FROM units WHERE ${own}
      LIMIT ${MAX_CODE_HITS})`);
  return rows.map(unitRow);
}

/** Finds units whose SKU, in any case of A to Z, or barcode begins with a text. */
export async function findUnitsByBeginning(db: Db, code: string): Promise<UnitRow[]> {
  const { sku, barcode } = codesBeginningWith(code);
  // UNION would sort all of them before its limit.
  const rows = await db.all<StoredUnitRow>(sql`SELECT ${COLUMNS} FROM units
    CROSS JOIN products ON products.id = units.product_id
    WHERE units.id IN (
      SELECT id FROM (SELECT id FROM units WHERE sku <> '' AND ${sku} LIMIT ${MAX_CODE_HITS})
      UNION ALL SELECT id FROM (SELECT id FROM units WHERE barcode <> '' AND ${barcode} LIMIT ${MAX_CODE_HITS}))`);
  return rows.map(unitRow);
}

/** Products and their units that a search for choices reads, at most; and the units of a product that it finds. */
const MAX_NAMED = { products: 8, units: 100, each: 2 };

/**
 * Finds units of products with choices whose product and choice together have a word that begins with each word, and the
 * choice one of them.
 *
 * @param words as the search compares them
 */
export async function findUnitsByName(db: Db, words: string[]): Promise<UnitRow[]> {
  const match = words.map((word) => `"${word}"*`).join(" AND ");
  const latest = (table: SQL) => sql`SELECT "row" FROM (SELECT rowid AS "row" FROM ${table}
    WHERE ${table} MATCH ${match} ORDER BY rowid DESC LIMIT ${MAX_NAMED.products})`;
  const rows = await db.all<StoredUnitRow>(sql`SELECT ${COLUMNS}
    FROM (${latest(sql`product_search`)} UNION ${latest(sql`hidden_search`)} ORDER BY "row" DESC) AS found
    CROSS JOIN products ON products."row" = found."row" AND products.options <> '[]'
    CROSS JOIN units ON units.product_id = products.id LIMIT ${MAX_NAMED.units}`);
  const found = rows.map(unitRow).filter((unit) => isNamed(unit, words));
  const before = ({ productId }: UnitRow, at: number) =>
    found.slice(0, at).filter((other) => other.productId === productId).length;
  return found.filter((unit, at) => before(unit, at) < MAX_NAMED.each);
}

function isNamed({ name, values }: UnitRow, words: string[]): boolean {
  const ofChoice = wordsOf(searchKey(values.join(" ")));
  const all = [...ofChoice, ...wordsOf(searchKey(name))];
  const begins = (among: string[]) => (word: string) => among.some((one) => one.startsWith(word));
  return words.every(begins(all)) && words.some(begins(ofChoice));
}

/** Finds units in the order of their ids. */
export async function findUnitsById(db: Db, ids: string[]): Promise<UnitRow[]> {
  const rows =
    await db.all<StoredUnitRow>(sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(ids)}) AS requested
    CROSS JOIN units ON units.id = requested.value
    CROSS JOIN products ON products.id = units.product_id ORDER BY requested.key`);
  return rows.map(unitRow);
}

/** Finds the units of products, in the order of the products and of their units. */
export async function findUnitsOfProducts(db: Db, productIds: string[], limit: number): Promise<UnitRow[]> {
  const rows =
    await db.all<StoredUnitRow>(sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(productIds)}) AS requested
    CROSS JOIN units ON units.product_id = requested.value
    CROSS JOIN products ON products.id = units.product_id
    ORDER BY requested.key, units.position, units.id LIMIT ${limit}`);
  return rows.map(unitRow);
}
