import { categoryName } from "~/domain/category-name";
import { addDays, monthBefore } from "~/domain/days";
import { EXPENSE_TYPES, type ExpenseType, type PaymentMode } from "~/domain/enums";
import {
  type BusinessExpenses,
  type ExpenseTotals,
  SALE_FIGURES,
  type SaleTotals,
} from "~/features/ledger/views";
import type { DashboardPage } from "./page.server";

/** Stands for an amount that is still loading. */
export const UNKNOWN = -1;

export interface Trend {
  direction: "up" | "down" | "level";
  /** Absolute change in percent, one decimal. */
  percent: number;
}

/** Computes a trend: 100% up when the earlier value is 0 (docs/product.md, 9). */
export function trend(now: number, before: number): Trend {
  if (before === 0) return { direction: "up", percent: 100 };
  if (now === before) return { direction: "level", percent: 0 };
  const direction = now > before ? "up" : "down";
  return { direction, percent: Math.round((Math.abs(now - before) / Math.abs(before)) * 1000) / 10 };
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
  if (whole <= 0) return 0;
  return Math.min(100, Math.max(0, (part / whole) * 100));
}

/**
 * Spreads monthly amounts over a year; a missing month is 0.
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

/** Formats a category as capitalised words; a missing one is `Unknown`. */
export function categoryLabel(category: string | null | undefined): string {
  return categoryName((category ?? "").trim());
}

export interface Slice {
  name: string;
  amount: number;
  /** Share of all slices in percent. */
  percent: number;
}

/** Lists the payment methods that have sales: Cash, EMT, Card. */
export function paymentSlices(totals: {
  cashAmount: number;
  emtAmount: number;
  cardAmount: number;
}): Slice[] {
  const methods = [
    { name: "Cash", amount: totals.cashAmount },
    { name: "EMT", amount: totals.emtAmount },
    { name: "Card", amount: totals.cardAmount },
  ].filter(({ amount }) => amount !== 0);
  const whole = methods.reduce((sum, { amount }) => sum + amount, 0);
  return methods.map((method) => ({ ...method, percent: (method.amount / whole) * 100 }));
}

/** Formats a share in whole percent; a share that would round to 0 is `<1%`. @param percent 0 to 100 */
export function wholePercent(percent: number): string {
  return percent > 0 && percent < 0.5 ? "<1%" : `${Math.round(percent)}%`;
}

/** Formats a change or a share with one decimal: `1,234.5%`. @param percent 0 or more */
export function oneDecimalPercent(percent: number): string {
  return `${percent.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}

interface DateFilter {
  from: string;
  to: string;
}

/** Periods of the sales figures: days as YYYY-MM-DD in the shop's time zone, both ends included. */
export interface Periods {
  today: string;
  yesterday: string;
  month: DateFilter;
  lastMonth: DateFilter;
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
function wholeMonth(month: string): DateFilter {
  const from = `${month}-01`;
  const nextMonth = addDays(from, 31).slice(0, 7);
  return { from, to: addDays(`${nextMonth}-01`, -1) };
}

export const onDay = (day: string): DateFilter => ({ from: day, to: day });

export function invoiceListUrl(
  filters: Partial<DateFilter & { category: string; paymentMode: PaymentMode; businessType: string }> = {},
): string {
  return listUrl("/admin/invoices-management", filters);
}

export function expenseListUrl(
  filters: Partial<DateFilter & { businessType: string; expenseType: ExpenseType }> = {},
): string {
  return listUrl("/admin/expenses-management", filters);
}

/** Builds the URL of the list of documents. */
export function documentListUrl(
  filters: Partial<DateFilter & { business: string; source: "chat" | "counter" }>,
): string {
  return listUrl("/admin/documents", filters);
}

function listUrl(path: string, filters: Record<string, string>): string {
  const query = new URLSearchParams(filters).toString();
  return query ? `${path}?${query}` : path;
}

/** Fills every sales figure with one value: 0 after a failed read, UNKNOWN while loading. */
export function uniformSales(cents: number): SaleTotals {
  return Object.fromEntries(SALE_FIGURES.map((name) => [name, cents])) as SaleTotals;
}

/** Fills every expense figure with one value. */
export function uniformExpenses(cents: number): ExpenseTotals {
  const names = ["totalAmount", ...EXPENSE_TYPES.map((type) => type.toLowerCase())];
  const business = () => Object.fromEntries(names.map((name) => [name, cents])) as BusinessExpenses;
  return { totalAmount: cents, emporia: business(), laser: business() };
}

/** Sales of this month so far and of the same days of the month before, in cents. */
export interface MonthToDate {
  cents: number;
  beforeCents: number;
  /** Days compared, both ends included. */
  days: DateFilter;
  beforeDays: DateFilter;
  /** Running totals by day. */
  series: number[];
  /** Of the whole month before. */
  beforeSeries: number[];
}

/**
 * Compares this month with the same days of the month before; a shorter month counts to its end.
 *
 * @param sales of the days of both months
 */
export function monthToDate(today: string, sales: { period: string; amountCents: number }[]): MonthToDate {
  const { month, lastMonth } = dashboardPeriods(today);
  const days = { from: month.from, to: today };
  const sameDay = `${lastMonth.from.slice(0, 7)}${today.slice(7)}`;
  const beforeDays = { from: lastMonth.from, to: sameDay < lastMonth.to ? sameDay : lastMonth.to };
  const series = runningTotals(days, sales);
  const beforeSeries = runningTotals(lastMonth, sales);
  return {
    cents: series.at(-1) ?? 0,
    beforeCents: beforeSeries[Number(beforeDays.to.slice(8)) - 1] ?? 0,
    days,
    beforeDays,
    series,
    beforeSeries,
  };
}

function runningTotals({ from, to }: DateFilter, sales: { period: string; amountCents: number }[]): number[] {
  const byDay = new Map(sales.map(({ period, amountCents }) => [period, amountCents]));
  let total = 0;
  return Array.from({ length: Number(to.slice(8)) }, (_, i) => {
    total += byDay.get(addDays(from, i)) ?? 0;
    return total;
  });
}

const NO_DAYS = { from: "", to: "" };

/** Dashboard with `Loading...` in place of every amount. */
export const LOADING: DashboardPage = {
  sales: uniformSales(UNKNOWN),
  salesFailed: false,
  expenses: uniformExpenses(UNKNOWN),
  expensesFailed: false,
  periods: { today: "", yesterday: "", month: NO_DAYS, lastMonth: NO_DAYS },
  scope: { business: null, period: "all" },
  profit: null,
  month: null,
  chats: null,
  failure: null,
};
