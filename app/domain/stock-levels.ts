/** Stock up to which a unit counts as low in a shop that has not changed the number of its settings. */
export const LOW_STOCK = 5;

/** Largest number of the settings, which bounds the units whose level a change of it moves. */
export const MAX_SHOP_LOW_STOCK = 1000;

/** Number of a product that follows the settings. */
export const SHOP_LOW_STOCK = -1;

/** Returns the stock up to which a product's units count as low. @param own number of the product @param shop of the settings */
export const lowStockOf = (own: number, shop: number): number => (own === SHOP_LOW_STOCK ? shop : own);

/** Stock up to which the shop shows the remaining quantity (docs/product.md, 5.1). */
export const SCARCE_STOCK = 2;

export const MAX_STOCK = 1_000_000;

export type StockLevel = "out" | "low" | "enough" | "held";

/**
 * Classifies a stock: without any it is `out`, wholly on hold it is `held`.
 *
 * @param stock 0 or more
 * @param lowAt stock up to which it is low
 * @param available pieces that are not on hold
 */
export function stockLevel(stock: number, lowAt: number, available = stock): StockLevel {
  if (stock === 0) return "out";
  if (available === 0) return "held";
  return stock <= lowAt ? "low" : "enough";
}
