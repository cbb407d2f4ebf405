import {
  and,
  asc,
  between,
  Column,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  is,
  lt,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/sqlite-core";
import { isLogged } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { listOf } from "~/db/list-of";
import { categoryCounts, IS_SHOWN, products, stockCounts } from "~/db/schema";
import { AVAILABLE, HELD, SHORT_UNITS, UNIT_AVAILABLE, UNIT_HELD } from "~/db/stock";
import type { Category } from "~/domain/categories";
import { MAX_CENTS } from "~/domain/money";
import { MAX_UNITS } from "~/domain/unit-name";
import type { ListFilter, Sort } from "./schema";
import type { ProductUnit } from "./units";

type StoredRow = typeof products.$inferSelect;
/** Columns of a new product. */
export type NewProductRow = Omit<StoredRow, "row" | "held" | "stockChange">;
/** Product with the pieces that shoppers can buy, and its units in their order. `priceCents` is the product's. */
export type ProductRow = Omit<StoredRow, "held" | "stockChange"> & {
  available: number;
  /** Lowest price that can be bought. */
  fromCents: number;
  units: ProductUnit[];
};

/** Unit as JSON. */
export const UNIT_AS_JSON = sql<string>`json_object('id', units.id, 'values', json(units.option_values), 'sku', units.sku,
    'barcode', units.barcode, 'priceCents', units.price_cents, 'image', units.image, 'stock', units.stock,
    'held', ${UNIT_HELD}, 'available', ${UNIT_AVAILABLE})`;

/** Units of a product as JSON, in the order of the index. @param limit units that are read @param unit columns of one */
export const unitsAsJson = (
  limit = MAX_UNITS,
  unit = UNIT_AS_JSON,
) => sql<string>`(SELECT json_group_array(${unit})
  FROM units INDEXED BY units_product
  WHERE units.product_id = products.id AND units.position < ${sql.raw(String(limit))})`;
const UNITS = unitsAsJson();

/** Price of a product; its units may have others. */
export const PRICE = sql<number>`coalesce(products.base_cents, products.price_cents)`;

const { held: _held, stockChange: _stockChange, ...stored } = getTableColumns(products);
export const productColumns = {
  ...stored,
  priceCents: PRICE.as("own_price"),
  fromCents: sql<number>`${products.priceCents}`.as("from_price"),
  available: AVAILABLE.as("available"),
  units: UNITS.mapWith((text: string) => JSON.parse(text) as ProductUnit[]).as("units"),
};

/** Products of the back office's lists; each order has an index. */
export const PRODUCT_LIST = listOf({
  table: "products",
  sorts: {
    newest: ["created_at", "id"],
    name: ["sort_key", "id"],
    category: ["category", "sort_key", "id"],
    price: ["price_cents", "id"],
    stock: ["stock", "id"],
  },
});

/** 1 where a unit that can be bought costs more than the lowest price; reads no units of a product with one price. */
const IS_FROM = sql`iif(products.base_cents IS NULL, 0, EXISTS (SELECT 1 FROM units INDEXED BY units_available
    WHERE units.product_id = products.id AND units.price_cents > products.price_cents AND units.stock > units.held)
  OR products.base_cents > products.price_cents AND EXISTS (SELECT 1 FROM units INDEXED BY units_available
    WHERE units.product_id = products.id AND units.price_cents IS NULL AND units.stock > units.held))`.mapWith(
  Boolean,
);

export const card = {
  id: products.id,
  name: products.name,
  priceCents: sql<number>`${products.priceCents}`.as("priceCents"),
  isFrom: IS_FROM.as("isFrom"),
  stock: AVAILABLE.as("stock"),
  category: products.category,
  image: sql<string | null>`${products.imageUrls} ->> 0`.as("image"),
  imageAlt: sql<string | null>`${products.imageAlts} ->> 0`.as("imageAlt"),
};

/** Card with the product's row, by which lists are corrected (`windowOf`). */
export const rowCard = { ...card, row: products.row };

/** Card of a search for a colour, whose picture is picked among the product's. */
export const colouredCard = {
  ...rowCard,
  colors: products.colors,
  imageUrls: products.imageUrls,
  imageAlts: products.imageAlts,
};

/** Product data of a card; `stock` is what shoppers can buy, `image` is a stored entry (`minio:{key}` or a URL). */
export interface CardRow {
  id: string;
  name: string;
  priceCents: number;
  /** Some cost more. */
  isFrom: boolean;
  stock: number;
  category: string;
  image: string | null;
  imageAlt: string | null;
}

/**
 * 1 for what somebody can buy, by the stock that is not on hold; the expression of indexes (migrations/0022_shop_filters.sql).
 * 0 also for `FREED`.
 */
const IN_STOCK = sql<number>`(stock > held)`;

/** 1 for what somebody can buy now; no index has it. */
export const IS_AVAILABLE = sql<number>`(${AVAILABLE} > 0)`;

/**
 * Table of the products of the shop that indexes have as sold out and that are available: since holds ended which
 * `products.held` still contains, or since one unit has less than is on hold of it and another has more. Few: writes settle
 * the holds of their products, every 15 minutes all are settled, and staff seldom set a stock below what is on hold.
 */
export const FREED = sql`(SELECT products."row", products.category, products.price_cents FROM (
    SELECT product_id FROM hold_lines INDEXED BY hold_lines_ended WHERE counted = 1 AND until <= unixepoch()
    UNION SELECT u.product_id FROM ${sql.raw(SHORT_UNITS)}) AS found
  CROSS JOIN products
  WHERE products.id = found.product_id AND products.is_hidden = 0 AND products.stock <= products.held AND ${AVAILABLE} > 0)`;

const NEWEST = [desc(products.createdAt), desc(products.id)];
const AVAILABLE_FIRST = [desc(IS_AVAILABLE), ...NEWEST];
export const ORDER: Record<Sort, SQL[]> = {
  default: [desc(IN_STOCK), ...NEWEST],
  "price-asc": [asc(products.priceCents), asc(products.id)],
  "price-desc": [desc(products.priceCents), desc(products.id)],
  "name-asc": [asc(products.sortKey), asc(products.id)],
  "name-desc": [desc(products.sortKey), desc(products.id)],
};

export interface ListWindow {
  limit?: number | undefined;
  offset: number;
}

/** SQLite has no OFFSET without a LIMIT. */
export const noLimit = Number.MAX_SAFE_INTEGER;

/** Conditions of a filter on the products that a search has found. @param isInStock `IS_AVAILABLE` where no index is used */
export function conditions(
  { category, min, max, inStock }: ListFilter,
  isInStock = IN_STOCK,
): SQL | undefined {
  return and(
    category ? eq(products.category, category) : undefined,
    min === null && max === null ? undefined : between(products.priceCents, min ?? 0, max ?? MAX_CENTS),
    inStock ? eq(isInStock, 1) : undefined,
  );
}

/** Order of a list; of products in stock alone, the stock would hide the index's order from SQLite. */
export function order({ sort, inStock }: ListFilter): SQL[] {
  return sort === "default" && inStock ? NEWEST : ORDER[sort];
}

/** Returns the name of an index of the shop. @param rest its end, which names the order */
export const shopIndex = ({ category }: Pick<ListFilter, "category">, rest: string): SQL =>
  sql.raw(`products_shown_${category ? "category_" : ""}${rest}`);

/** Returns the index that has a list in its order; one by date or name must not be filtered by price. */
export function indexOf(filter: ListFilter): SQL {
  const { sort, inStock } = filter;
  if (sort.startsWith("price")) return shopIndex(filter, inStock ? "available_price" : "price");
  return shopIndex(filter, sort === "default" ? "default" : "sorted");
}

/** Builds the table of products by an index, which SQLite would not always choose. */
export const productsBy = (index: SQL): SQL => sql`${products} INDEXED BY ${index}`;

/** Writes columns as expressions: drizzle takes columns of a table without a hint only. */
export const asExpressions = (columns: SelectedFields): SelectedFields =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      is(column, Column) ? sql`${column}`.mapWith(column) : column,
    ]),
  );

