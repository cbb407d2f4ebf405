import { localDay } from "~/domain/days";
import type { BusinessNames } from "~/domain/enums";
import { type Period, parseScope, resolvePeriod, type Scope } from "~/domain/periods";
import { monthSeries, paymentAmounts } from "~/features/dashboard/figures";
import {
  categoryAmounts,
  expenseMonths,
  modeAmounts,
  saleMonths,
} from "~/features/ledger/operations/figures.server";
import { type FigureScope, findSaleTotals, findYears } from "~/features/ledger/queries/sums.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { CHARTS, type ChartId } from "./charts";
import { type Month, parseYear } from "./months";

/** Figures of each chart; amounts in cents, of months twelve from January on. */
export type ChartFigures = { [Id in ChartId]: Awaited<ReturnType<typeof chartReads>[Id]> };

/** Figures of one chart, or the error message in their place. */
interface ChartData<T> {
  data: T | null;
  failure: string | null;
}

/** Data of the analytics screen. */
export interface AnalyticsPage {
  year: number;
  /** Current month in the shop's time zone. */
  now: Month;
  scope: Scope;
  /** Days of the charts that are not by month; null is all time. */
  days: Period["days"];
  businessNames: BusinessNames;
  /** Years with entries. */
  years: number[];
  charts: { [Id in ChartId]: ChartData<ChartFigures[Id]> };
  /** Error message when no chart could be read. */
  failure: string | null;
}

/** Reads the charts of the year in the page's URL in one D1 round trip; each may fail without the others. */
export const readAnalytics = operation({
  access: "manager",
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
  const reads = chartReads(context, year, { business, days });
  const [years, ...figures] = await Promise.all([
    resultOrNull(findYears(context.db, business)),
    ...CHARTS.map(async (chart) => ({ ...chart, ...(await settledResult<unknown>(reads[chart.id])) })),
  ]);
  const charts = figures.map(({ id, name, value, message }) => [
    id,
    { data: value, failure: message === null ? null : `Failed to fetch ${name}: ${message}` },
  ]);
  const hasFailed = figures.every(({ message }) => message !== null);
  return {
    year,
    now,
    scope,
    days,
    businessNames: context.settings.businesses,
    years: years ?? [],
    charts: Object.fromEntries(charts) as AnalyticsPage["charts"],
    failure: hasFailed ? `Failed to fetch graphs data: ${figures[0]?.message}` : null,
  };
}

/** Reads the figures of each chart: by month those of the year, otherwise those of the scope. */
function chartReads(context: StaffContext, year: number, scope: FigureScope) {
  const sales = saleMonths(context, year, scope.business).then(monthSeries);
  const totals = findSaleTotals(context.db, scope);
  return {
    monthly: sales.then((amounts) => ({ sales: amounts })),
    categories: totals.then(categoryAmounts).then((rows) => rows.toSorted((a, b) => b.amount - a.amount)),
    versus: Promise.all([sales, expenseMonths(context, year, scope.business)]).then(([amounts, months]) => ({
      sales: amounts,
      expenses: monthSeries(months),
    })),
    payments: totals.then(modeAmounts).then(paymentAmounts),
  };
}
