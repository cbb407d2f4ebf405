import { localDay } from "~/domain/days";
import { type Period, parseScope, resolvePeriod, type Scope } from "~/domain/periods";
import { monthSeries, paymentSlices, type Slice } from "~/features/dashboard/figures";
import {
  expenseMonths,
  saleCategories,
  saleMonths,
  salePayments,
} from "~/features/ledger/operations/figures.server";
import { findYears } from "~/features/ledger/queries/sums.queries.server";
import type { CategoryAmount } from "~/features/ledger/views";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, type Settled, settledResult } from "~/http/page.server";
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
  scope: Scope;
  /** Days of the categories and payment methods; null is all time. */
  days: Period["days"];
  shopName: string;
  /** Years with entries. */
  years: number[];
  /** Twelve amounts from January on. */
  monthly: ChartData<number[]>;
  /** Largest first. */
  categories: ChartData<CategoryAmount[]>;
  versus: ChartData<{ sales: number[]; expenses: number[] }>;
  payments: ChartData<Slice[]>;
  /** Error message when no chart could be read. */
  failure: string | null;
}

/** Reads the four charts of the year in the page's URL in one D1 round trip; each may fail without the others. */
export const readAnalytics = operation({
  access: "staff",
  input: PageInput,
  run: ({ input, ...context }) => analyticsPage(context, new URL(input.url)),
});

async function analyticsPage(context: StaffContext, url: URL): Promise<AnalyticsPage> {
  const today = localDay(context.now, context.settings.timezone);
  const now = { year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) };
  const scope = parseScope(url.searchParams);
  const { days } = resolvePeriod(scope.period, today);
  const { business } = scope;
  // A chosen period decides on the year of all charts.
  const year = parseYear(days?.to.slice(0, 4) ?? url.searchParams.get("year"), now.year);
  const [years, ...figures] = await Promise.all([
    resultOrNull(findYears(context.db, business)),
    settledResult(saleMonths(context, year, business).then(monthSeries)),
    settledResult(expenseMonths(context, year, business).then(monthSeries)),
    settledResult(
      saleCategories(context, { business, days }).then((rows) =>
        rows.toSorted((a, b) => b.amount - a.amount),
      ),
    ),
    settledResult(salePayments(context, { business, days }).then(paymentSlices)),
  ]);
  const [sales, expenses, categories, payments] = figures;
  const hasFailed = figures.every(({ message }) => message !== null);
  return {
    year,
    now,
    scope,
    days,
    shopName: context.settings.name,
    years: years ?? [],
    monthly: chart(sales, "Failed to fetch monthly sales graph: "),
    categories: chart(categories, "Failed to fetch Category graph: "),
    versus: chart(both(sales, expenses), "Failed to fetch sales vs expenses graph: "),
    payments: chart(payments, "Failed to fetch payment method graph: "),
    failure: hasFailed ? `Failed to fetch graphs data: ${sales.message}` : null,
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