/** Finds products of the shop by an index, by default the one that has their order. */
export function filteredListOf<Row>(columns: SelectedFields) {
  const list = asExpressions(columns);
  return (db: Db, filter: ListFilter, window: ListWindow, index = indexOf(filter)): Promise<Row[]> =>
    db
      .select(list)
      .from(productsBy(index))
      .where(and(IS_SHOWN, conditions(filter)))
      .orderBy(...order(filter))
      .limit(window.limit ?? noLimit)
      .offset(window.offset) as unknown as Promise<Row[]>;
}

/** Finds the products of a table `found` with the column `row`, in the table's order, which a cross join keeps. */
export function rowsOf<Row>(columns: SelectedFields) {
  return (db: Db, found: SQL): Promise<Row[]> =>
    db.select(columns).from(found).crossJoin(products).where(onMatch) as unknown as Promise<Row[]>;
}

/** Finds a window of the products in `rows` that a filter leaves, by what is available now. */
export function windowOf<Row>(columns: SelectedFields) {
  return (db: Db, rows: number[], sort: Sort, window: ListWindow, filter?: ListFilter): Promise<Row[]> =>
    db
      .select(columns)
      .from(sql`(SELECT value AS "row" FROM json_each(${JSON.stringify(rows)})) AS found`)
      .crossJoin(products)
      .where(and(onMatch, filter && conditions(filter, IS_AVAILABLE)))
      .orderBy(...(sort === "default" ? AVAILABLE_FIRST : ORDER[sort]))
      .limit(window.limit ?? noLimit)
      .offset(window.offset) as unknown as Promise<Row[]>;
}

