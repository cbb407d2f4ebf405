import { and, asc, between, eq, gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import {
  expenseDays,
  expenseMonths,
  expenseTotals,
  ledgerPeriods,
  saleDates,
  saleDays,
  saleMonths,
  saleTotals,
} from "~/db/schema";
import type { Business } from "~/domain/enums";

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

export interface SaleSum {
  category: string;
  paymentMode: string;
  amountCents: number;
}

/**
 * Reads sales by category and payment mode. Of all time there are up to two rows for each, since summing in SQL would
 * read each twice; of a span of days there is one.
 */
export async function findSaleTotals(db: Db, { business, days }: FigureScope): Promise<SaleSum[]> {
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
): Promise<SaleSum[]> {
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

/** Reads the sales of each day of a span, in order, a row each; a day without sales is missing from the result. */
export async function findSalesWithin(
  db: Db,
  from: string,
  to: string,
  business: Business | null,
): Promise<PeriodSum[]> {
  if (business) return findPeriods(db, "sale", "day", { from, to }, business);
  return db
    .select({ period: saleDates.day, amountCents: saleDates.amountCents })
    .from(saleDates)
    .where(and(between(saleDates.day, from, to), gt(saleDates.entries, 0)))
    .orderBy(asc(saleDates.day));
}

/** Sum of a day, YYYY-MM-DD, or month, YYYY-MM. */
export interface PeriodSum {
  period: string;
  amountCents: number;
}

/** Reads months of both businesses, a row each, or of one of them; a month without entries is missing. */
export function findMonths(
  db: Db,
  kind: "sale" | "expense",
  months: { from: string; to: string },
  business: Business | null,
): Promise<PeriodSum[]> {
  if (business) return findPeriods(db, kind, "month", months, business);
  const table = kind === "sale" ? saleMonths : expenseMonths;
  return db
    .select({ period: table.month, amountCents: table.amountCents })
    .from(table)
    .where(and(between(table.month, months.from, months.to), gt(table.entries, 0)))
    .orderBy(asc(table.month));
}

/** Adds up the businesses of each period of a unit, in order; empty ones are missing from the result. */
function findPeriods(
  db: Db,
  kind: "sale" | "expense",
  unit: "day" | "month",
  { from, to }: { from: string; to: string },
  business: Business | null,
): Promise<PeriodSum[]> {
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
        between(ledgerPeriods.period, from, to),
        ofBusiness(ledgerPeriods.businessType, business),
        gt(ledgerPeriods.entries, 0),
      ),
    )
    .groupBy(ledgerPeriods.period)
    .orderBy(asc(ledgerPeriods.period));
}

/** Lists the years that have entries of one business or of both, in order. */
export async function findYears(db: Db, business: Business | null): Promise<number[]> {
  const rows = await db.all<{ year: string }>(sql`SELECT DISTINCT period AS year FROM ledger_periods
    WHERE kind IN ('sale', 'expense') AND unit = 'year' AND entries > 0
      ${business ? sql`AND business_type = ${business}` : sql``} ORDER BY year`);
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
