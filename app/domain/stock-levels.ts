/**
 * Stock up to which a product counts as low. The triggers and the partial index of migrations/0008_stock.sql repeat it, so
 * another value needs a migration; the inventory tests compare them.
 */
export const LOW_STOCK = 5;

/** Stock up to which the shop shows the remaining quantity (docs/product.md, 5.1). */
export const SCARCE_STOCK = 2;

export const MAX_STOCK = 1_000_000;

export type StockLevel = "out" | "low" | "enough" | "held";

/**
 * Classifies a stock: without any it is `out`, wholly on hold it is `held`.
 *
 * @param stock 0 or more
 * @param available pieces that are not on hold
 */
export function stockLevel(stock: number, available = stock): StockLevel {
  if (stock === 0) return "out";
  if (available === 0) return "held";
  return stock <= LOW_STOCK ? "low" : "enough";
}
