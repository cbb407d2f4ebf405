import { and, asc, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { expenseMonths, expenseTotals, saleDays, saleMonths, saleTotals } from "~/db/schema";

/** All from the sums that triggers keep: the same cost whatever the books hold. Amounts are cents. */

/** Sales of all time by category and payment mode, some of them in two rows: adding them up in SQL would read them twice. */
export function findSaleTotals(db: Db) {
  return db
    .select({
      category: saleTotals.category,
      paymentMode: saleTotals.paymentMode,
      amountCents: saleTotals.amountCents,
    })
    .from(saleTotals)
    .where(gt(saleTotals.entries, 0));
}

/** Sales of the days named (YYYY-MM-DD); a day without any may be missing. */
export function findSalesOfDays(db: Db, days: string[]) {
  return db
    .select({
      period: saleDays.day,
      amountCents: sql<number>`sum(${saleDays.amountCents})`.as("amount_cents"),
    })
    .from(saleDays)
    .where(inArray(saleDays.day, days))
    .groupBy(saleDays.day);
}

/** Sales of the months named (YYYY-MM); a month without any may be missing. */
export function findSalesOfMonths(db: Db, months: string[]) {
  return db
    .select({ period: saleMonths.month, amountCents: saleMonths.amountCents })
    .from(saleMonths)
    .where(inArray(saleMonths.month, months));
}

/** The months of a year that have entries, in order. */
export function findMonths(db: Db, book: "sales" | "expenses", year: number) {
  const table = book === "sales" ? saleMonths : expenseMonths;
  const months = Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);
  return db
    .select({ period: table.month, amountCents: table.amountCents })
    .from(table)
    .where(and(inArray(table.month, months), gt(table.entries, 0)))
    .orderBy(asc(table.month));
}

/** Expenses of all time by business and type. */
export function findExpenseTotals(db: Db) {
  return db
    .select({
      businessType: expenseTotals.businessType,
      expenseType: expenseTotals.expenseType,
      amountCents: expenseTotals.amountCents,
    })
    .from(expenseTotals);
}