/** Join condition of `products` and a table `found`. */
export const onMatch: SQL<boolean> = sql`"products"."rowid" = found."row"`;

export interface ProductStamp {
  id: string;
  /** Last change, epoch seconds. */
  updatedAt: number;
  /** Stored image entries. */
  images: string[];
}

/** Finds products for the sitemap, newest first. */
export function findProductStamps(db: Db, window: ListWindow): Promise<ProductStamp[]> {
  return db
    .select({ id: products.id, updatedAt: products.updatedAt, images: products.imageUrls })
    .from(products)
    .where(IS_SHOWN)
    .orderBy(...NEWEST)
    .limit(window.limit ?? noLimit)
    .offset(window.offset);
}

/** Finds the time of each category's newest product, epoch seconds. */
export async function findCategoryStamps(db: Db): Promise<Map<string, number>> {
  const rows = await db.all<{ category: string; at: number | null }>(sql`SELECT category,
    (SELECT p.created_at FROM products AS p INDEXED BY products_shown_category_newest
      WHERE p.category = category_counts.category AND p.is_hidden = 0 ORDER BY p.created_at DESC, p.id DESC LIMIT 1) AS at
    FROM category_counts`);
  return new Map(rows.flatMap(({ category, at }) => (at === null ? [] : [[category, at]])));
}

/** Counts the products of the shop. */
export const countShown = (db: Db): Promise<number> => sumOf(db, categoryCounts, null);

/** Counts products, those that are hidden too, in all or in one category. */
export const countProducts = (db: Db, category: Category | null): Promise<number> =>
  sumOf(db, stockCounts, category);

async function sumOf(
  db: Db,
  counts: typeof categoryCounts | typeof stockCounts,
  category: Category | null,
): Promise<number> {
  const rows = await db
    .select({ total: sql<number>`coalesce(sum(${counts.products}), 0)`.as("total") })
    .from(counts)
    .where(category ? eq(counts.category, category) : undefined);
  return rows[0]?.total ?? 0;
}

export async function findProduct(db: Db, id: string): Promise<ProductRow | undefined> {
  const rows = await db.select(productColumns).from(products).where(eq(products.id, id)).limit(1);
  return rows[0];
}

/** Counts the pieces of a product in active holds. */
export async function countHeld(db: Db, id: string): Promise<number> {
  const [row] = await db.select({ held: HELD }).from(products).where(eq(products.id, id));
  return row?.held ?? 0;
}

