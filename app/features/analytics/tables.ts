import type { Business } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { expenseListUrl, invoiceListUrl } from "~/features/dashboard/figures";
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

/** Amounts by month that charts show: their names and the lists of their entries, in the order of columns and notes. */
const SERIES = {
  sales: { name: "Sales", listUrl: invoiceListUrl },
  expenses: { name: "Expenses", listUrl: expenseListUrl },
};

/** Cents from January on of each series of a chart. */
export type MonthlySeries = { [Id in keyof typeof SERIES]?: number[] };

/** Lists the series of a chart with what they are. */
function seriesIn(figures: MonthlySeries) {
  const ids = Object.keys(SERIES) as (keyof typeof SERIES)[];
  return ids.flatMap((id) => {
    const amounts = figures[id];
    return amounts ? [{ ...SERIES[id], amounts }] : [];
  });
}

/** Entries of the current year after the months of its chart. */
export interface MonthsAhead {
  /** `After November`. */
  label: string;
  /** Each series that has such entries: `sales of $42.50` and their list. */
  parts: { text: string; url: string }[];
}

const aheadLabel = (monthCount: number) => `After ${MONTH_NAMES[monthCount - 1]}`;

/** Adds up what is dated after the months of a chart; null without any. */
export function monthsAhead(
  figures: MonthlySeries,
  monthCount: number,
  year: number,
  business: Business | null = null,
): MonthsAhead | null {
  const filters = monthFilters(year, monthCount, business, MONTHS.length - 1);
  const parts = seriesIn(figures).flatMap(({ name, listUrl, amounts }) => {
    const amount = sum(amounts.slice(monthCount));
    return amount === 0
      ? []
      : [{ text: `${name.toLowerCase()} of ${dollars(amount)}`, url: listUrl(filters) }];
  });
  return parts.length > 0 ? { label: aheadLabel(monthCount), parts } : null;
}

/**
 * Builds a table of months, linked to the entries of its first series.
 *
 * @param computed further columns, such as the profit: amounts from January on, by header
 */
export function monthTable(
  figures: MonthlySeries,
  monthCount: number,
  year: number,
  now: Month,
  business: Business | null = null,
  computed: Record<string, number[]> = {},
): ChartTableProps {
  const series = seriesIn(figures);
  const names = series.map(({ name }) => name);
  const columns = [...series.map(({ amounts }) => amounts), ...Object.values(computed)];
  const row = (label: string, amountIn: (amounts: number[]) => number) => ({
    label,
    cells: columns.map((amounts) => dollars(amountIn(amounts))),
  });
  const link = (index: number, last = index) => {
    const to = series[0]?.listUrl(monthFilters(year, index, business, last));
    return to ? { to } : {};
  };
  const rows: ChartTableRow[] = MONTHS.slice(0, monthCount).map((_, i) => ({
    ...row(monthLabel(i, year, now), (amounts) => amounts[i] ?? 0),
    ...link(i),
  }));
  if (monthsAhead(figures, monthCount, year, business))
    rows.push({
      ...row(aheadLabel(monthCount), (amounts) => sum(amounts.slice(monthCount))),
      ...link(monthCount, MONTHS.length - 1),
    });
  return {
    headers: ["Month", ...names, ...Object.keys(computed)],
    rows,
    total: row(String(year), sum),
  };
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
