import { categoryName } from "~/domain/category-name";
import { addDays, monthBefore } from "~/domain/days";
import { EXPENSE_TYPES, type ExpenseType, PAYMENT_MODES, type PaymentMode } from "~/domain/enums";
import {
  type BusinessExpenses,
  type ExpenseTotals,
  SALE_FIGURES,
  type SaleTotals,
} from "~/features/ledger/views";
import type { DashboardPage } from "./page.server";

/** Placeholder of an amount that is loading; no amount is equal to it. */
export const LOADING_AMOUNT = Number.NaN;

export interface Trend {
  direction: "up" | "down" | "level";
  /** Absolute change in percent, one decimal. */
  percent: number;
}

/** Computes a trend: 100% up when the previous value is 0 (docs/product.md, 9). */
export function trend(current: number, previous: number): Trend {
  if (previous === 0) return { direction: "up", percent: 100 };
  if (current === previous) return { direction: "level", percent: 0 };
  const direction = current > previous ? "up" : "down";
  const percent = Math.round((Math.abs(current - previous) / Math.abs(previous)) * 1000) / 10;
  return { direction, percent };
}

/**
 * Computes the width of a breakdown bar: the part's share of the total, or of the largest part when the total is
 * missing or smaller than a part.
 *
 * @param total null when the parts do not form a total
 * @returns percent, 0 to 100
 */
export function barWidth(part: number, parts: number[], total: number | null = null): number {
  const largest = Math.max(0, ...parts);
  const whole = total === null || total < largest ? largest : total;
  // No part is above the whole; an amount that is loading has no bar.
  return part > 0 && whole > 0 ? (part / whole) * 100 : 0;
}

/**
 * Fills a twelve-month series; a missing month is 0.
 *
 * @param items months 1 to 12, in any order
 * @returns twelve amounts from January on
 */
export function monthSeries(items: { month: number; amount: number }[]): number[] {
  const series = Array.from({ length: 12 }, () => 0);
  for (const { month, amount } of items)
    if (month >= 1 && month <= 12) series[month - 1] = (series[month - 1] ?? 0) + amount;
  return series;
}

/** Formats a category, such as `Car Accessory`; a missing one is `Unknown`. */
export function categoryLabel(category: string | null | undefined): string {
  return categoryName((category ?? "").trim());
}

/** Lists the payment methods whose amount is not 0: Cash, EMT, Card. */
export function paymentAmounts(totals: Pick<SaleTotals, "cashAmount" | "emtAmount" | "cardAmount">) {
  const amounts: Record<PaymentMode, number> = {
    CASH: totals.cashAmount,
    EMT: totals.emtAmount,
    CARD: totals.cardAmount,
  };
  return PAYMENT_MODES.map((mode) => ({ mode, amount: amounts[mode] })).filter(({ amount }) => amount !== 0);
}

/**
 * Formats a share in whole percent; a share that would round to 0 is `<1%`.
 *
 * @param percent 0 to 100
 */
export function wholePercent(percent: number): string {
  return percent > 0 && percent < 0.5 ? "<1%" : `${Math.round(percent)}%`;
}

/**
 * Formats a change or a share with one decimal: `1,234.5%`.
 *
 * @param percent 0 or more
 */
