import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "~/ui/Icon";
import { Figure, UNKNOWN } from "./Amount";
import type { Trend } from "./figures";
import { onePlace } from "./percent";

interface StatCardProps {
  label: string;
  /** Cents; -1 while it is not known. */
  cents: number;
  /** The rows behind it. */
  to: string;
  /** It speaks: what is happening now. */
  isHighlighted?: boolean;
  /** What the figure is compared with. */
  children: ReactNode;
}

/** One of the large figures, a link to the rows that add up to it. */
export function StatCard({ label, cents, to, isHighlighted = false, children }: StatCardProps) {
  const className = isHighlighted ? "panel stat-card stat-card-highlight" : "panel stat-card";
  const inside = (
    <>
      <span className="stat-label">{label}</span>
      <Figure cents={cents} />
      <span className="trend">{cents === UNKNOWN ? "\u00a0" : children}</span>
    </>
  );
  if (cents === UNKNOWN) return <div className={className}>{inside}</div>;
  return (
    <Link className={className} to={to}>
      {inside}
    </Link>
  );
}

const LOOKS = {
  up: { icon: "trending-up", word: "up" },
  down: { icon: "trending-down", word: "down" },
  level: { icon: "minus", word: "unchanged" },
} as const;

/** An arrow and a percentage (back office 9, Trend). */
export function TrendMark({ direction, percent }: Trend) {
  const { icon, word } = LOOKS[direction];
  return (
    <b className={direction}>
      <Icon name={icon} className="i s" />
      <span className="visually-hidden">{word} </span>
      {onePlace(percent)}
    </b>
  );
}
