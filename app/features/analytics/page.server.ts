import type { Slice } from "~/features/dashboard/figures";
import { analyticsFigures } from "~/features/dashboard/figures.server";
import { localDay } from "~/features/ledger/days";
import type { CategoryAmount } from "~/features/ledger/views";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput, type Settled } from "~/http/page.server";
import { type Month, parseYear } from "./months";

/** Figures of one chart, or the error message in their place. */
export interface ChartData<T> {
  data: T | null;
  failure: string | null;
}

/** Data of the analytics screen; amounts in cents. */
export interface AnalyticsPage {
  year: number;
  /** Current month in the shop's time zone. */
  now: Month;
  monthly: ChartData<number[]>;
  categories: ChartData<CategoryAmount[]>;
  versus: ChartData<{ sales: number[]; expenses: number[] }>;
  payments: ChartData<Slice[]>;
  /** Error message when no chart could be read. */
  failure: string | null;
}

/** Reads the four charts of the year in the page's URL; each may fail without the others. */
export const readAnalytics = operation({
  access: "staff",
  input: PageInput,
  run: ({ input, ...context }) => analyticsPage(context, new URL(input.url)),
});

async function analyticsPage(context: StaffContext, url: URL): Promise<AnalyticsPage> {
  const today = localDay(context.now, context.settings.timezone);
  const now = { year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) };
  const year = parseYear(url.searchParams.get("year"), now.year);
  const { monthlySales, monthlyExpenses, categories, payments } = await analyticsFigures(context, year);
  const all = [monthlySales, monthlyExpenses, categories, payments];
  const [first] = all;
  return {
    year,
    now,
    monthly: chart(monthlySales, "Failed to fetch monthly sales graph: "),
    categories: chart(categories, "Failed to fetch Category graph: "),
    versus: chart(both(monthlySales, monthlyExpenses), "Failed to fetch sales vs expenses graph: "),
    payments: chart(payments, "Failed to fetch payment method graph: "),
    failure: all.every(({ message }) => message !== null)
      ? `Failed to fetch graphs data: ${first?.message}`
      : null,
  };
}

function chart<T>({ value, message }: Settled<T>, prefix: string): ChartData<T> {
  return { data: value, failure: message === null ? null : prefix + message };
}

function both(
  sales: Settled<number[]>,
  expenses: Settled<number[]>,
): Settled<{ sales: number[]; expenses: number[] }> {
  if (sales.message !== null) return sales;
  if (expenses.message !== null) return expenses;
  return { value: { sales: sales.value, expenses: expenses.value }, message: null };
}
