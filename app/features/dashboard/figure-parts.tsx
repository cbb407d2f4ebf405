import type { CSSProperties, ReactNode } from "react";
import { formatDay } from "~/domain/day-text";
import { dollars } from "~/domain/money";
import { scopeSearch } from "~/domain/periods";
import { allEntries, untaxedEntries } from "~/features/bookkeeping/entries";
import type { BusinessFigures } from "~/features/bookkeeping/schema";
import { TryAgain } from "~/ui/failure-parts";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { barWidth, type MonthToDate, oneDecimalPercent, type Trend, trend, wholePercent } from "./figures";
import type { DashboardPage } from "./page.server";

/** Formats an amount of cents; LOADING_AMOUNT is `Loading...`. */
function Amount({ cents }: { cents: number }) {
  return Number.isNaN(cents) ? <span className="soon">Loading...</span> : dollars(cents);
}

/** Characters that fit a card in the large size. */
const MAX_LARGE_LENGTH = 13;

function LargeAmount({ cents }: { cents: number }) {
  if (Number.isNaN(cents))
    return (
      <span className="stat-figure soon">
        <span className="spinner" aria-hidden="true" />
        Loading...
      </span>
    );
  const text = dollars(cents);
  const point = text.length - 3;
  return (
    <span className={text.length > MAX_LARGE_LENGTH ? "stat-figure long" : "stat-figure"}>
      {text.slice(0, point)}
      <i>{text.slice(point)}</i>
    </span>
  );
}

interface StatCardProps {
  label: string;
  cents: number;
  /** URL of the entries behind the figure. */
  to: string;
  isHighlighted?: boolean;
  /** Comparison below the figure. */
  children: ReactNode;
  /** Second fact below the comparison; null when it is not known. */
  more: ReactNode;
  /** Text with links of its own, with the second fact below the card's link. */
  links?: ReactNode;
}

/** Links a figure to the entries that add up to it. */
export function StatCard({ label, cents, to, isHighlighted = false, children, more, links }: StatCardProps) {
  const className = isHighlighted ? "panel stat-card stat-card-highlight" : "panel stat-card";
  const content = (
    <>
      <span className="stat-label">{label}</span>
      <LargeAmount cents={cents} />
      <span className="trend">{Number.isNaN(cents) ? "\u00a0" : children}</span>
      {!links && <span className="trend">{Number.isNaN(cents) || !more ? "\u00a0" : more}</span>}
    </>
  );
  if (Number.isNaN(cents)) return <div className={className}>{content}</div>;
  if (!links)
    return (
      <Link className={className} to={to}>
        {content}
      </Link>
    );
  return (
    <div className="panel linked-card">
      <Link className="stat-card" to={to}>
        {content}
      </Link>
      <p className="trend">
        <span>{more}</span> {links}
      </p>
    </div>
  );
}

const DIRECTIONS = {
  up: { icon: "trending-up", label: "up" },
  down: { icon: "trending-down", label: "down" },
  level: { icon: "minus", label: "unchanged" },
} as const;

/** Shows a trend as an arrow and a percentage. */
export function TrendMark({ direction, percent }: Trend) {
  const { icon, label } = DIRECTIONS[direction];
  return (
    <b className={direction}>
      <Icon name={icon} className="i s" />
      <span className="visually-hidden">{label} </span>
      {oneDecimalPercent(percent)}
    </b>
  );
}

/** Adds up the figures of the chosen business, or of both. */
function scopeSum({ profit, scope }: DashboardPage, value: (figures: BusinessFigures) => number) {
  return profit
    ?.filter(({ business }) => scope.business === null || business === scope.business)
    .reduce((sum, figures) => sum + value(figures), 0);
}

export function ProfitFact({ page }: { page: DashboardPage }) {
  const cents = scopeSum(page, ({ sales, expenses }) => sales - expenses);
  const sales = scopeSum(page, (figures) => figures.sales) ?? 0;
  if (cents === undefined) return null;
  const share = sales > 0 && cents > 0 && `, ${oneDecimalPercent((cents / sales) * 100)}`;
  return (
    <>
      <b>{dollars(cents)}</b> profit{share}
    </>
  );
}

