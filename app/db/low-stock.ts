/**
 * Stock level up to which a product counts as low. The triggers and the partial index of migrations/0008_stock.sql repeat
 * it: a change needs a migration, which the inventory tests check.
 */
export const LOW_STOCK = 5;
