import type { CSSProperties, ReactNode } from "react";
import { amountTicks, compactDollars } from "~/domain/axis-ticks";
import { formatDay } from "~/domain/day-text";
import { type BusinessNames, businessName } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { PERIOD_NAMES, resolvePeriod, type Scope, scopeSearch } from "~/domain/periods";
import { FiguresTable } from "~/features/bookkeeping/report-parts";
import type { BusinessFigures } from "~/features/bookkeeping/schema";
import { consoleUrl } from "~/features/chat/console-params";
import type { ChatReport } from "~/features/chat/limits";
import { waitingTime } from "~/features/console/time-format";
import { Link } from "~/ui/navigation";
import { formatDayOfYear, TrendMark } from "./figure-parts";
import {
  documentListUrl,
  expenseListUrl,
  invoiceListUrl,
  type MonthToDate,
  trend,
  wholePercent,
} from "./figures";
import type { DashboardPage } from "./page.server";

interface ProfitProps {
  page: DashboardPage;
  figures: BusinessFigures[];
  businessNames: BusinessNames;
}

/** Shows sales, expenses and profit by business; the heading leads to the Bookkeeping page of the period. */
export function Profit({ page: { scope, periods }, figures, businessNames }: ProfitProps) {
  const { days } = resolvePeriod(scope.period, periods.today);
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
          head: businessName(business, businessNames),
          cells: profitCells(sales, expenses, {
            sales: invoiceListUrl({ businessType: business, ...days }),
            expenses: expenseListUrl({ businessType: business, ...days }),
          }),
        }))}
        foot={profitCells(sum("sales"), sum("expenses"), {
          sales: invoiceListUrl(days ?? {}),
          expenses: expenseListUrl(days ?? {}),
        })}
      />
    </article>
  );
}

/** Lists the cells of a profit. @param to lists of the sales and expenses */
function profitCells(sales: number, expenses: number, to: { sales: string; expenses: string }) {
  const profit = sales - expenses;
  const share = sales > 0 && profit > 0 ? wholePercent((profit / sales) * 100) : null;
  return [
    <Link key="sales" to={to.sales}>
      {dollars(sales)}
    </Link>,
    <Link key="expenses" to={to.expenses}>
      {dollars(expenses)}
    </Link>,
    <span key="profit">
      <b>{dollars(profit)}</b> {share && <small>{share}</small>}
    </span>,
  ];
}

interface MonthProps {
  month: MonthToDate;
  business: Scope["business"];
}

const MONTH_DAYS = 31;
const LABELLED_DAYS = [1, 7, 14, 21, 28];

/** Distance of a day from the left edge of the chart, percent. */
const dayX = (day: number) => ((day - 1) / (MONTH_DAYS - 1)) * 100;
const monthName = (day: string) => formatDay(day).split(" ")[1];

/** Compares this month with the same days of the month before. */
export function MonthSoFar({ month, business }: MonthProps) {
  const own = business ? { businessType: business } : {};
  const { cents, previousCents, days, previousDays } = month;
  return (
    <article className="panel figures-panel">
      <header>
        <h2>Month to date</h2>
        <p className="soft month-key">
          <span className="now">{monthName(days.to)}</span>{" "}
          <span className="before">{monthName(previousDays.to)}</span>
        </p>
      </header>
      <p className="trend">
        <Link to={invoiceListUrl({ ...own, ...days })}>
          <b>{dollars(cents)}</b>
        </Link>{" "}
        <TrendMark {...trend(cents, previousCents)} /> vs{" "}
        <Link to={invoiceListUrl({ ...own, ...previousDays })}>{dollars(previousCents)}</Link>
        <span className="soft"> by {formatDayOfYear(previousDays.to)}</span>
      </p>
      <MonthChart month={month} />
    </article>
  );
}

/** Draws the lines in percent of the chart; labels stand beside them in their own size. */
function MonthChart({ month: { series, previousSeries } }: { month: MonthToDate }) {
  const ticks = amountTicks([...series, ...previousSeries], MAX_GRID_LINES);
  const most = Math.max(...ticks);
  const height = (cents: number) => (Math.max(0, cents) / most) * 100;
  const line = (values: number[]) =>
    values.map((cents, i) => `${dayX(i + 1).toFixed(1)},${(100 - height(cents)).toFixed(1)}`).join(" ");
  return (
    <div className="month-chart" aria-hidden="true">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {ticks.map((cents) => (
          <line key={cents} x1="0" x2="100" y1={100 - height(cents)} y2={100 - height(cents)} />
        ))}
        <polyline className="before" points={line(previousSeries)} />
        <polyline className="now" points={line(series)} />
      </svg>
      {ticks.map((cents) => (
        <span key={cents} className="month-amount" style={place(0, height(cents))}>
          {compactDollars(cents)}
        </span>
      ))}
      {LABELLED_DAYS.map((day) => (
        <span key={day} className="month-day" style={place(dayX(day), 0)}>
          {day}
        </span>
      ))}
      <i style={place(dayX(series.length), height(series.at(-1) ?? 0))} />
    </div>
  );
}

/** Grid lines above zero that the chart has room for. */
const MAX_GRID_LINES = 3;

/** Place in the chart, percent from the left and from below. */
const place = (x: number, y: number) =>
  ({ "--x": `${x.toFixed(1)}%`, "--y": `${y.toFixed(1)}%` }) as CSSProperties;

interface ChatsProps {
  chats: NonNullable<DashboardPage["chats"]>;
  page: DashboardPage;
}

/** Shows how many chats became sales, what was sold through chats, and how fast persons answer. */
export function Chats({ chats, page: { scope, periods } }: ChatsProps) {
  const { begun, sold, answered, answerSeconds, revenueCents } = chats;
  const period = scope.period === "all" ? "this-month" : scope.period;
  const { days } = resolvePeriod(period, periods.today);
  const own = scope.business ? { business: scope.business } : {};
  const to = (kind: ChatReport) => consoleUrl({ report: { kind, scope: { ...scope, period } } });
  return (
    <article className="panel figures-panel">
      <header>
        <h2>
          <Link to={to("begun")}>Chats</Link>
        </h2>
        <p className="soft">{PERIOD_NAMES[period]}</p>
      </header>
      <dl className="figure-list">
        <ChatFigure name="Became sales" note={begun > 0 && wholePercent((sold / begun) * 100)}>
          <Link to={to("sold")}>
            <b>{sold}</b>
          </Link>{" "}
          of <Link to={to("begun")}>{begun}</Link>
        </ChatFigure>
        <ChatFigure
          name="Sales from chats"
          note={<Link to={documentListUrl({ source: "chat", ...own, ...days })}>Documents</Link>}
        >
          <Link to={to("paid")}>
            <b>{dollars(revenueCents)}</b>
          </Link>
        </ChatFigure>
        <ChatFigure name="First answer by a person" note={answered > 0 && `median of ${answered}`}>
          <Link to={to("answered")}>
            <b>{answerSeconds === null ? "None yet" : duration(answerSeconds)}</b>
          </Link>
        </ChatFigure>
      </dl>
    </article>
  );
}

interface ChatFigureProps {
  name: string;
  note: ReactNode;
  children: ReactNode;
}

function ChatFigure({ name, note, children }: ChatFigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children} {note && <small>{note}</small>}
      </dd>
    </div>
  );
}

/** Formats a time to answer: `45 s`, `6 min`, `1 h 20 min`, `2 d`. */
function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : waitingTime(0, seconds);
}
