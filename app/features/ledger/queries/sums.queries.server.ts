import { and, asc, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { expenseMonths, expenseTotals, saleDays, saleMonths, saleTotals } from "~/db/schema";

// Reads sums that triggers maintain, at the same cost for any number of entries. Amounts are cents.

/** Reads sales of all time, up to two rows for a category and payment mode: summing in SQL would read each twice. */
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

/** @param days YYYY-MM-DD; a day without sales may be missing from the result */
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

/** @param months YYYY-MM; a month without sales may be missing from the result */
export function findSalesOfMonths(db: Db, months: string[]) {
  return db
    .select({ period: saleMonths.month, amountCents: saleMonths.amountCents })
    .from(saleMonths)
    .where(inArray(saleMonths.month, months));
}

export function findMonths(db: Db, kind: "sales" | "expenses", year: number) {
  const table = kind === "sales" ? saleMonths : expenseMonths;
  const months = Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);
  return db
    .select({ period: table.month, amountCents: table.amountCents })
    .from(table)
    .where(and(inArray(table.month, months), gt(table.entries, 0)))
    .orderBy(asc(table.month));
}

export function findExpenseTotals(db: Db) {
  return db
    .select({
      businessType: expenseTotals.businessType,
      expenseType: expenseTotals.expenseType,
      amountCents: expenseTotals.amountCents,
    })
    .from(expenseTotals);
}