export function TodayFact({ chats }: { chats: NonNullable<DashboardPage["chats"]> }) {
  const { salesToday, fromChatsToday } = chats;
  return (
    <>
      <b>{salesToday}</b> {salesToday === 1 ? "receipt" : "receipts"}, {fromChatsToday} from chats
    </>
  );
}

/** Characters of the year in `21st Oct 2026`. */
const YEAR = " 2026".length;

/** Formats a day without its year, which the chart's months do not need: `21st Oct`. */
export const formatDayOfYear = (day: string) => formatDay(day).slice(0, -YEAR);

export function MonthFact({ month: { cents, previousCents, previousDays } }: { month: MonthToDate }) {
  return (
    <>
      <TrendMark {...trend(cents, previousCents)} /> vs {dollars(previousCents)} by{" "}
      {formatDayOfYear(previousDays.to)}
    </>
  );
}

export function TaxFact({ page }: { page: DashboardPage }) {
  const cents = scopeSum(page, ({ taxCollected, taxPaid }) => taxCollected - taxPaid);
  if (cents === undefined) return null;
  return (
    <>
      <b>{dollars(Math.abs(cents))}</b> tax {cents < 0 ? "to get back" : "to remit"}
    </>
  );
}

/** Links to the tax summary, which names the entries that the tax leaves out; null without any. */
export function taxLink(page: DashboardPage): ReactNode {
  const entries = scopeSum(page, allEntries) ?? 0;
  const untaxed = scopeSum(page, untaxedEntries) ?? 0;
  if (untaxed === 0) return null;
  return (
    <Link className="link" to={`/admin/bookkeeping${scopeSearch(page.scope)}`}>
      of {(entries - untaxed).toLocaleString("en")} of {entries.toLocaleString("en")}
      <span className="visually-hidden"> entries</span>
    </Link>
  );
}

/** Amount of a breakdown. */
export interface Part {
  label: string;
  /** Cents or LOADING_AMOUNT. */
  cents: number;
  /** URL of the entries behind it. */
  to: string;
}

interface BreakdownProps {
  title: string;
  parts: Part[];
  /** Sum of the parts; absent when they do not form a total. */
  total?: { cents: number; to: string };
  kind: "sales" | "spend";
  /** The read failed, so the amounts are placeholders. */
  isFailed: boolean;
}

/** Lists amounts as bars that link to their entries. */
export function Breakdown({ title, parts, total, kind, isFailed }: BreakdownProps) {
  const amounts = parts.map(({ cents }) => cents);
  return (
    <article className="panel">
      <header>
        <h2>{title}</h2>
        {isFailed && (
          <TryAgain className="unread">
            <Icon name="circle-alert" className="i s" />
          </TryAgain>
        )}
        {total && !isFailed && <Total {...total} />}
      </header>
      <ul className={kind === "spend" ? "breakdown spend" : "breakdown"}>
        {parts.map((part) => (
          <li key={part.label}>
            <Row
              {...part}
              share={barWidth(part.cents, amounts, total?.cents)}
              hasShare={total !== undefined}
            />
          </li>
        ))}
      </ul>
    </article>
  );
}

function Total({ cents, to }: { cents: number; to: string }) {
  if (Number.isNaN(cents))
    return (
      <span className="sum">
        <Amount cents={cents} />
      </span>
    );
  return (
    <Link className="sum" to={to}>
      <span className="visually-hidden">Total </span>
      <Amount cents={cents} />
    </Link>
  );
}

function Row({ label, cents, to, share, hasShare }: Part & { share: number; hasShare: boolean }) {
  const isKnown = !Number.isNaN(cents);
  const width = { "--w": `${share.toFixed(1)}%` } as CSSProperties;
  const content = (
    <>
      <span>{label}</span>
      <span className={cents > 0 ? "breakdown-bar" : "breakdown-bar nil"} style={width} />
      <span className={cents === 0 ? "amt zero" : "amt"}>
        <Amount cents={cents} />
        {isKnown && hasShare && <small> {wholePercent(share)}</small>}
      </span>
    </>
  );
  if (!isKnown) return <span className="row">{content}</span>;
  return (
    <Link className="row" to={to}>
      {content}
    </Link>
  );
}
