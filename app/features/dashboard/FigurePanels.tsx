import { Link } from "@remix-run/react";
import { FiguresTable } from "~/features/bookkeeping/FiguresTable";
import { PERIOD_NAMES, type Scope, scopeSearch } from "~/features/bookkeeping/periods";
import type { BusinessFigures } from "~/features/bookkeeping/views";
import { businessName } from "~/features/ledger/enums";
import { formatDay } from "~/ui/dates";
import { dollars } from "~/ui/money";
import { invoiceListUrl, type MonthToDate, trend, wholePercent } from "./figures";
import type { DashboardPage } from "./page.server";
import type { ChatFigures } from "./queries.server";
import { TrendMark } from "./StatCard";

interface ProfitProps {
  page: DashboardPage;
  figures: BusinessFigures[];
  shopName: string;
}

/** Shows sales, expenses and profit by business; the heading leads to the books of the period. */
export function Profit({ page: { scope }, figures, shopName }: ProfitProps) {
  const visible = figures.filter(({ business }) => scope.business === null || business === scope.business);
  const sum = (name: "sales" | "expenses") => visible.reduce((total, row) => total + row[name], 0);
  return (
    <article className="panel figures-panel">
      <header>
        <h2>
          <Link to={`/admin/bookkeeping${scopeSearch(scope)}`}>Profit</Link>
        </h2>
        <p className="soft">{PERIOD_NAMES[scope.period]}</p>
      </header>
      <FiguresTable
        heads={["Sales", "Expenses", "Profit"]}
        rows={visible.map(({ business, sales, expenses }) => ({
          key: business,
          head: businessName(business, shopName),
          cells: profitCells(sales, expenses),
        }))}
        foot={profitCells(sum("sales"), sum("expenses"))}
      />
    </article>
  );
}

function profitCells(sales: number, expenses: number) {
  const profit = sales - expenses;
  const share = sales > 0 && profit > 0 ? wholePercent((profit / sales) * 100) : null;
  return [
    dollars(sales),
    dollars(expenses),
    <span key="profit">
      <b>{dollars(profit)}</b> {share && <small>{share}</small>}
    </span>,
  ];
}

interface MonthProps {
  month: MonthToDate;
  business: Scope["business"];
}

const CHART_WIDTH = 310;
const CHART_HEIGHT = 100;
const MONTH_DAYS = 31;

/** Compares this month with the same days of the month before. */
export function MonthSoFar({ month, business }: MonthProps) {
  const own = business ? { businessType: business } : {};
  const most = Math.max(1, ...month.series, ...month.beforeSeries);
  const line = (series: number[]) =>
    series
      .map((cents, i) => {
        const x = (i / (MONTH_DAYS - 1)) * CHART_WIDTH;
        return `${x.toFixed(1)},${(CHART_HEIGHT - (Math.max(0, cents) / most) * CHART_HEIGHT).toFixed(1)}`;
      })
      .join(" ");
  return (
    <article className="panel figures-panel">
      <header>
        <h2>Month to date</h2>
      </header>
      <p className="trend">
        <Link to={invoiceListUrl({ ...own, ...month.days })}>
          <b>{dollars(month.cents)}</b>
        </Link>{" "}
        <TrendMark {...trend(month.cents, month.beforeCents)} /> vs{" "}
        <Link to={invoiceListUrl({ ...own, ...month.beforeDays })}>{dollars(month.beforeCents)}</Link>
        <span className="soft"> by {formatDay(month.beforeDays.to)}</span>
      </p>
      <svg
        className="month-chart"
        viewBox={`-4 -4 ${CHART_WIDTH + 8} ${CHART_HEIGHT + 8}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <polyline className="before" points={line(month.beforeSeries)} />
        <polyline className="now" points={line(month.series)} />
      </svg>
    </article>
  );
}

interface ChatsProps {
  chats: ChatFigures;
  scope: Scope;
}

/** Shows how many chats became sales, and what was sold through chats. */
export function Chats({ chats: { begun, becameSales, revenueCents }, scope }: ChatsProps) {
  const period = scope.period === "all" ? PERIOD_NAMES["this-month"] : PERIOD_NAMES[scope.period];
  return (
    <article className="panel figures-panel">
      <header>
        <h2>
          <Link to="/admin/chat">Chats</Link>
        </h2>
        <p className="soft">{period}</p>
      </header>
      <dl className="figure-list">
        <div>
          <dt>Became sales</dt>
          <dd>
            <b>{becameSales}</b> of {begun}
            {begun > 0 && <small> {wholePercent((becameSales / begun) * 100)}</small>}
          </dd>
        </div>
        <div>
          <dt>Sales from chats</dt>
          <dd>
            <b>{dollars(revenueCents)}</b>
          </dd>
        </div>
      </dl>
    </article>
  );
}
