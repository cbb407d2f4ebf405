import { type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { amountTicks, compactDollars } from "~/domain/axis-ticks";
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

interface ChartTooltipProps {
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

/** Label of a slice; px from the pie's centre, y downwards. */
export interface PieLabel {
  /** Start of the connector, at the slice. */
  from: { x: number; y: number };
  /** Bend of the connector, beside the label. */
  to: { x: number; y: number };
  side: 1 | -1;
}

/** Height of a label with its gap, px. */
const LABEL_HEIGHT = 40;
/** Distances from the slice to the label, and to the connector's bend, px. */
const GAP = 8;
const BEND_DISTANCE = 18;

/**
 * Places a label beside each slice and spreads those of one side so that none overlap.
 *
 * @param percents shares that add up to 100, clockwise from the top
 * @param radius of the pie, px
 */
export function pieLabels(percents: number[], radius: number): PieLabel[] {
  let before = 0;
  const labels = percents.map((percent): PieLabel => {
    const angle = ((before + percent / 2) / 100) * 2 * Math.PI;
    before += percent;
    const at = (distance: number) => ({ x: Math.sin(angle) * distance, y: -Math.cos(angle) * distance });
    const side = Math.sin(angle) < 0 ? -1 : 1;
    return { from: at(radius + GAP / 2), to: at(radius + BEND_DISTANCE), side };
  });
  for (const side of [1, -1]) spread(labels.filter((label) => label.side === side));
  return labels;
}

/** Moves overlapping labels of one side apart around their mean height. */
function spread(labels: PieLabel[]): void {
  const inOrder = labels.toSorted((a, b) => a.to.y - b.to.y);
  const meanHeight = (values: PieLabel[]) =>
    values.reduce((sum, { to }) => sum + to.y, 0) / (values.length || 1);
  const target = meanHeight(inOrder);
  for (const [i, label] of inOrder.entries()) {
    const above = inOrder[i - 1];
    if (above) label.to.y = Math.max(label.to.y, above.to.y + LABEL_HEIGHT);
  }
  const shift = meanHeight(inOrder) - target;
  for (const label of inOrder) label.to.y -= shift;
}
