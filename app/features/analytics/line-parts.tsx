import type { ReactElement } from "react";
import { amountTicks, compactDollars } from "./axis";
import { MONTHS } from "./months";

/** What both charts by month are made of. */

const MARGIN = { top: 14, right: 14, bottom: 4, left: 0 };

export const CHART = { role: "img", accessibilityLayer: true, margin: MARGIN } as const;

export const GRID = { vertical: false, stroke: "var(--line)" } as const;

export const CURSOR = { stroke: "var(--line-strong)", strokeDasharray: "2 3" };

/** @param amounts all that is drawn, in cents */
export function amountAxis(...amounts: (number | null)[]) {
  const ticks = amountTicks(amounts);
  return {
    width: 50,
    tickLine: false,
    axisLine: false,
    tickMargin: 6,
    ticks,
    interval: 0 as const,
    domain: [0, ticks.at(-1) ?? 0] as [number, number],
    tickFormatter: compactDollars,
  };
}

/** @param isNarrow every other month is named */
export const months = (isNarrow: boolean, thisMonth: number | null) => ({
  dataKey: "month",
  tickLine: false,
  axisLine: { stroke: "var(--line-strong)" },
  interval: isNarrow ? 1 : 0,
  padding: { left: 18, right: 18 },
  tick: monthTick(thisMonth),
});

interface TickProps {
  x: number | string;
  y: number | string;
  payload: { value: number };
}

function monthTick(thisMonth: number | null) {
  return ({ x, y, payload }: TickProps) => (
    <text
      x={x}
      y={Number(y) + 12}
      textAnchor="middle"
      className={payload.value === thisMonth ? "chart-label-current" : undefined}
    >
      {MONTHS[payload.value]}
    </text>
  );
}

interface DotProps {
  cx?: number;
  cy?: number;
  index?: number;
  key?: unknown;
}

/**
 * The mark at the end of what is not over; nothing elsewhere on the line.
 *
 * @param last index of the month it stands at
 * @param draw the mark
 */
export function endMark(last: number, draw: (x: number, y: number) => ReactElement) {
  return ({ cx, cy, index }: DotProps) => {
    const isThere = index === last && cx !== undefined && cy !== undefined && cy !== null;
    return <g key={index}>{isThere ? draw(cx, cy) : null}</g>;
  };
}

export const LINE = {
  type: "linear",
  strokeWidth: 2.25,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  isAnimationActive: false,
} as const;
