import { type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { amountTicks, compactDollars } from "./chart-geometry";
import { MONTHS } from "./months";

const MARGIN = { top: 14, right: 14, bottom: 4, left: 0 };

export const CHART = { role: "img", accessibilityLayer: true, margin: MARGIN } as const;

export const GRID = { vertical: false, stroke: "var(--line)" } as const;

export const CURSOR = { stroke: "var(--line-strong)", strokeDasharray: "2 3" };

/** Describes the axis of amounts. @param amounts every drawn amount, cents */
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

/**
 * Describes the axis of months.
 *
 * @param isNarrow labels every other month only
 * @param currentMonthIndex 0 to 11; null in another year
 */
export const monthAxis = (isNarrow: boolean, currentMonthIndex: number | null) => ({
  dataKey: "month",
  tickLine: false,
  axisLine: { stroke: "var(--line-strong)" },
  interval: isNarrow ? 1 : 0,
  padding: { left: 18, right: 18 },
  tick: monthTick(currentMonthIndex),
});

interface TickProps {
  x: number | string;
  y: number | string;
  payload: { value: number };
}

function monthTick(currentMonthIndex: number | null) {
  return ({ x, y, payload }: TickProps) => (
    <text
      x={x}
      y={Number(y) + 12}
      textAnchor="middle"
      className={payload.value === currentMonthIndex ? "chart-label-current" : undefined}
    >
      {MONTHS[payload.value]}
    </text>
  );
}

interface DotProps {
  cx?: number;
  cy?: number;
  index?: number;
}

/**
 * Draws a marker at one month of a line.
 *
 * @param monthIndex 0 to 11; -1 for no marker
 * @param draw draws the marker at a position, px
 */
export function markAt(monthIndex: number, draw: (x: number, y: number) => ReactElement) {
  return ({ cx, cy, index }: DotProps) => {
    const isMarked = index === monthIndex && cx !== undefined && cy !== undefined;
    return <g key={index}>{isMarked ? draw(cx, cy) : null}</g>;
  };
}

export const LINE = {
  type: "linear",
  strokeWidth: 2.25,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  isAnimationActive: false,
} as const;

export interface ChartTooltipProps {
  title: string;
  /** Beside the title. */
  value: string;
  lines?: [name: string, value: string][];
}

export function ChartTooltip({ title, value, lines = [] }: ChartTooltipProps) {
  return (
    <dl className="chart-tooltip">
      <div>
        <dt>{title}</dt>
        <dd>{value}</dd>
      </div>
      {lines.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Size of a chart, px. */
export interface PlotSize {
  width: number;
  height: number;
  /** Reduces axis labels. */
  isNarrow: boolean;
}

/** Width below which a chart uses its narrow layout, px. */
const NARROW_WIDTH = 460;

/** Measures its box and renders the chart at that size. */
export function Plot({ children }: { children: (size: PlotSize) => ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<PlotSize | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize({ width, height, isNarrow: width < NARROW_WIDTH });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className="chart-area">
      {size && size.width > 0 && children(size)}
    </div>
  );
}
