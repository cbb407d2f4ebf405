import { getTableColumns, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { productKeys, products } from "~/db/schema";
import { sortKey } from "~/db/text";
import { PRODUCT_SHEET } from "~/features/catalogue/product";
import { PRICE, type ProductRow, unitsAsJson } from "~/features/catalogue/queries.server";

/** Columns of a spreadsheet's fields, by field. */
export const SHEET_COLUMNS = PRODUCT_SHEET.pick(getTableColumns(products));
export type SheetColumn = keyof typeof SHEET_COLUMNS;

type ProductUnit = ProductRow["units"][number];

export type StoredProduct = Pick<ProductRow, "id" | "nameKey" | "options" | "baseCents" | SheetColumn>;

/** Columns that a plan compares; the price is the product's. */
const COMPARED = {
  id: products.id,
  nameKey: products.nameKey,
  options: products.options,
  baseCents: products.baseCents,
  ...SHEET_COLUMNS,
  priceCents: PRICE.as("own_price"),
};

const among = (values: string[]) => sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Finds the products of these names, the oldest of each name first. */
export function findByNames(db: Db, keys: string[]): Promise<StoredProduct[]> {
  return db
    .select(COMPARED)
    .from(products)
    .where(sql`${products.nameKey} ${among(keys)}`)
    .orderBy(products.row);
}

export function findStored(db: Db, ids: string[]): Promise<StoredProduct[]> {
  return db
    .select(COMPARED)
    .from(products)
    .where(sql`${products.id} ${among(ids)}`);
}

export type NamedProduct = Pick<StoredProduct, "id" | "name" | "nameKey" | "imageUrls" | "priceCents">;

/** Finds what rows that name a product by its key alone need of it. */
export function findNamed(db: Db, ids: string[]): Promise<NamedProduct[]> {
  const { id, nameKey, name, imageUrls, priceCents } = COMPARED;
  return db
    .select({ id, nameKey, name, imageUrls, priceCents })
    .from(products)
    .where(sql`${products.id} ${among(ids)}`);
}

/** Finds the units of products, by the product's id. */
export async function findUnits(db: Db, ids: string[]): Promise<Map<string, ProductUnit[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<{ id: string; units: string }>(
    sql`SELECT products.id, ${unitsAsJson()} AS units FROM products WHERE products.id ${among(ids)}`,
  );
  return new Map(rows.map(({ id, units }) => [id, JSON.parse(units) as ProductUnit[]]));
}

/** Finds the codes of the only unit of products without options, by the product's id. */
export async function findCodes(
  db: Db,
  ids: string[],
): Promise<Map<string, Pick<ProductUnit, "sku" | "barcode">>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<{ id: string; sku: string; barcode: string }>(
    sql`SELECT id, sku, barcode FROM units WHERE id = product_id AND id ${among(ids)}`,
  );
  return new Map(rows.map(({ id, ...codes }) => [id, codes]));
}

/** Finds the ids of the products that have these keys of a system, by key. */
export async function findByKeys(db: Db, system: string, keys: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ key: productKeys.key, productId: productKeys.productId })
    .from(productKeys)
    .where(sql`${productKeys.system} = ${system} AND ${productKeys.key} ${among(keys)}`);
  return new Map(rows.map(({ key, productId }) => [key, productId]));
}

/** Stored product whose units alone have an SKU. */
export interface SkuHit {
  sku: string;
  id: string;
  name: string;
  nameKey: string;
  isDivided: boolean;
}

/**
 * Finds the products that have these SKUs, those of several products left out.
 *
 * @param system leaves out the products that have a key of it
 */
export async function findBySkus(db: Db, skus: string[], system?: string): Promise<SkuHit[]> {
  const known = sql`SELECT 1 FROM ${productKeys} AS k WHERE k.product_id = p.id AND k.system = ${system}`;
  const rows = await db.all<Omit<SkuHit, "isDivided"> & { isDivided: number }>(
    sql`SELECT wanted.value AS sku, p.id, p.name, p.name_key AS nameKey, p.options <> '[]' AS isDivided
      FROM json_each(${JSON.stringify(skus)}) AS wanted CROSS JOIN units CROSS JOIN products AS p
      WHERE lower(units.sku) = lower(wanted.value) AND units.sku <> '' AND p.id = units.product_id
      ${system === undefined ? sql`` : sql`AND NOT EXISTS (${known})`}
      GROUP BY wanted.key HAVING count(DISTINCT p.id) = 1`,
  );
  return rows.map((row) => ({ ...row, isDivided: row.isDivided === 1 }));
}

/** Finds the products of these names that have no key of a system, the oldest of each name first. */
export function findWithoutKey(
  db: Db,
  system: string,
  names: string[],
): Promise<{ id: string; nameKey: string }[]> {
  const known = sql`SELECT 1 FROM ${productKeys} WHERE ${productKeys.productId} = ${products.id}
    AND ${productKeys.system} = ${system}`;
  return db
    .select({ id: products.id, nameKey: products.nameKey })
    .from(products)
    .where(sql`${products.nameKey} ${among(names)} AND NOT EXISTS (${known})`)
    .orderBy(products.row);
}

/**
 * Finds products whose names sort like these, and whose keys are none of these: earlier versions told forms of characters
 * apart.
 *
 * @param keys identity keys
 */
export function findOutdatedKeys(db: Db, keys: string[]): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(sql`${products.sortKey} ${among(keys.map(sortKey))} AND ${products.nameKey} NOT ${among(keys)}`);
}

/** Stores the keys of names; a name that has changed meanwhile keeps its own. */
export async function storeNameKeys(
  db: Db,
  names: { id: string; name: string; nameKey: string; sortKey: string }[],
): Promise<void> {
  const v = sql`(SELECT value ->> 'id' AS id, value ->> 'name' AS name, value ->> 'nameKey' AS name_key,
    value ->> 'sortKey' AS sort_key FROM json_each(${JSON.stringify(names)})) AS v`;
  const isSame = sql`products.id = v.id AND products.name = v.name`;
  await db.batch([
    // A trigger takes a sort key for outdated that stays as it is while the name's key changes.
    db
      .update(products)
      .set({ nameKey: sql`v.name_key`, sortKey: sql`v.sort_key || ' '` })
      .from(v)
      .where(isSame),
    db.update(products).set({ sortKey: sql`v.sort_key` }).from(v).where(isSame),
  ]);
}

export async function countByNames(db: Db, keys: string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ key: products.nameKey, stored: sql<number>`count(*)`.as("stored") })
    .from(products)
    .where(sql`${products.nameKey} ${among(keys)}`)
    .groupBy(products.nameKey);
  return new Map(rows.map(({ key, stored }) => [key, stored]));
}
