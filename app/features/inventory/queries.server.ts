import { and, eq, type SQL, sql } from "drizzle-orm";
import { difference, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { selection } from "~/db/list-of";
import { IS_SCARCE, products, stockCounts } from "~/db/schema";
import { AVAILABLE, HELD, stockChange, UNIT_HELD, unitRespectsHolds } from "~/db/stock";
import type { Category } from "~/domain/categories";
import { choiceText, MAX_UNITS, unitName } from "~/domain/unit-name";
import {
  onMatch,
  PRICE,
  type ProductRow,
  UNIT_AS_JSON,
  unitsAsJson,
} from "~/features/catalogue/queries.server";
import type { FilteredLevel, StockSort } from "./list-params";
import type { StockEdit } from "./stock-edit";

/** Row of the inventory: a product of one unit, the head of one with several, or one of these. */
export interface StockRow {
  /** Of the unit; of the product in a head. */
  id: string;
  kind: "product" | "head" | "unit";
  productId: string;
  /** Name of the product. */
  name: string;
  /** Values of the unit: `Moss / 52 cm`; "" without options. */
  choice: string;
  /** First SKU of the product, or the unit's. */
  sku: string;
  barcode: string;
  category: ProductRow["category"];
  isHidden: boolean;
  priceCents: number;
  /** The price is the unit's own, or the lowest of several. */
  isOwnPrice: boolean;
  stock: number;
  available: number;
  /** Pieces in active holds. */
  held: number;
  /** Number of the product up to which it counts as low; -1 for that of the settings. */
  lowStock: number;
  /** People who wait to be told that it is back; 0 in a head, whose units say it. */
  waiting: number;
  /** In a head: units of the product at the list's level, those of them that have run out, and whether all are listed. */
  units?: { all: number; out: number; areListed: boolean };
}

type ListedUnit = ProductRow["units"][number] & { waiting: number };

/** Product with the units that are listed. */
export interface StockedRow
  extends Pick<
    ProductRow,
    "id" | "name" | "category" | "priceCents" | "isHidden" | "stock" | "available" | "options" | "lowStock"
  > {
  held: number;
  fromCents: number;
  units: ListedUnit[];
  /** Units at the level of the list, and those of them that have run out. */
  unitCount: number;
  outCount: number;
}

/** Units of a product that a list shows; the rest is a link away. Those of 20 products are within the rows that a page may read. */
const LISTED_UNITS = 9;

export interface StockFilter {
  category: Category | null;
  level: FilteredLevel | null;
  sort: StockSort;
}

/** Conditions spelled as in the partial indexes, which SQLite would not use otherwise. */
const LEVEL_IS: Record<FilteredLevel, SQL> = {
  out: sql.raw("units.stock = 0"),
  low: IS_SCARCE,
};

/** Numbers of a product's units by level. */
const UNITS_AT: Record<FilteredLevel, SQL> = {
  out: sql.raw("products.units_out"),
  low: sql.raw("products.units_low"),
};

const LEVEL_INDEXES: Record<FilteredLevel, string> = { out: "units_out", low: "units_scarce" };

const LISTED_UNIT = sql<string>`json_set(${UNIT_AS_JSON}, '$.waiting', units.waiting)`;

/** Units of a product at a stock level as JSON, in their order. */
const unitsAt = (
  level: FilteredLevel,
  limit: number,
) => sql<string>`(SELECT json_group_array(json(page.unit)) FROM (
    SELECT ${LISTED_UNIT} AS unit FROM units INDEXED BY ${sql.raw(LEVEL_INDEXES[level])}
    WHERE units.product_id = products.id AND ${LEVEL_IS[level]} ORDER BY units.position LIMIT ${limit}) AS page)`;

/**
 * Builds the columns of a row.
 *
 * @param open product whose units are all read; null for all units of all
 * @param level of the units; null for all
 */
const rowColumns = (open: string | null, level: FilteredLevel | null) => {
  const units = (limit: number) => (level ? unitsAt(level, limit) : unitsAsJson(limit, LISTED_UNIT));
  const stored = selection<Omit<StockedRow, "units"> & { units: string }>({
    id: products.id,
    name: products.name,
    category: products.category,
    options: products.options,
    priceCents: PRICE,
    fromCents: products.priceCents,
    isHidden: products.isHidden,
    lowStock: products.lowStock,
    stock: products.stock,
    available: AVAILABLE,
    held: HELD,
    unitCount: level ? UNITS_AT[level] : sql`(${UNITS_AT.out} + ${UNITS_AT.low} + products.units_enough)`,
    outCount: level === "low" ? sql`0` : UNITS_AT.out,
    units:
      open === null
        ? units(MAX_UNITS)
        : sql<string>`iif(products.id = ${open}, ${units(MAX_UNITS)}, ${units(LISTED_UNITS + 1)})`,
  });
  return {
    columns: stored.columns,
    view: (row: Record<string, unknown>): StockedRow => {
      const viewed = stored.view?.(row) as Omit<StockedRow, "units"> & { units: string };
      return { ...viewed, units: JSON.parse(viewed.units) as ListedUnit[] };
    },
  };
};

/** Lists the rows of a product: itself, or its head and its units. */
export function rowsOf(product: StockedRow, open: string | null): StockRow[] {
  const { id, name, category, isHidden, lowStock, priceCents, fromCents, options, units } = product;
  const { stock, available, held } = product;
  const shared = { productId: id, name, category, isHidden, lowStock };
  const { sku = "", barcode = "", waiting = 0 } = units[0] ?? {};
  const own = { ...shared, id, stock, available, held };
  if (options.length === 0)
    return [{ ...own, kind: "product", choice: "", sku, barcode, priceCents, isOwnPrice: false, waiting }];
  const listed = open === null || open === id ? units : units.slice(0, LISTED_UNITS);
  const counts = {
    all: product.unitCount,
    out: product.outCount,
    areListed: listed.length === units.length,
  };
  const isFrom = units.some((unit) => unit.priceCents !== null);
  return [
    {
      ...own,
      kind: "head",
      choice: "",
      sku: "",
      barcode: "",
      priceCents: fromCents,
      isOwnPrice: isFrom,
      waiting: 0,
      units: counts,
    },
    ...listed.map((unit) => ({ ...shared, ...unitRow(unit, priceCents) })),
  ];
}

/** Builds what a row has of its unit. @param productCents price of the product */
const unitRow = (unit: ListedUnit, productCents: number) => ({
  ...{ id: unit.id, kind: "unit" as const, choice: choiceText(unit.values) },
  ...{ sku: unit.sku, barcode: unit.barcode },
  priceCents: unit.priceCents ?? productCents,
  isOwnPrice: unit.priceCents !== null,
  ...{ stock: unit.stock, available: unit.available, held: unit.held, waiting: unit.waiting },
});

/**
 * Builds the query of the stock table: the products that have a unit at the level, with these units.
 *
 * @param found table of the matches, or null for all products
 * @param open product whose units are all read; null for those of all
 */
export const stockRows = (
  found: SQL | null,
  { category, level, sort }: StockFilter,
  open: string | null,
) => ({
  ...rowColumns(open, level),
  sort,
  found: found ?? undefined,
  // SQLite alone would sort the whole level first.
  index: level && !category && sort === "name" ? `products_units_${level}` : undefined,
  where: [
    category ? eq(products.category, category) : undefined,
    level ? sql.raw(`products.units_${level} > 0`) : undefined,
  ],
});

/** Units of products, and the products that have one. */
export interface UnitCount {
  units: number;
  products: number;
}

/** Counts by stock level. */
export type LevelCounts = Record<FilteredLevel | "all", UnitCount>;

/** Counts units by level from the counters, or among the products of a search. */
export async function countLevels(
  db: Db,
  found: SQL | null,
  category: Category | null,
): Promise<LevelCounts> {
  const [row] = await db.all<Record<string, number | null>>(
    found ? countsOfMatches(found, category) : storedCounts(category),
  );
  const count = (name: string): UnitCount => ({
    units: row?.[`${name}Units`] ?? 0,
    products: row?.[`${name}Products`] ?? 0,
  });
  return { all: count("all"), low: count("low"), out: count("out") };
}

const ofCategory = (column: SQL, category: Category | null) =>
  category ? sql`${column} = ${category}` : sql`true`;

const storedCounts = (
  category: Category | null,
) => sql`SELECT sum(units) AS allUnits, sum(products) AS allProducts,
    sum(units) FILTER (WHERE level = 1) AS lowUnits, sum(unit_products) FILTER (WHERE level = 1) AS lowProducts,
    sum(units) FILTER (WHERE level = 0) AS outUnits, sum(unit_products) FILTER (WHERE level = 0) AS outProducts
  FROM ${stockCounts} WHERE ${ofCategory(sql`category`, category)}`;

const countsOfMatches = (found: SQL, category: Category | null) => sql`SELECT
    sum(units_out + units_low + units_enough) AS allUnits, count(*) AS allProducts,
    sum(units_low) AS lowUnits, sum(units_low > 0) AS lowProducts,
    sum(units_out) AS outUnits, sum(units_out > 0) AS outProducts
  FROM ${found} CROSS JOIN ${products} WHERE ${and(onMatch, ofCategory(sql`products.category`, category))}`;

/** Change of a unit's stock that a member of staff makes. */
export interface StockWrite {
  /** Of the unit. */
  id: string;
  edit: StockEdit;
  /** Stock that the caller saw; a set stock is written only while it is still the same. */
  was?: number | undefined;
  /** Pieces on hold that the caller saw; a stock below what is on hold is not written when more are. */
  held?: number | undefined;
  /** Id of the movement, so that a repeated request changes the stock once. */
  change?: string | undefined;
  actor: string;
}

/** Unit with its stock. */
export interface StockedUnit {
  id: string;
  productId: string;
  /** Of the product, with the choice. */
  name: string;
  stock: number;
  /** Pieces in active holds. */
  held: number;
}

interface StoredName extends Omit<StockedUnit, "name"> {
  product: string;
  values: string;
}

const withChoice = ({ product, values, ...unit }: StoredName): StockedUnit => ({
  ...unit,
  name: unitName(product, JSON.parse(values) as string[]),
});

/** Finds a unit; that of a product of one unit by the product's id. */
export async function findStockedUnit(db: Db, id: string): Promise<StockedUnit | undefined> {
  const [unit] =
    await db.all<StoredName>(sql`SELECT units.id, units.product_id AS productId, products.name AS product,
    units.option_values AS "values", units.stock, ${UNIT_HELD} AS held
    FROM units CROSS JOIN products ON products.id = units.product_id WHERE units.id = ${id}`);
  return unit && withChoice(unit);
}

/**
 * Changes a unit's stock in one statement, so that parallel changes add up.
 *
 * @param now epoch seconds
 * @returns the updated unit; undefined when its stock differs from `was`, when the result would not be within 0 and
 * `max`, or is below what is on hold, or when it is gone
 * @throws when `change` was written before
 */
export async function writeStock(
  db: Db,
  { id, edit, was, held, change, actor }: StockWrite,
  max: number,
  now: number,
): Promise<StockedUnit | undefined> {
  const after = "add" in edit ? sql`units.stock + ${edit.add}` : sql`${edit.set}`;
  const condition =
    "add" in edit
      ? sql`${after} BETWEEN 0 AND ${max}`
      : was === undefined
        ? undefined
        : sql`units.stock = ${was}`;
  const where = and(
    sql`units.id = ${id}`,
    condition,
    held === undefined ? undefined : unitRespectsHolds(after, held),
  );
  const [, rows = []] = await runBatch(db, [
    recorded(db, {
      object: "product",
      action: "changed",
      id: products.id,
      changes: {
        stock: difference(products.stock, sql`products.stock + ${after} - units.stock`),
        units: sql`iif(products.options = '[]' OR units.stock = ${after}, NULL, json_object(units.id, json_array(
          json_object('values', json(units.option_values), 'stock', units.stock),
          json_object('values', json(units.option_values), 'stock', ${after}))))`,
      },
      rows: sql`FROM units CROSS JOIN products ON products.id = units.product_id WHERE ${where}`,
    }),
    sql`UPDATE units SET stock = ${after}, updated_at = ${now},
      stock_change = ${stockChange({ id: change, reason: "adjustment", actor })} WHERE ${where}
      RETURNING id, product_id AS productId, (SELECT name FROM products WHERE products.id = units.product_id) AS product,
        option_values AS "values", stock, ${UNIT_HELD} AS held`,
  ]);
  const [row] = rows as unknown as StoredName[];
  return row && withChoice(row);
}
