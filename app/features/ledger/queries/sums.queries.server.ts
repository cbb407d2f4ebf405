import { and, asc, between, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import {
  expenseDays,
  expenseMonths,
  expenseTotals,
  ledgerPeriods,
  saleDays,
  saleMonths,
  saleTotals,
} from "~/db/schema";
import type { Business } from "../enums";

// Reads sums that triggers maintain, at the same cost for any number of entries. Amounts are cents.

/** Business and days that figures are limited to; null is both businesses and all time. */
export interface FigureScope {
  business: Business | null;
  /** YYYY-MM-DD, both included. */
  days: { from: string; to: string } | null;
}

export const EVERYTHING: FigureScope = { business: null, days: null };

const ofBusiness = (column: SQLiteColumn, business: Business | null): SQL | undefined =>
  business ? eq(column, business) : undefined;

type SaleSums = Promise<{ category: string; paymentMode: string; amountCents: number }[]>;

/**
 * Reads sales by category and payment mode. Of all time there are up to two rows for each, since summing in SQL would
 * read each twice; of a span of days there is one.
 */
export function findSaleTotals(db: Db, { business, days }: FigureScope): SaleSums {
  if (days) return findSalesOfSpan(db, days, business);
  return db
    .select({
      category: saleTotals.category,
      paymentMode: saleTotals.paymentMode,
      amountCents: saleTotals.amountCents,
    })
    .from(saleTotals)
    .where(and(gt(saleTotals.entries, 0), ofBusiness(saleTotals.businessType, business)));
}

function findSalesOfSpan(
  db: Db,
  { from, to }: { from: string; to: string },
  business: Business | null,
): SaleSums {
  return db
    .select({
      category: saleDays.category,
      paymentMode: saleDays.paymentMode,
      amountCents: sql<number>`sum(${saleDays.amountCents})`.as("amount_cents"),
    })
    .from(saleDays)
    .where(
      and(
        between(saleDays.day, from, to),
        gt(saleDays.entries, 0),
        ofBusiness(saleDays.businessType, business),
      ),
    )
    .groupBy(saleDays.category, saleDays.paymentMode);
}

/** @param days YYYY-MM-DD; a day without sales may be missing from the result */
export function findSalesOfDays(db: Db, days: string[], business: Business | null) {
  return findPeriods(db, "sale", "day", inArray(ledgerPeriods.period, days), business);
}

/** Reads the sales of each day of a span, in order; a day without sales is missing from the result. */
export function findSalesWithin(db: Db, from: string, to: string, business: Business | null) {
  return findPeriods(db, "sale", "day", between(ledgerPeriods.period, from, to), business);
}

/** @param months YYYY-MM; a month without sales may be missing from the result */
export function findSalesOfMonths(db: Db, months: string[], business: Business | null) {
  return findMonthSums(db, "sale", months, business);
}

export function findMonths(db: Db, kind: "sale" | "expense", year: number, business: Business | null) {
  const months = Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);
  return findMonthSums(db, kind, months, business);
}

type PeriodSums = Promise<{ period: string; amountCents: number }[]>;

/** Reads months of both businesses, a row each, or of one of them. */
function findMonthSums(
  db: Db,
  kind: "sale" | "expense",
  months: string[],
  business: Business | null,
): PeriodSums {
  if (business) return findPeriods(db, kind, "month", inArray(ledgerPeriods.period, months), business);
  const table = kind === "sale" ? saleMonths : expenseMonths;
  return db
    .select({ period: table.month, amountCents: table.amountCents })
    .from(table)
    .where(and(inArray(table.month, months), gt(table.entries, 0)))
    .orderBy(asc(table.month));
}

/** Adds up the businesses of each period of a unit, in order; empty ones are missing from the result. */
function findPeriods(
  db: Db,
  kind: "sale" | "expense",
  unit: "day" | "month",
  within: SQL,
  business: Business | null,
): PeriodSums {
  return db
    .select({
      period: ledgerPeriods.period,
      amountCents: sql<number>`sum(${ledgerPeriods.amountCents})`.as("amount_cents"),
    })
    .from(ledgerPeriods)
    .where(
      and(
        eq(ledgerPeriods.kind, kind),
        eq(ledgerPeriods.unit, unit),
        within,
        ofBusiness(ledgerPeriods.businessType, business),
        gt(ledgerPeriods.entries, 0),
      ),
    )
    .groupBy(ledgerPeriods.period)
    .orderBy(asc(ledgerPeriods.period));
}

/** Lists the years that have entries, in order. */
export async function findYears(db: Db): Promise<number[]> {
  const rows = await db.all<{ year: string }>(sql`SELECT DISTINCT period AS year FROM ledger_periods
    WHERE kind IN ('sale', 'expense') AND unit = 'year' AND entries > 0 ORDER BY year`);
  return rows.map(({ year }) => Number(year));
}

export function findExpenseTotals(db: Db, { business, days }: FigureScope) {
  const table = days ? expenseDays : expenseTotals;
  const within = days ? between(expenseDays.day, days.from, days.to) : undefined;
  return db
    .select({
      businessType: table.businessType,
      expenseType: table.expenseType,
      amountCents: table.amountCents,
    })
    .from(table)
    .where(and(ofBusiness(table.businessType, business), within));
}
