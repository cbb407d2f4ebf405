import { Fragment, lazy, type ReactNode } from "react";
import { PAYMENT_NAMES } from "~/domain/enums";
import { PERIOD_NAMES } from "~/domain/periods";
import { categoryLabel, invoiceListUrl, oneDecimalPercent, wholePercent } from "~/features/dashboard/figures";
import { Link } from "~/ui/navigation";
import type { ChartId } from "./charts";
import { type Month, visibleMonths } from "./months";
import type { AnalyticsPage, ChartFigures } from "./page.server";
import {
  type ChartTableProps,
  type MonthlySeries,
  type MonthsAhead,
  monthsAhead,
  monthTable,
  type Part,
  type Slice,
  shareTable,
  slicesOf,
} from "./tables";

// recharts is loaded with the first chart.
const lineCharts = () => import("./line-charts.client");
const shareCharts = () => import("./share-charts.client");
const MonthlyChart = lazy(async () => ({ default: (await lineCharts()).MonthlyChart }));
const SalesVsExpensesChart = lazy(async () => ({ default: (await lineCharts()).SalesVsExpensesChart }));
const AmountBars = lazy(async () => ({ default: (await shareCharts()).AmountBars }));
const PaymentChart = lazy(async () => ({ default: (await shareCharts()).PaymentChart }));

interface Card<Figures> {
  period: (page: AnalyticsPage) => string;
  legend?: ReactNode;
  /** Builds what the figures fill. @param label text alternative of the drawing */
  contents: (figures: Figures, page: AnalyticsPage, label: string) => Contents;
}

interface Contents {
  /** Message in place of a chart without figures. */
  empty: ReactNode;
  table: ChartTableProps;
  /** Explanation below the chart. */
  note?: ReactNode;
  /** Chart, rendered in the browser only. */
  drawing: ReactNode;
}

const NO_SALES = "No sales yet. The first invoice is the first point here.";

/** Card of each chart: its table for screen readers, its drawing and the text in place of an empty one. */
export const CARDS: { [Id in ChartId]: Card<ChartFigures[Id]> } = {
  monthly: byMonth({
    empty: "No sales",
    draw: (props) => <MonthlyChart {...props} />,
  }),
  categories: byPeriod({
    empty: NO_SALES,
    headers: ["Category", "Sales"],
    parts: (categories, filters) =>
      categories.map(({ category, amount }) => ({
        name: categoryLabel(category),
        amount,
        url: invoiceListUrl({ ...filters, category }),
      })),
    formatShare: oneDecimalPercent,
    draw: (bars, label) => <AmountBars bars={bars} colour="var(--sales)" label={label} />,
  }),
  versus: byMonth({
    empty: "No sales and no expenses",
    legend: <Legend />,
    computed: ({ sales, expenses }) => ({
      Profit: sales.map((amount, i) => amount - (expenses[i] ?? 0)),
    }),
    draw: (props) => <SalesVsExpensesChart {...props} />,
  }),
  payments: byPeriod({
    empty: NO_SALES,
    headers: ["Method", "Sales"],
    parts: (payments, filters) =>
      payments.map(({ mode, amount }) => ({
        name: PAYMENT_NAMES[mode],
        amount,
        url: invoiceListUrl({ ...filters, paymentMode: mode }),
      })),
    formatShare: wholePercent,
    draw: (slices, label) => <PaymentChart slices={slices} label={label} />,
  }),
};

interface MonthCard<Series> {
  /** Of a year without entries: `No sales`. */
  empty: string;
  legend?: ReactNode;
  /** Further columns of the table, by header. */
  computed?: (series: Series) => Record<string, number[]>;
  draw: (props: Series & { monthCount: number; year: number; now: Month; label: string }) => ReactNode;
}

/** Describes a chart of the months of the year. */
function byMonth<Series extends MonthlySeries>(card: MonthCard<Series>): Card<Series> {
  return {
    period: ({ year }) => String(year),
    legend: card.legend,
    contents(figures, { year, now, scope: { business } }, label) {
      const series = Object.values(figures);
      const monthCount = visibleMonths(year, now, ...series);
      const isEmpty = series.flat().every((amount) => amount === 0);
      return {
        empty: isEmpty && <EmptyYear message={`${card.empty} in ${year}.`} year={year} now={now} />,
        table: monthTable(figures, monthCount, year, now, business, card.computed?.(figures)),
        note: <AheadNote ahead={monthsAhead(figures, monthCount, year, business)} />,
        drawing: card.draw({ ...figures, monthCount, year, now, label }),
      };
    },
  };
}

interface PeriodCard<Figures> {
  empty: string;
  /** Headers of the parts and of their amounts. */
  headers: [string, string];
  parts: (figures: Figures, filters: Parameters<typeof invoiceListUrl>[0]) => Part[];
  formatShare: (percent: number) => string;
  draw: (slices: Slice[], label: string) => ReactNode;
}

/** Describes a chart of the parts of the chosen period. */
function byPeriod<Figures>(card: PeriodCard<Figures>): Card<Figures> {
  return {
    period: ({ scope }) => PERIOD_NAMES[scope.period].toLowerCase(),
    contents(figures, { scope, days }, label) {
      const filters = { ...(scope.business && { businessType: scope.business }), ...days };
      const slices = slicesOf(card.parts(figures, filters));
      return {
        empty: slices.length === 0 && card.empty,
        table: shareTable(card.headers, slices, card.formatShare),
        drawing: card.draw(slices, label),
      };
    },
  };
}

function EmptyYear({ message, year, now }: { message: string } & Pick<AnalyticsPage, "year" | "now">) {
  return (
    <>
      {message} {year !== now.year && <Link to="/admin/graphs">Go to {now.year}</Link>}
    </>
  );
}

/** Names what is dated after the months of a chart, with links to its entries. */
function AheadNote({ ahead }: { ahead: MonthsAhead | null }) {
  if (!ahead) return null;
  return (
    <p className="hint">
      {ahead.label}:{" "}
      {ahead.parts.map(({ text, url }, i) => (
        <Fragment key={text}>
          {i > 0 && " and "}
          <Link className="link" to={url}>
            {text}
          </Link>
        </Fragment>
      ))}
      , not in the chart.
    </p>
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
