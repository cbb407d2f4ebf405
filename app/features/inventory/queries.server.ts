import { and, eq, type SQL, sql } from "drizzle-orm";
import { difference, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { selection } from "~/db/list-of";
import { products, stockCounts } from "~/db/schema";
import { AVAILABLE, HELD, stockChange, UNIT_HELD, unitRespectsHolds } from "~/db/stock";
import type { Category } from "~/domain/categories";
import { LOW_STOCK } from "~/domain/stock-levels";
import { choiceText, unitName } from "~/domain/unit-name";
import { onMatch, PRICE, type ProductRow, unitsAsJson } from "~/features/catalogue/queries.server";
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
  /** In a head: some units are not listed. */
  hasMore?: boolean;
}

/** Product with the units that are listed. */
export interface StockedRow
  extends Pick<
    ProductRow,
    "id" | "name" | "category" | "priceCents" | "isHidden" | "stock" | "available" | "options"
  > {
  held: number;
  fromCents: number;
  units: ProductRow["units"];
}

/** Units of a product that a list shows; the rest is a link away. */
const LISTED_UNITS = 6;

export interface StockFilter {
  category: Category | null;
  level: FilteredLevel | null;
  sort: StockSort;
}

/** Columns of a row. @param open product whose units are all read; null for all units of all */
const rowColumns = (open: string | null) => {
  const stored = selection<Omit<StockedRow, "units"> & { units: string }>({
    id: products.id,
    name: products.name,
    category: products.category,
    options: products.options,
    priceCents: PRICE,
    fromCents: products.priceCents,
    isHidden: products.isHidden,
    stock: products.stock,
    available: AVAILABLE,
    held: HELD,
    units:
      open === null
        ? unitsAsJson()
        : sql<string>`iif(products.id = ${open}, ${unitsAsJson()}, ${unitsAsJson(LISTED_UNITS + 1)})`,
  });
  return {
    columns: stored.columns,
    view: (row: Record<string, unknown>): StockedRow => {
      const viewed = stored.view?.(row) as Omit<StockedRow, "units"> & { units: string };
      return { ...viewed, units: JSON.parse(viewed.units) as ProductRow["units"] };
    },
  };
};

/** Lists the rows of a product: itself, or its head and its units. */
export function rowsOf(product: StockedRow, open: string | null): StockRow[] {
  const { id, name, category, isHidden, priceCents, fromCents, options, units, stock, available, held } =
    product;
  const shared = { productId: id, name, category, isHidden };
  const { sku = "", barcode = "" } = units[0] ?? {};
  const own = { ...shared, id, stock, available, held };
  if (options.length === 0)
    return [{ ...own, kind: "product", choice: "", sku, barcode, priceCents, isOwnPrice: false }];
  const listed = open === null || open === id ? units : units.slice(0, LISTED_UNITS);
  const hasMore = listed.length < units.length;
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
      hasMore,
    },
    ...listed.map(
      (unit): StockRow => ({
        ...shared,
        ...{
          id: unit.id,
          kind: "unit",
          choice: choiceText(unit.values),
          sku: unit.sku,
          barcode: unit.barcode,
        },
        priceCents: unit.priceCents ?? priceCents,
        isOwnPrice: unit.priceCents !== null,
        ...{ stock: unit.stock, available: unit.available, held: unit.held },
      }),
    ),
  ];
}

/** Conditions spelled as in the partial indexes, which SQLite would not use otherwise. */
const LEVEL_IS: Record<FilteredLevel, SQL> = {
  out: sql.raw(`"products"."stock" = 0`),
  low: sql.raw(`"products"."stock" BETWEEN 1 AND ${LOW_STOCK}`),
};

const LEVEL = sql<number>`CASE WHEN ${products.stock} = 0 THEN 0 WHEN ${products.stock} <= ${sql.raw(String(LOW_STOCK))} THEN 1 ELSE 2 END`;

/**
 * Builds the query of the stock table.
 *
 * @param found table of the matches, or null for all products
 * @param open product whose units are all read; null for those of all
 */
export const stockRows = (
  found: SQL | null,
  { category, level, sort }: StockFilter,
  open: string | null,
) => ({
  ...rowColumns(open),
  sort,
  found: found ?? undefined,
  // SQLite alone would sort the whole level first.
  index: level && !category && sort === "name" ? `products_${level}_sorted` : undefined,
  where: [category ? eq(products.category, category) : undefined, level ? LEVEL_IS[level] : undefined],
});

/** Counts products by level (0 out, 1 low, 2 enough) from the counters, or among the matches of a search. */
export async function countLevels(
  db: Db,
  found: SQL | null,
  category: Category | null,
): Promise<{ level: number; total: number }[]> {
  if (!found)
    return db
      .select({ level: stockCounts.level, total: sql<number>`sum(${stockCounts.products})`.as("total") })
      .from(stockCounts)
      .where(category ? eq(stockCounts.category, category) : undefined)
      .groupBy(stockCounts.level);
  const level = LEVEL.as("level");
  return db
    .select({ level, total: sql<number>`count(*)`.as("total") })
    .from(found)
    .crossJoin(products)
    .where(and(onMatch, category ? eq(products.category, category) : undefined))
    .groupBy(sql`level`) as unknown as Promise<{ level: number; total: number }[]>;
}

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
      changes: { stock: difference(products.stock, sql`products.stock + ${after} - units.stock`) },
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
