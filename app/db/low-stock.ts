/**
 * So many of a product, or fewer, are low. The counters' triggers and the index of what is low have it, too
 * (migrations/0008_stock.sql): another number is another migration, and the inventory's tests fail without it.
 */
export const LOW_STOCK = 5;
