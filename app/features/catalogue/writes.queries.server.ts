import { and, type Column, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { added, contents, differences, INSERTED, isLogged, recorded, removed } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { changedForms, SEARCHED_TEXTS } from "~/db/columns";
import { products } from "~/db/schema";
import { HELD, respectsHolds, stockChange } from "~/db/stock";
import { PRODUCT, PRODUCT_SHEET, type ProductContent } from "./product";
import { type NewProductRow, type ProductRow, productColumns } from "./queries.server";

/** Columns that an edit may write. */
export type ProductColumns = Partial<Omit<NewProductRow, "id" | "shuffle" | "createdAt">>;

/** Values that the author of an edit has seen; `held`, the pieces on hold, counts where the edit writes the stock. */
export type SeenColumns = Partial<ProductContent> & { held?: number | undefined };

/** Builds the condition that a column still has a value that was read from it; undefined for no value. */
function isStored(name: keyof ProductContent, value: unknown): SQL | undefined {
  if (value === undefined) return undefined;
  const column: Column = products[name];
  return column.dataType === "json"
    ? sql`json(${column}) = json(${JSON.stringify(value)})`
    : eq(column, value);
}

/**
 * Stores a new product.
 *
 * @param actor name of the person, for the stock movement
 * @returns false when its id is taken, or belonged to a deleted product
 */
export async function insertProduct(db: Db, product: NewProductRow, actor: string): Promise<boolean> {
  const row = { ...product, row: null, held: 0, stockChange: stockChange({ reason: "opening", actor }) };
  const values = Object.entries(getTableColumns(products)).map(
    ([name, column]) => sql`${sql.param(row[name as keyof typeof row], column)}`,
  );
  const hasOptions = product.optionLabel !== "" || Object.keys(product.plates ?? {}).length > 0;
  const [rows] = await db.batch([
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
      changes: contents(products, hasOptions ? PRODUCT.audited : PRODUCT_SHEET.audited, added),
      rows: sql`FROM ${products} WHERE ${eq(products.id, product.id)} AND ${INSERTED}`,
    }),
  ]);
  return rows.length > 0;
}

/**
 * Updates a product.
 *
 * @param actor name of the person, for the stock movement
 * @param seen values that must still be stored; none by default
 * @returns the updated row; undefined for an unknown id, or when the row has other values than those seen
 */
export async function updateProductRow(
  db: Db,
  id: string,
  columns: ProductColumns,
  actor: string,
  seen: SeenColumns = {},
): Promise<ProductRow | undefined> {
  const moved = columns.stock !== undefined && { stockChange: stockChange({ reason: "adjustment", actor }) };
  const { held, ...values } = seen;
  const where = and(
    eq(products.id, id),
    ...Object.entries(values).map(([name, value]) => isStored(name as keyof ProductContent, value)),
    columns.stock === undefined || held === undefined ? undefined : respectsHolds(columns.stock, held),
  );
  const [, rows] = await db.batch([
    recorded(db, {
      object: "product",
      action: "changed",
      id: products.id,
      changes: differences(products, PRODUCT.audited, columns),
      rows: sql`FROM ${products} WHERE ${where}`,
    }),
    db
      .update(products)
      .set({ ...columns, ...changedForms(products, SEARCHED_TEXTS.products.texts, columns), ...moved })
      .where(where)
      .returning(productColumns),
  ]);
  return rows[0];
}

/**
 * Deletes a product, after a movement that takes its stock away.
 *
 * @param actor name of the person, for the stock movement
 * @returns its pieces in active holds; undefined for an unknown id
 */
export async function deleteProductRow(
  db: Db,
  id: string,
  actor: string,
): Promise<{ held: number } | undefined> {
  const [, rows] = await db.batch([
    recorded(db, {
      object: "product",
      action: "deleted",
      id: products.id,
      changes: contents(products, PRODUCT.audited, removed),
      rows: sql`FROM ${products} WHERE ${eq(products.id, id)}`,
    }),
    db
      .update(products)
      .set({ stock: 0, stockChange: stockChange({ reason: "adjustment", actor }) })
      .where(eq(products.id, id))
      .returning({ held: HELD }),
    db.delete(products).where(eq(products.id, id)),
  ]);
  return rows[0];
}
