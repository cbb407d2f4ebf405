import type { ReactNode } from "react";
import { type BusinessNames, EXPENSE_TYPES, expenseTypeName } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { PERIOD_NAMES, resolvePeriod, scopeSearch } from "~/domain/periods";
import { ScopeSwitch } from "~/features/bookkeeping/report-parts";
import type { BusinessExpenses } from "~/features/ledger/views";
import { FirstRun } from "~/features/settings/first-run/FirstRun";
import { StatusRegion } from "~/ui/StatusRegion";
import { Chats, MonthSoFar, Profit } from "./FigurePanels";
import {
  Breakdown,
  MonthFact,
  type Part,
  ProfitFact,
  StatCard,
  TaxFact,
  TodayFact,
  TrendMark,
  taxLink,
} from "./figure-parts";
import { expenseListUrl, invoiceListUrl, oneDecimalPercent, singleDay, trend } from "./figures";
import type { DashboardPage } from "./page.server";

interface DashboardProps {
  page: DashboardPage;
  businessNames: BusinessNames;
}

/** Shows sales and expenses; each figure links to its entries. */
export function Dashboard({ page, businessNames }: DashboardProps) {
  const shared = { isFailed: page.expensesFailed, rows: scopeRows(page) };
  return (
    <>
      <StatusRegion message={page.failure} answer={page} />
      <div className="scope-tools">
        <ScopeSwitch key={scopeSearch(page.scope)} scope={page.scope} businessNames={businessNames} />
      </div>
      <FirstRun steps={page.firstRun} />
      <Stats {...page} />
      <section className="figures-row" aria-label="Profit, month and chats">
        {page.profit && <Profit page={page} figures={page.profit} businessNames={businessNames} />}
        {page.month && <MonthSoFar month={page.month} business={page.scope.business} />}
        {page.chats && <Chats chats={page.chats} page={page} />}
      </section>
      <section className="breakdowns" aria-label="Breakdowns">
        <div className="breakdown-stack">
          <PaymentMethods {...page} />
          <SalesBreakdown {...page} />
        </div>
        {page.scope.business !== "LASER" && (
          <Expenses
            title={`${businessNames.EMPORIA} Expenses Breakdown`}
            business="EMPORIA"
            amounts={page.expenses.emporia}
            {...shared}
          />
        )}
        {page.scope.business !== "EMPORIA" && (
          <Expenses
            title={`${businessNames.LASER} Expenses Breakdown`}
            business="LASER"
            amounts={page.expenses.laser}
            {...shared}
          />
        )}
      </section>
    </>
  );
}

/** Returns the list filters of the dashboard's business and period. */
function scopeRows({ scope, periods }: DashboardPage): RowFilters {
  const { days } = resolvePeriod(scope.period, periods.today);
  return { ...(scope.business && { businessType: scope.business }), ...days };
}

type RowFilters = { businessType?: string; from?: string; to?: string };

function Stats(page: DashboardPage) {
  const { sales, salesFailed, expenses, expensesFailed, scope } = page;
  const { totalAmount, todayAmount } = sales;
  return (
    <section className="stat-cards" aria-label="Totals">
      <StatCard
        label="Total Sales"
        cents={totalAmount}
        to={invoiceListUrl(scopeRows(page))}
        more={<ProfitFact page={page} />}
      >
        {scope.period === "all" ? (
          <Compared isFailed={salesFailed} now={totalAmount} before={totalAmount - todayAmount}>
            vs yesterday
          </Compared>
        ) : (
          PERIOD_NAMES[scope.period]
        )}
      </StatCard>
      <RecentStats {...page} />
      <StatCard
        label="Total Expenses"
        cents={expenses.totalAmount}
        to={expenseListUrl(scopeRows(page))}
        more={<TaxFact page={page} />}
        links={taxLink(page)}
      >
        {expensesFailed ? <ReadFailed /> : <ShareOfSales spent={expenses.totalAmount} earned={totalAmount} />}
      </StatCard>
    </section>
  );
}

