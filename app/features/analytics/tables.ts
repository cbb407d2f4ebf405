import type { Business, PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { categoryLabel, invoiceListUrl, type Slice, wholePercent } from "~/features/dashboard/figures";
import type { CategoryAmount } from "~/features/ledger/views";
import type { ChartTableProps, ChartTableRow } from "./ChartCard";
import { MONTH_NAMES, MONTHS, type Month } from "./months";

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

const monthSalesUrl = (...month: Parameters<typeof monthFilters>) => invoiceListUrl(monthFilters(...month));

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

export function monthlyTable(
  sales: number[],
  monthCount: number,
  year: number,
  now: Month,
  business: Business | null = null,
): ChartTableProps {
  const rows = sales.slice(0, monthCount).map((amount, i) => ({
    label: monthLabel(i, year, now),
    cells: [dollars(amount)],
    to: monthSalesUrl(year, i, business),
  }));
  const ahead = monthsAhead([sales], monthCount, year, business);
  return {
    caption: `Monthly Sales, ${year}`,
    headers: ["Month", "Sales"],
    rows: [...rows, ...aheadRow(ahead, ahead?.amounts ?? [])],
    total: { label: String(year), cells: [dollars(sum(sales))] },
  };
}

function aheadRow(ahead: MonthsAhead | null, amounts: number[]): ChartTableRow[] {
  return ahead
    ? [{ label: ahead.label, cells: amounts.map(dollars), to: invoiceListUrl(ahead.filters) }]
    : [];
}

export function salesVsExpensesTable(
  { sales, expenses }: { sales: number[]; expenses: number[] },
  monthCount: number,
  year: number,
  now: Month,
  business: Business | null = null,
): ChartTableProps {
  const row = (label: string, sold: number, spent: number): ChartTableRow => ({
    label,
    cells: [dollars(sold), dollars(spent), dollars(sold - spent)],
  });
  const rows = sales.slice(0, monthCount).map((sold, i) => ({
    ...row(monthLabel(i, year, now), sold, expenses[i] ?? 0),
    to: monthSalesUrl(year, i, business),
  }));
  const ahead = monthsAhead([sales, expenses], monthCount, year, business);
  const [sold = 0, spent = 0] = ahead?.amounts ?? [];
  return {
    caption: `Sales vs Expenses, ${year}`,
    headers: ["Month", "Sales", "Expenses", "Profit"],
    rows: [...rows, ...aheadRow(ahead, [sold, spent, sold - spent])],
    total: row(String(year), sum(sales), sum(expenses)),
  };
}

/** Filters of the list of invoices. */
type RowFilters = Parameters<typeof invoiceListUrl>[0];

export function categoryTable(
  categories: CategoryAmount[],
  period = "all time",
  filters: RowFilters = {},
): ChartTableProps {
  const total = sum(categories.map(({ amount }) => amount));
  const share = (amount: number) => (total > 0 ? `${((amount / total) * 100).toFixed(1)}%` : "0%");
  return {
    caption: `Sales by Category, ${period}`,
    headers: ["Category", "Sales", "Share"],
    rows: categories.map(({ category, amount }) => ({
      label: categoryLabel(category),
      cells: [dollars(amount), share(amount)],
      to: invoiceListUrl({ ...filters, category }),
    })),
    total: { label: "Total", cells: [dollars(total), "100%"] },
  };
}

const MODES: Record<string, PaymentMode> = { Cash: "CASH", EMT: "EMT", Card: "CARD" };

export function paymentTable(
  slices: Slice[],
  period = "all time",
  filters: RowFilters = {},
): ChartTableProps {
  return {
    caption: `Payment Methods, ${period}`,
    headers: ["Method", "Sales", "Share"],
    rows: slices.map(({ name, amount, percent }) => ({
      label: name,
      cells: [dollars(amount), wholePercent(percent)],
      ...(MODES[name] && { to: invoiceListUrl({ ...filters, paymentMode: MODES[name] }) }),
    })),
    total: { label: "Total", cells: [dollars(sum(slices.map(({ amount }) => amount))), "100%"] },
  };
}