/** Selects a row for a product that exists, or did: its movements stay, and the audit log has its deletion. */
export const isKnownProduct = (id: string): SQL =>
  sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM products WHERE id = ${id})
      OR EXISTS (SELECT 1 FROM stock_movements WHERE product_id = ${id})
      OR ${isLogged("product", id)}`;

/** Tells whether a card may name a product: one that is offered, or was until it was deleted. */
export async function isProductKnown(db: Db, id: string): Promise<boolean> {
  const isHidden = sql`EXISTS (SELECT 1 FROM products WHERE id = ${id} AND is_hidden = 1)`;
  return (await db.all(sql`SELECT 1 FROM (${isKnownProduct(id)}) WHERE NOT ${isHidden}`)).length > 0;
}

/** Finds the cards of products that are not hidden, in no order. */
export function findCardsById(db: Db, ids: string[]): Promise<CardRow[]> {
  return db
    .select(card)
    .from(products)
    .where(and(inArray(products.id, ids), IS_SHOWN));
}

/** Products that the owner chose for the home page, in one JSON array with that of the hero last. */
const CHOSEN = sql`(SELECT json_insert(content ->> '$.featured', '$[#]', content ->> '$.heroProduct')
  FROM shop_settings WHERE name = 'home')`;

/** Finds the products of the home page that the settings name and that are not hidden, in no order. */
export function findChosenCards(db: Db): Promise<CardRow[]> {
  return db
    .select(card)
    .from(products)
    .where(and(sql`${products.id} IN (SELECT value FROM json_each(${CHOSEN}))`, IS_SHOWN));
}

const { colors, hasEngraving, imageUrls, imageAlts, optionLabel, options, plates } = products;
/** Columns that tell what can be chosen of a product. */
const choiceColumns = {
  ...{ colors, hasEngraving, imageUrls, imageAlts, optionLabel, options, plates },
  ownPriceCents: PRICE.as("own_price"),
  units: productColumns.units,
};

/** Finds products that are not hidden with what can be chosen of them, in no order. */
export function findSellableProducts(db: Db, ids: string[]) {
  return db
    .select({ ...card, ...choiceColumns })
    .from(products)
    .where(and(sql`${products.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, IS_SHOWN));
}
export type SellableProduct = Awaited<ReturnType<typeof findSellableProducts>>[number];

export type StaffProduct = SellableProduct & { onHand: number; isHidden: boolean; lowStock: number };

/** Finds what `findSellableProducts` does, and hidden products, for staff: `onHand` includes what is on hold. */
export function findStaffProducts(db: Db, ids: string[]): Promise<StaffProduct[]> {
  const { stock, isHidden, lowStock } = products;
  return db
    .select({ ...card, ...choiceColumns, onHand: sql<number>`${stock}`.as("onHand"), isHidden, lowStock })
    .from(products)
    .where(inArray(products.id, ids));
}

/** Finds up to `limit` other products of a product's category, newest first. */
export function findRelated(db: Db, id: string, limit: number): Promise<CardRow[]> {
  const category = sql`(SELECT category FROM products WHERE id = ${id})`;
  return db
    .select(card)
    .from(sql`(SELECT * FROM (SELECT p."row" FROM products AS p INDEXED BY products_shown_category_default
        WHERE p.category = ${category} AND p.id <> ${id} AND p.is_hidden = 0
        ORDER BY (p.stock > p.held) DESC, p.created_at DESC, p.id DESC LIMIT ${limit})
      UNION SELECT "row" FROM ${FREED} WHERE category = ${category}) AS found`)
    .crossJoin(products)
    .where(and(onMatch, ne(products.id, id)))
    .orderBy(...AVAILABLE_FIRST)
    .limit(limit);
}

/** Upper bound of the random numbers in `shuffle`. */
export const SHUFFLE_RANGE = 2 ** 31;

/** Finds `limit` products from a random offset of the shuffled order, in stock first, by an index range scan. */
export async function findRandom(db: Db, limit: number): Promise<ProductRow[]> {
  const from = Math.floor(Math.random() * SHUFFLE_RANGE);
  const scan = (isInStock: 0 | 1, isAhead: boolean) =>
    db
      .select(asExpressions(productColumns) as typeof productColumns)
      .from(productsBy(sql`products_shown_shuffle`))
      .where(
        and(
          IS_SHOWN,
          eq(IN_STOCK, isInStock),
          isAhead ? gte(products.shuffle, from) : lt(products.shuffle, from),
        ),
      )
      .orderBy(asc(products.shuffle))
      .limit(limit);
  const freed = db
    .select(productColumns)
    .from(sql`${FREED} AS found`)
    .crossJoin(products)
    .where(onMatch)
    .limit(limit);
  const scans = [scan(1, true), scan(1, false), freed, scan(0, true), scan(0, false)];
  const found = (await Promise.all(scans)).flat().map((row) => [row.id, row] as const);
  return [...new Map(found).values()].slice(0, limit);
}
