import { eq } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { products } from "~/db/schema";
import type { ProductRow } from "./queries.server";

/** Columns that a change of a product may set. */
export type ProductColumns = Partial<Omit<ProductRow, "row" | "id" | "shuffle" | "createdAt">>;

/**
 * Stores a new product; triggers bring search and counters up to date.
 *
 * @returns whether there was none by its id
 */
export async function insertProduct(db: Db, product: Omit<ProductRow, "row">): Promise<boolean> {
  const insert = db.insert(products).values(product).onConflictDoNothing({ target: products.id });
  return (await insert.returning({ id: products.id })).length > 0;
}

/**
 * Changes a product.
 *
 * @returns the product as it is then, or undefined when there is none
 */
export async function updateProductRow(
  db: Db,
  id: string,
  columns: ProductColumns,
): Promise<ProductRow | undefined> {
  const rows = await db.update(products).set(columns).where(eq(products.id, id)).returning();
  return rows[0];
}

/** Removes a product; whether there was one. */
export async function deleteProductRow(db: Db, id: string): Promise<boolean> {
  const rows = await db.delete(products).where(eq(products.id, id)).returning({ id: products.id });
  return rows.length > 0;
}

/** Whether there is such a product. */
export async function productExists(db: Db, id: string): Promise<boolean> {
  const rows = await db.select({ id: products.id }).from(products).where(eq(products.id, id)).limit(1);
  return rows.length > 0;
}
