import { Link } from "@remix-run/react";
import type { CSSProperties } from "react";
import { Icon } from "~/ui/Icon";
import { TryAgain } from "~/ui/TryAgain";
import { Amount, UNKNOWN } from "./Amount";
import { barWidth } from "./figures";
import { wholePercent } from "./percent";

/** A part of a breakdown. */
export interface Part {
  label: string;
  /** Cents; -1 while it is not known. */
  cents: number;
  /** The rows behind it. */
  to: string;
}

interface BreakdownProps {
  title: string;
  parts: Part[];
  /** What the parts add up to, with its rows; none where they don't add up to anything. */
  total?: { cents: number; to: string };
  kind: "sales" | "spend";
  /** Its call failed: what stands there are zeros that nobody counted. */
  isFailed: boolean;
}

/** A card of bars, each of which leads to its rows (back office 2, Dashboard). */
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
        {total && !isFailed && <Sum {...total} />}
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

function Sum({ cents, to }: { cents: number; to: string }) {
  if (cents === UNKNOWN)
    return (
      <span className="sum">
        <Amount cents={cents} />
      </span>
    );
  return (
    <Link className="sum" to={to}>
      <span className="visually-hidden">In all </span>
      <Amount cents={cents} />
    </Link>
  );
}

function Row({ label, cents, to, share, hasShare }: Part & { share: number; hasShare: boolean }) {
  const isKnown = cents !== UNKNOWN;
  const width = { "--w": `${share.toFixed(1)}%` } as CSSProperties;
  const inside = (
    <>
      <span>{label}</span>
      <span className={cents > 0 ? "breakdown-bar" : "breakdown-bar nil"} style={width} />
      <span className={cents === 0 ? "amt zero" : "amt"}>
        <Amount cents={cents} />
        {isKnown && hasShare && <small> {wholePercent(share)}</small>}
      </span>
    </>
  );
  if (!isKnown) return <span className="row">{inside}</span>;
  return (
    <Link className="row" to={to}>
      {inside}
    </Link>
  );
}
