import { lazy, type ReactNode } from "react";
import { dollars } from "~/domain/money";
import { PERIOD_NAMES, scopeSearch } from "~/domain/periods";
import { ScopeSwitch } from "~/features/bookkeeping/report-parts";
import { expenseListUrl, invoiceListUrl } from "~/features/dashboard/figures";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { StaticToast } from "~/ui/Toasts";
import { ChartCard } from "./ChartCard";
import { adjacentYears, offeredYears, visibleMonths } from "./months";
import type { AnalyticsPage } from "./page.server";
import {
  categoryTable,
  type MonthsAhead,
  monthlyTable,
  monthsAhead,
  paymentTable,
  salesVsExpensesTable,
} from "./tables";

// recharts is loaded with the first chart.
const lineCharts = () => import("./line-charts.client");
const shareCharts = () => import("./share-charts.client");
const MonthlyChart = lazy(async () => ({ default: (await lineCharts()).MonthlyChart }));
const SalesVsExpensesChart = lazy(async () => ({ default: (await lineCharts()).SalesVsExpensesChart }));
const CategoryChart = lazy(async () => ({ default: (await shareCharts()).CategoryChart }));
const PaymentChart = lazy(async () => ({ default: (await shareCharts()).PaymentChart }));

/** Shows the four charts; each may fail without the others. */
export function Analytics({ page }: { page: AnalyticsPage }) {
  return (
    <>
      <Failures page={page} />
      <div className="button-row">
        <ScopeSwitch
          key={scopeSearch(page.scope)}
          scope={page.scope}
          shopName={page.shopName}
          kept={page.days || page.year === page.now.year ? {} : { year: String(page.year) }}
        />
        <YearSwitch page={page} />
      </div>
      <section className="charts" aria-label="Charts">
        <Monthly {...page} />
        <Categories {...page} />
        <SalesVsExpenses {...page} />
        <Payments {...page} />
      </section>
    </>
  );
}

function Failures({ page }: { page: AnalyticsPage }) {
  const { monthly, categories, versus, payments, failure } = page;
  const each = [monthly, categories, versus, payments].map((chart) => chart.failure);
  const messages = (failure ? [failure] : each).filter((message) => message !== null);
  if (messages.length === 0) return null;
  return (
    <div className="toasts" role="status">
      {messages.map((message) => (
        <StaticToast key={message} message={message} />
      ))}
    </div>
  );
}

const NO_SALES = "No sales yet. The first invoice is the first point here.";

function EmptyYear({ message, year, now }: { message: string } & Pick<AnalyticsPage, "year" | "now">) {
  return (
    <>
      {message} {year !== now.year && <Link to="/admin/graphs">Go to {now.year}</Link>}
    </>
  );
}

function Monthly({ monthly: { data, failure }, year, now, scope }: AnalyticsPage) {
  const monthCount = data ? visibleMonths(year, now, data) : 0;
  const isEmpty = data?.every((amount) => amount === 0) ?? false;
  return (
    <ChartCard
      title="Monthly Sales"
      period={String(year)}
      failure={failure}
      empty={isEmpty && <EmptyYear message={`No sales in ${year}.`} year={year} now={now} />}
      table={data && monthlyTable(data, monthCount, year, now, scope.business)}
      note={data && <AheadNote ahead={monthsAhead([data], monthCount, year, scope.business)} />}
    >
      {data && <MonthlyChart sales={data} monthCount={monthCount} year={year} now={now} />}
    </ChartCard>
  );
}

function SalesVsExpenses({ versus: { data, failure }, year, now, scope }: AnalyticsPage) {
  const monthCount = data ? visibleMonths(year, now, data.sales, data.expenses) : 0;
  const isEmpty = data ? [...data.sales, ...data.expenses].every((amount) => amount === 0) : false;
  return (
    <ChartCard
      title="Sales vs Expenses"
      period={String(year)}
      legend={<Legend />}
      failure={failure}
      empty={isEmpty && <EmptyYear message={`No sales and no expenses in ${year}.`} year={year} now={now} />}
      table={data && salesVsExpensesTable(data, monthCount, year, now, scope.business)}
      note={
        data && (
          <AheadNote ahead={monthsAhead([data.sales, data.expenses], monthCount, year, scope.business)} />
        )
      }
    >
      {data && <SalesVsExpensesChart {...data} monthCount={monthCount} year={year} now={now} />}
    </ChartCard>
  );
}

