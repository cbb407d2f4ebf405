/**
 * Stock up to which a product counts as low. The triggers and the partial index of migrations/0008_stock.sql repeat it: a
 * change needs a migration, which the inventory tests check.
 */
export const LOW_STOCK = 5;

/** Stock up to which the shop says how many are left (docs/product.md, 5.1). */
export const SCARCE_STOCK = 2;

export const MAX_STOCK = 1_000_000;

export type StockLevel = "out" | "low" | "enough" | "held";

/**
 * Names the level of a stock. A product that is wholly on hold is not out.
 *
 * @param stock 0 or more
 * @param available pieces that nobody has set aside
 */
export function stockLevel(stock: number, available = stock): StockLevel {
  if (stock === 0) return "out";
  if (available === 0) return "held";
  return stock <= LOW_STOCK ? "low" : "enough";
}
