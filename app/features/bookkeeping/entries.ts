import type { BusinessFigures } from "./schema";

/** Counts the sales and expenses of a business. */
export const allEntries = ({ saleEntries, expenseEntries }: BusinessFigures) => saleEntries + expenseEntries;

/** Counts the sales and expenses that state no tax. */
export const untaxedEntries = ({ untaxedSales, untaxedExpenses }: BusinessFigures) =>
  untaxedSales + untaxedExpenses;

/** Sums the amounts of the sales and expenses that state no tax, in cents. */
export const untaxedCents = ({ untaxedSalesCents, untaxedExpensesCents }: BusinessFigures) =>
  untaxedSalesCents + untaxedExpensesCents;