/** Names what is dated after the months of a chart, with links to its entries. */
function AheadNote({ ahead }: { ahead: MonthsAhead | null }) {
  if (!ahead) return null;
  const [sold = 0, spent = 0] = ahead.amounts;
  return (
    <p className="hint">
      {ahead.label}:{" "}
      {sold !== 0 && (
        <Link className="link" to={invoiceListUrl(ahead.filters)}>
          sales of {dollars(sold)}
        </Link>
      )}
      {sold !== 0 && spent !== 0 && " and "}
      {spent !== 0 && (
        <Link className="link" to={expenseListUrl(ahead.filters)}>
          expenses of {dollars(spent)}
        </Link>
      )}
      , not in the chart.
    </p>
  );
}

/** Returns the period of the scope in words, and the list filters behind its figures. */
function scopeRows({ scope, days }: AnalyticsPage) {
  const business = scope.business ? { businessType: scope.business } : {};
  return { period: PERIOD_NAMES[scope.period].toLowerCase(), filters: { ...business, ...days } };
}

function Categories(page: AnalyticsPage) {
  const { data, failure } = page.categories;
  const { period, filters } = scopeRows(page);
  return (
    <ChartCard
      title="Sales by Category"
      period={period}
      failure={failure}
      empty={data?.length === 0 ? NO_SALES : null}
      table={data && categoryTable(data, period, filters)}
    >
      {data && <CategoryChart categories={data} />}
    </ChartCard>
  );
}

function Payments(page: AnalyticsPage) {
  const { data, failure } = page.payments;
  const { period, filters } = scopeRows(page);
  return (
    <ChartCard
      title="Payment Methods"
      period={period}
      failure={failure}
      empty={data?.length === 0 ? NO_SALES : null}
      table={data && paymentTable(data, period, filters)}
    >
      {data && <PaymentChart slices={data} />}
    </ChartCard>
  );
}

/** Explains the two lines by colour, dash and marker. */
function Legend() {
  return (
    <span className="chart-legend">
      <span>
        <svg viewBox="0 0 24 12" aria-hidden="true">
          <path d="M1 6h22" stroke="var(--sales)" strokeWidth="2.25" strokeLinecap="round" />
          <circle cx="12" cy="6" r="3.5" fill="var(--sales)" />
        </svg>
        Sales
      </span>
      <span>
        <svg viewBox="0 0 24 12" aria-hidden="true">
          <path d="M1 6h22" stroke="var(--spend)" strokeWidth="2.25" strokeDasharray="5 3" />
          <path d="M8.5 2.5h7v7h-7z" fill="var(--spend)" />
        </svg>
        Expenses
      </span>
    </span>
  );
}

function YearSwitch({ page: { year, now, years, scope } }: { page: AnalyticsPage }) {
  const { before, after } = adjacentYears(year, now.year, years);
  const yearUrl = (each: number) => {
    const params = new URLSearchParams(scopeSearch({ ...scope, period: "all" }));
    if (each !== now.year) params.set("year", String(each));
    const search = params.toString();
    return search ? `/admin/graphs?${search}` : "/admin/graphs";
  };
  const to = (each: number | null) => (each === null ? null : yearUrl(each));
  return (
    <nav className="year-switch" aria-label="Year">
      <Step to={to(before)} label="Previous year">
        <Icon name="chevron-left" className="i s" />
      </Step>
      {offeredYears(year, now.year, years).map((each) => (
        <Link
          key={each}
          to={yearUrl(each)}
          aria-current={each === year ? "page" : undefined}
          preventScrollReset
        >
          {each}
        </Link>
      ))}
      <Step to={to(after)} label="Next year">
        <Icon name="chevron-right" className="i s" />
      </Step>
    </nav>
  );
}

function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  if (to === null) return null;
  return (
    <Link className="step" to={to} aria-label={label} title={label} preventScrollReset>
      {children}
    </Link>
  );
}