export function oneDecimalPercent(percent: number): string {
  return `${percent.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}

interface DayRange {
  from: string;
  to: string;
}

/** Periods of the sales figures: days as YYYY-MM-DD in the shop's time zone, both ends included. */
export interface Periods {
  today: string;
  yesterday: string;
  month: DayRange;
  lastMonth: DayRange;
}

export function dashboardPeriods(today: string): Periods {
  const month = today.slice(0, 7);
  return {
    today,
    yesterday: addDays(today, -1),
    month: wholeMonth(month),
    lastMonth: wholeMonth(monthBefore(month)),
  };
}

/** Returns the days of a month. @param month `YYYY-MM` */
function wholeMonth(month: string): DayRange {
  const from = `${month}-01`;
  const nextMonth = addDays(from, 31).slice(0, 7);
  return { from, to: addDays(`${nextMonth}-01`, -1) };
}

export const singleDay = (day: string): DayRange => ({ from: day, to: day });

export function invoiceListUrl(
  filters: Partial<DayRange & { category: string; paymentMode: PaymentMode; businessType: string }> = {},
): string {
  return listUrl("/admin/invoices-management", filters);
}

export function expenseListUrl(
  filters: Partial<DayRange & { businessType: string; expenseType: ExpenseType }> = {},
): string {
  return listUrl("/admin/expenses-management", filters);
}

export function documentListUrl(
  filters: Partial<DayRange & { business: string; source: "chat" | "counter" }>,
): string {
  return listUrl("/admin/documents", filters);
}

function listUrl(path: string, filters: Record<string, string>): string {
  const query = new URLSearchParams(filters).toString();
  return query ? `${path}?${query}` : path;
}

/** Fills every sales figure with one value: 0 after a failed read, LOADING_AMOUNT while loading. */
export function uniformSales(cents: number): SaleTotals {
  return Object.fromEntries(SALE_FIGURES.map((name) => [name, cents])) as SaleTotals;
}

/** Fills every expense figure with one value. */
export function uniformExpenses(cents: number): ExpenseTotals {
  const names = ["totalAmount", ...EXPENSE_TYPES.map((type) => type.toLowerCase())];
  const ofBusiness = () => Object.fromEntries(names.map((name) => [name, cents])) as BusinessExpenses;
  return { totalAmount: cents, emporia: ofBusiness(), laser: ofBusiness() };
}

/** Sales of this month so far and of the same days of the previous month, in cents. */
export interface MonthToDate {
  cents: number;
  previousCents: number;
  /** Days compared, both ends included. */
  days: DayRange;
  previousDays: DayRange;
  /** Running totals by day. */
  series: number[];
  /** Running totals of the whole previous month. */
  previousSeries: number[];
}

/**
 * Compares this month with the same days of the previous month, up to its end when it is shorter.
 *
 * @param sales sales by day; `period` is a day, YYYY-MM-DD
 */
export function monthToDate(today: string, sales: { period: string; amountCents: number }[]): MonthToDate {
  const { month, lastMonth } = dashboardPeriods(today);
  const days = { from: month.from, to: today };
  // May not exist, such as February 30.
  const sameDay = `${lastMonth.from.slice(0, 7)}${today.slice(7)}`;
  const previousDays = { from: lastMonth.from, to: sameDay < lastMonth.to ? sameDay : lastMonth.to };
  const series = runningTotals(days, sales);
  const previousSeries = runningTotals(lastMonth, sales);
  return {
    cents: series.at(-1) ?? 0,
    previousCents: previousSeries[Number(previousDays.to.slice(8)) - 1] ?? 0,
    days,
    previousDays,
    series,
    previousSeries,
  };
}

/** Sums sales up to each day. @param sales sales by day */
function runningTotals({ from, to }: DayRange, sales: { period: string; amountCents: number }[]): number[] {
  const byDay = new Map(sales.map(({ period, amountCents }) => [period, amountCents]));
  let total = 0;
  return Array.from({ length: Number(to.slice(8)) }, (_, i) => {
    total += byDay.get(addDays(from, i)) ?? 0;
    return total;
  });
}

const NO_DAYS = { from: "", to: "" };

/** Data of a dashboard that shows `Loading...` for every amount. */
export const LOADING: DashboardPage = {
  firstRun: null,
  sales: uniformSales(LOADING_AMOUNT),
  salesFailed: false,
  expenses: uniformExpenses(LOADING_AMOUNT),
  expensesFailed: false,
  periods: { today: "", yesterday: "", month: NO_DAYS, lastMonth: NO_DAYS },
  scope: { business: null, period: "all" },
  profit: null,
  month: null,
  chats: null,
  failure: null,
};
