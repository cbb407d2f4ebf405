import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { oneDecimalPercent, type Trend, UNKNOWN } from "./figures";

/** Formats an amount of cents; UNKNOWN is `Loading...`. */
export function Amount({ cents }: { cents: number }) {
  return cents === UNKNOWN ? <span className="soon">Loading...</span> : dollars(cents);
}

/** Characters that fit a card in the large size. */
const MAX_LARGE_LENGTH = 13;

function LargeAmount({ cents }: { cents: number }) {
  if (cents === UNKNOWN)
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
}

/** Links a figure to the entries that add up to it. */
export function StatCard({ label, cents, to, isHighlighted = false, children }: StatCardProps) {
  const className = isHighlighted ? "panel stat-card stat-card-highlight" : "panel stat-card";
  const content = (
    <>
      <span className="stat-label">{label}</span>
      <LargeAmount cents={cents} />
      <span className="trend">{cents === UNKNOWN ? "\u00a0" : children}</span>
    </>
  );
  if (cents === UNKNOWN) return <div className={className}>{content}</div>;
  return (
    <Link className={className} to={to}>
      {content}
    </Link>
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
