import type { Business } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { invoiceListUrl } from "~/features/dashboard/figures";
import { MONTH_NAMES, MONTHS, type Month } from "./months";

export interface ChartTableRow {
  label: string;
  cells: string[];
  /** URL of the entries behind the row. */
  to?: string;
}

export interface ChartTableProps {
  headers: string[];
  rows: ChartTableRow[];
  total: ChartTableRow;
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

function monthLabel(index: number, year: number, now: Month): string {
  const name = MONTHS[index] ?? "";
  return year === now.year && index + 1 === now.month ? `${name}, so far` : name;
}

/** Builds the filters of the entries of a month, or up to a later one. @param index from 0 */
function monthFilters(year: number, index: number, business: Business | null, last = index) {
  const from = `${year}-${String(index + 1).padStart(2, "0")}-01`;
  const to = new Date(Date.UTC(year, last + 1, 0)).toISOString().slice(0, 10);
  return { ...(business && { businessType: business }), from, to };
}

/** Entries of the current year after the months of its chart. */
export interface MonthsAhead {
  /** `After November`. */
  label: string;
  /** Cents of each series. */
  amounts: number[];
  filters: ReturnType<typeof monthFilters>;
}

/** Adds up what is dated after the months of a chart; null without any. @param series amounts from January on */
export function monthsAhead(
  series: number[][],
  monthCount: number,
  year: number,
  business: Business | null = null,
): MonthsAhead | null {
  const amounts = series.map((each) => sum(each.slice(monthCount)));
  if (amounts.every((amount) => amount === 0)) return null;
  const filters = monthFilters(year, monthCount, business, MONTHS.length - 1);
  return { label: `After ${MONTH_NAMES[monthCount - 1]}`, amounts, filters };
}

/** Builds a table of months, linked to their sales. @param columns amounts from January on, by header */
export function monthTable(
  columns: Record<string, number[]>,
  monthCount: number,
  year: number,
  now: Month,
  business: Business | null = null,
): ChartTableProps {
  const series = Object.values(columns);
  const row = (label: string, amountIn: (amounts: number[]) => number) => ({
    label,
    cells: series.map((amounts) => dollars(amountIn(amounts))),
  });
  const rows = MONTHS.slice(0, monthCount).map((_, i) => ({
    ...row(monthLabel(i, year, now), (amounts) => amounts[i] ?? 0),
    to: invoiceListUrl(monthFilters(year, i, business)),
  }));
  const ahead = monthsAhead(series, monthCount, year, business);
  if (ahead)
    rows.push({
      label: ahead.label,
      cells: ahead.amounts.map(dollars),
      to: invoiceListUrl(ahead.filters),
    });
  return { headers: ["Month", ...Object.keys(columns)], rows, total: row(String(year), sum) };
}

/** Amount of one part of a chart, cents. */
export interface Part {
  name: string;
  amount: number;
  /** List of its entries. */
  url: string;
}

export interface Slice extends Part {
  /** Share of the amounts above 0, in percent; 0 for another amount. */
  percent: number;
}

/** Adds each part's share; a payment method is below 0 when more was returned than sold. */
export function slicesOf(parts: Part[]): Slice[] {
  const sold = sum(parts.map(({ amount }) => Math.max(0, amount)));
  return parts.map((part) => ({ ...part, percent: part.amount > 0 ? (part.amount / sold) * 100 : 0 }));
}

/** Builds a table of parts and their shares. @param headers of the parts and of their amounts */
export function shareTable(
  headers: [string, string],
  slices: Slice[],
  formatShare: (percent: number) => string,
): ChartTableProps {
  const total = sum(slices.map(({ amount }) => amount));
  return {
    headers: [...headers, "Share"],
    rows: slices.map(({ name, amount, percent, url }) => ({
      label: name,
      cells: [dollars(amount), percent > 0 ? formatShare(percent) : "0%"],
      to: url,
    })),
    total: { label: "Total", cells: [dollars(total), "100%"] },
  };
}
