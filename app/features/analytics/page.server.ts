import type { Slice } from "~/features/dashboard/figures";
import { graphFigures } from "~/features/dashboard/figures.server";
import { localDay } from "~/features/ledger/days";
import type { CategoryAmount } from "~/features/ledger/views";
import type { Settled } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { type Month, parseYear } from "./months";

/** A chart's figures; one that failed has none and says so (back office 8). */
export interface ChartData<T> {
  data: T | null;
  failure: string | null;
}

/** What the graphs show, in cents. */
export interface AnalyticsPage {
  year: number;
  /** The shop's present month. */
  now: Month;
  monthly: ChartData<number[]>;
  categories: ChartData<CategoryAmount[]>;
  versus: ChartData<{ sales: number[]; expenses: number[] }>;
  payments: ChartData<Slice[]>;
  /** Said when nothing at all could be read. */
  failure: string | null;
}

/**
 * The four graphs of a year (back office 2, Graphs), settled apart. The caller must have made sure that a member of
 * staff asks.
 */
export async function analyticsPage(context: RequestContext): Promise<AnalyticsPage> {
  const today = localDay(context.now, context.settings.timezone);
  const now = { year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) };
  const year = parseYear(new URL(context.request.url).searchParams.get("year"), now.year);
  const { monthlySales, monthlyExpenses, categories, payments } = await graphFigures(context, year);
  const all = [monthlySales, monthlyExpenses, categories, payments];
  const [first] = all;
  return {
    year,
    now,
    monthly: graph(monthlySales, "Failed to fetch monthly sales graph: "),
    categories: graph(categories, "Failed to fetch Category graph: "),
    versus: graph(both(monthlySales, monthlyExpenses), "Failed to fetch sales vs expenses graph: "),
    payments: graph(payments, "Failed to fetch payment method graph: "),
    failure: all.every(({ message }) => message !== null)
      ? `Failed to fetch graphs data: ${first?.message}`
      : null,
  };
}

function graph<T>({ value, message }: Settled<T>, said: string): ChartData<T> {
  return { data: value, failure: message === null ? null : said + message };
}

function both(
  sales: Settled<number[]>,
  expenses: Settled<number[]>,
): Settled<{ sales: number[]; expenses: number[] }> {
  if (sales.message !== null) return sales;
  if (expenses.message !== null) return expenses;
  return { value: { sales: sales.value, expenses: expenses.value }, message: null };
}
