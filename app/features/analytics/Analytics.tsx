import { Link } from "@remix-run/react";
import { lazy } from "react";
import { StaticToast } from "~/ui/Toasts";
import { ChartCard } from "./ChartCard";
import { Legend } from "./Legend";
import { visibleMonths } from "./months";
import type { AnalyticsPage } from "./page.server";
import { categoryTable, monthlyTable, paymentTable, salesVsExpensesTable } from "./tables";
import { YearSwitch } from "./YearSwitch";

const load = () => import("./charts.client");
const MonthlyChart = lazy(() => load().then(({ MonthlyChart }) => ({ default: MonthlyChart })));
const VersusChart = lazy(() =>
  load().then(({ SalesVsExpensesChart }) => ({ default: SalesVsExpensesChart })),
);
const CategoryChart = lazy(() => load().then(({ CategoryChart }) => ({ default: CategoryChart })));
const PaymentChart = lazy(() => load().then(({ PaymentChart }) => ({ default: PaymentChart })));

/** The four charts, settled apart (back office 2, Graphs). */
export function Analytics({ page }: { page: AnalyticsPage }) {
  return (
    <>
      <Failures page={page} />
      <YearSwitch year={page.year} thisYear={page.now.year} />
      <section className="charts" aria-label="Charts">
        <Monthly {...page} />
        <Categories {...page} />
        <Versus {...page} />
        <Payments {...page} />
      </section>
    </>
  );
}

/** What failed, for the status region: all at once, or each by itself. */
function Failures({ page }: { page: AnalyticsPage }) {
  const { monthly, categories, versus, payments, failure } = page;
  const each = [monthly, categories, versus, payments].map((graph) => graph.failure);
  const said = (failure ? [failure] : each).filter((message) => message !== null);
  if (said.length === 0) return null;
  return (
    <div className="toasts" role="status">
      {said.map((message) => (
        <StaticToast key={message} message={message} />
      ))}
    </div>
  );
}

const NO_SALES = "No sales yet. The first invoice is the first point here.";

/** A year without an entry, and the way to the one that has some. */
function NoYear({ words, year, now }: { words: string } & Pick<AnalyticsPage, "year" | "now">) {
  return (
    <>
      {words} {year !== now.year && <Link to="/admin/graphs">Go to {now.year}</Link>}
    </>
  );
}

function Monthly({ monthly: { data, failure }, year, now }: AnalyticsPage) {
  const shown = data ? visibleMonths(year, now, data) : 0;
  const isNothing = data?.every((amount) => amount === 0) ?? false;
  return (
    <ChartCard
      title="Monthly Sales"
      when={String(year)}
      failure={failure}
      nothing={isNothing && <NoYear words={`No sales in ${year}.`} year={year} now={now} />}
      table={data && monthlyTable(data, shown, year, now)}
    >
      {data && <MonthlyChart sales={data} shown={shown} year={year} now={now} />}
    </ChartCard>
  );
}

function Versus({ versus: { data, failure }, year, now }: AnalyticsPage) {
  const shown = data ? visibleMonths(year, now, data.sales, data.expenses) : 0;
  const isNothing = data ? [...data.sales, ...data.expenses].every((amount) => amount === 0) : false;
  return (
    <ChartCard
      title="Sales vs Expenses"
      when={String(year)}
      legend={<Legend />}
      failure={failure}
      nothing={isNothing && <NoYear words={`No sales and no expenses in ${year}.`} year={year} now={now} />}
      table={data && salesVsExpensesTable(data, shown, year, now)}
    >
      {data && <VersusChart {...data} shown={shown} year={year} now={now} />}
    </ChartCard>
  );
}

function Categories({ categories: { data, failure } }: AnalyticsPage) {
  return (
    <ChartCard
      title="Sales by Category"
      when="all time"
      failure={failure}
      nothing={data?.length === 0 ? NO_SALES : null}
      table={data && categoryTable(data)}
    >
      {data && <CategoryChart categories={data} />}
    </ChartCard>
  );
}

function Payments({ payments: { data, failure } }: AnalyticsPage) {
  return (
    <ChartCard
      title="Payment Methods"
      when="all time"
      failure={failure}
      nothing={data?.length === 0 ? NO_SALES : null}
      table={data && paymentTable(data)}
    >
      {data && <PaymentChart slices={data} />}
    </ChartCard>
  );
}
