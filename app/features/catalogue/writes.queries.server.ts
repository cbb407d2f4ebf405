import { and, type Column, eq, getTableColumns, ne, type SQL, sql } from "drizzle-orm";
import { added, contents, difference, differences, INSERTED, isLogged, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { changedForms, SEARCHED_TEXTS } from "~/db/columns";
import { products, units as unitsTable } from "~/db/schema";
import { respectsHolds, stockChange } from "~/db/stock";
import { PRODUCT, PRODUCT_SHEET, type ProductContent } from "./product";
import { findProduct, type NewProductRow, PRICE, type ProductRow, productColumns } from "./queries.server";
import {
  choicesDifference,
  refuseHeldProduct,
  refuseOtherUnits,
  type UnitPlan,
  unitDifferences,
  unitStatements,
} from "./units.queries.server";

/** Columns that an edit may write. */
export type ProductColumns = Partial<Omit<NewProductRow, "id" | "shuffle" | "createdAt">>;

/** Values that the author of an edit has seen; `held`, the pieces on hold, counts where the edit writes the stock. */
export type SeenColumns = Partial<ProductContent> & { held?: number | undefined };

/** Builds the condition that a column still has a value that was read from it; undefined for no value. */
function isStored(name: keyof ProductContent, value: unknown): SQL | undefined {
  if (value === undefined) return undefined;
  if (name === "priceCents") return sql`${PRICE} = ${value}`;
  const column: Column = products[name];
  return column.dataType === "json"
    ? sql`json(${column}) = json(${JSON.stringify(value)})`
    : eq(column, value);
}

/**
 * Stores a new product.
 *
 * @param units planned with it; null for one unit that nothing is said about
 * @param actor name of the person, for the stock movement
 * @returns false when its id is taken, or belonged to a deleted product
 */
export async function insertProduct(
  db: Db,
  product: NewProductRow,
  units: UnitPlan | null,
  actor: string,
): Promise<boolean> {
  const stock = product.options.length > 0 ? 0 : product.stock;
  const row = {
    ...product,
    stock,
    row: null,
    held: 0,
    stockChange: stockChange({ reason: "opening", actor }),
  };
  const values = Object.entries(getTableColumns(products)).map(
    ([name, column]) => sql`${sql.param(row[name as keyof typeof row], column)}`,
  );
  const { id: productId, priceCents, createdAt: now } = product;
  const [rows = []] = await runBatch(db, [
    db
      .insert(products)
      .select(
        sql`SELECT ${sql.join(values, sql`, `)} WHERE NOT ${isLogged("product", product.id, "deleted")}`,
      )
      .onConflictDoNothing({ target: products.id })
      .returning({ id: products.id }),
    recorded(db, {
      object: "product",
      action: "created",
      id: products.id,
      changes: contents(products, auditedFields(product), added, { stock: sql`${product.stock}` }),
      rows: sql`FROM ${products} WHERE ${eq(products.id, product.id)} AND ${INSERTED}`,
    }),
    ...(units
      ? [REFUSE_UNCHANGED, ...unitStatements([{ plan: units, productId, priceCents }], { actor, now })]
      : []),
  ]);
  return rows.length > 0;
}

/** Returns the recorded fields of a new product: without a label or plates, those that an import records. */
function auditedFields({ optionLabel, plates }: NewProductRow) {
  const isOfForm = optionLabel !== "" || Object.keys(plates ?? {}).length > 0;
  return isOfForm ? PRODUCT.audited : PRODUCT_SHEET.audited;
}

interface ProductWrite {
  columns: ProductColumns;
  /** Options and units that the product gets; null leaves them. */
  units: UnitPlan | null;
  /** Price of the product after the write, in cents. */
  priceCents: number;
  /** Its units have prices of their own. */
  hasOwnPrices: boolean;
  /** Name of the person, for the stock movement. */
  actor: string;
  /** Values that must still be stored. */
  seen: SeenColumns;
  /** Epoch seconds. */
  now: number;
}

/**
 * Updates a product.
 *
 * @returns the updated row; undefined for an unknown id, or when the row has other values than those seen
 * @throws when its units have changed since they were planned, or one that goes is on hold
 */
export async function updateProductRow(
  db: Db,
  id: string,
  { units, actor, now, priceCents, hasOwnPrices, seen, ...write }: ProductWrite,
): Promise<ProductRow | undefined> {
  const { priceCents: price, ...others } = write.columns;
  const columns = hasOwnPrices && price !== undefined ? { ...others, baseCents: price } : write.columns;
  const moved = columns.stock !== undefined && { stockChange: stockChange({ reason: "adjustment", actor }) };
  const { held, ...values } = seen;
  const where = and(
    eq(products.id, id),
    ...Object.entries(values).map(([name, value]) => isStored(name as keyof ProductContent, value)),
    columns.stock === undefined || held === undefined ? undefined : respectsHolds(columns.stock, held),
  );
  const record = recorded(db, {
    object: "product",
    action: "changed",
    id: products.id,
    changes: {
      ...differences(products, PRODUCT.audited, columns),
      ...(columns.baseCents && { priceCents: difference(PRICE, columns.baseCents) }),
      ...(units && choicesDifference(sql`${JSON.stringify(units.options)}`, changedUnits(units))),
    },
    rows: sql`FROM ${products} WHERE ${where}`,
  });
  const update = db
    .update(products)
    .set({ ...columns, ...changedForms(products, SEARCHED_TEXTS.products.texts, columns), ...moved })
    .where(where)
    .returning(productColumns);
  if (!units) return (await db.batch([record, update]))[1][0];
  const written = await runBatch(db, [
    refuseOtherUnits(id, units),
    record,
    update,
    REFUSE_UNCHANGED,
    ...unitStatements([{ plan: units, productId: id, priceCents }], { actor, now }),
  ]);
  return written[2]?.length === 0 ? undefined : findProduct(db, id);
}

/** Builds the JSON of the units that a plan changes; null for none. */
function changedUnits(plan: UnitPlan): SQL {
  const changes = unitDifferences({ plan });
  return Object.keys(changes).length > 0 ? sql`${JSON.stringify(changes)}` : sql`NULL`;
}

/** Statement that aborts its batch when the one before it changed no row. */
const REFUSE_UNCHANGED = sql`SELECT json(iif(changes() > 0, '1', 'nothing changed'))`;

/**
 * Deletes a product, after a movement that takes its stock away.
 *
 * @param actor name of the person, for the stock movement
 * @returns false for an unknown id
 * @throws when pieces of it are on hold
 */
export async function deleteProductRow(db: Db, id: string, actor: string): Promise<boolean> {
  const results = await runBatch(db, [
    refuseHeldProduct(id),
    recorded(db, {
      object: "product",
      action: "deleted",
      id: products.id,
      changes: contents(products, PRODUCT.audited, removed),
      rows: sql`FROM ${products} WHERE ${eq(products.id, id)}`,
    }),
    db
      .update(unitsTable)
      .set({ stock: 0, stockChange: stockChange({ reason: "adjustment", actor }) })
      .where(and(eq(unitsTable.productId, id), ne(unitsTable.stock, 0))),
    db.delete(products).where(eq(products.id, id)).returning({ id: products.id }),
  ]);
  return (results.at(-1) ?? []).length > 0;
}