/** Sales of today and of this month, which the period does not change. */
function RecentStats({ sales, salesFailed, periods, scope, chats, month }: DashboardPage) {
  const own = scope.business ? { businessType: scope.business } : {};
  const { todayAmount, yesterdayAmount, currentMonthAmount, lastMonthAmount } = sales;
  return (
    <>
      <StatCard
        label="Today's Sales"
        cents={todayAmount}
        to={invoiceListUrl({ ...own, ...singleDay(periods.today) })}
        isHighlighted
        more={chats && <TodayFact chats={chats} />}
      >
        <Compared isFailed={salesFailed} now={todayAmount} before={yesterdayAmount}>
          vs {dollars(yesterdayAmount)} yesterday
        </Compared>
      </StatCard>
      <StatCard
        label="This Month"
        cents={currentMonthAmount}
        to={invoiceListUrl({ ...own, ...periods.month })}
        more={month && <MonthFact month={month} />}
      >
        <Compared isFailed={salesFailed} now={currentMonthAmount} before={lastMonthAmount}>
          vs {dollars(lastMonthAmount)} last month
        </Compared>
      </StatCard>
    </>
  );
}

interface ComparedProps {
  isFailed: boolean;
  /** Cents. */
  now: number;
  before: number;
  children: ReactNode;
}

function Compared({ isFailed, now, before, children }: ComparedProps) {
  if (isFailed) return <ReadFailed />;
  return (
    <>
      <TrendMark {...trend(now, before)} /> {children}
    </>
  );
}

const ReadFailed = () => <b className="down">Could not be read</b>;

function ShareOfSales({ spent, earned }: { spent: number; earned: number }) {
  if (earned <= 0) return "all time";
  return (
    <>
      <b>{oneDecimalPercent((spent / earned) * 100)}</b> of total sales
    </>
  );
}

function PaymentMethods(page: DashboardPage) {
  const { sales, salesFailed } = page;
  const rows = scopeRows(page);
  const parts: Part[] = [
    { label: "Cash", cents: sales.cashAmount, to: invoiceListUrl({ ...rows, paymentMode: "CASH" }) },
    { label: "Card", cents: sales.cardAmount, to: invoiceListUrl({ ...rows, paymentMode: "CARD" }) },
    { label: "EMT", cents: sales.emtAmount, to: invoiceListUrl({ ...rows, paymentMode: "EMT" }) },
  ];
  const total = { cents: sales.totalAmount, to: invoiceListUrl(rows) };
  return (
    <Breakdown
      title="Sales by Payment Method"
      parts={parts}
      total={total}
      kind="sales"
      isFailed={salesFailed}
    />
  );
}

function SalesBreakdown(page: DashboardPage) {
  const { sales, salesFailed, periods, scope } = page;
  const own = scope.business ? { businessType: scope.business } : {};
  const engraving = { category: "ENGRAVING", paymentMode: "CARD" } as const;
  const parts: Part[] = [
    { label: "Today", cents: sales.todayAmount, to: invoiceListUrl({ ...own, ...singleDay(periods.today) }) },
    {
      label: "Yesterday",
      cents: sales.yesterdayAmount,
      to: invoiceListUrl({ ...own, ...singleDay(periods.yesterday) }),
    },
    {
      label: "Current month",
      cents: sales.currentMonthAmount,
      to: invoiceListUrl({ ...own, ...periods.month }),
    },
    {
      label: "Last month",
      cents: sales.lastMonthAmount,
      to: invoiceListUrl({ ...own, ...periods.lastMonth }),
    },
    {
      label: "Engraving, card",
      cents: sales.engravingCardAmount,
      to: invoiceListUrl({ ...scopeRows(page), ...engraving }),
    },
  ];
  return <Breakdown title="Sales Breakdown" parts={parts} kind="sales" isFailed={salesFailed} />;
}

interface ExpensesProps {
  title: string;
  business: "EMPORIA" | "LASER";
  amounts: BusinessExpenses;
  isFailed: boolean;
  rows: RowFilters;
}

/** Lists one business's expenses in a fixed order, so that the two businesses line up. */
function Expenses({ title, business, amounts, isFailed, rows }: ExpensesProps) {
  const parts = EXPENSE_TYPES.map((type) => ({
    label: expenseTypeName(type),
    cents: amounts[type.toLowerCase() as Lowercase<typeof type>],
    to: expenseListUrl({ ...rows, businessType: business, expenseType: type }),
  }));
  const total = { cents: amounts.totalAmount, to: expenseListUrl({ ...rows, businessType: business }) };
  return <Breakdown title={title} parts={parts} total={total} kind="spend" isFailed={isFailed} />;
}
