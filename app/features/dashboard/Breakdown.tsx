import { Link } from "@remix-run/react";
import type { CSSProperties } from "react";
import { Icon } from "~/ui/Icon";
import { TryAgain } from "~/ui/TryAgain";
import { barWidth, UNKNOWN, wholePercent } from "./figures";
import { Amount } from "./StatCard";

/** Amount of a breakdown. */
export interface Part {
  label: string;
  /** Cents or UNKNOWN. */
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
  if (cents === UNKNOWN)
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
  const isKnown = cents !== UNKNOWN;
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
