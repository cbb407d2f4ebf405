import { Bar, BarChart, LabelList, Pie, PieChart, XAxis, YAxis } from "recharts";
import { dollars } from "~/domain/money";
import { wholePercent } from "~/features/dashboard/figures";
import { type PieLabel, Plot, type PlotSize, pieLabels } from "./chart-parts";
import type { Part, Slice } from "./tables";

interface AmountBarsProps {
  bars: Part[];
  /** CSS colour. */
  colour: string;
  label: string;
}

/** Draws amounts of dollars as bars, in the given order. */
export function AmountBars({ bars, colour, label }: AmountBarsProps) {
  return (
    <Plot>
      {({ isNarrow, ...size }) => (
        <BarChart
          {...BAR_CHART}
          {...size}
          aria-label={label}
          data={bars}
          margin={{ top: 2, right: size.width * 0.02 + labelWidth(bars), bottom: 8, left: 4 }}
        >
          <XAxis type="number" hide domain={[0, "dataMax"]} />
          <YAxis {...NAME_AXIS} width={isNarrow ? 122 : 136} />
          <Bar {...BAR} fill={colour}>
            <LabelList
              dataKey="amount"
              position="right"
              offset={8}
              formatter={(cents) => dollars(Number(cents))}
            />
          </Bar>
        </BarChart>
      )}
    </Plot>
  );
}

const BAR_CHART = { layout: "vertical", role: "img", accessibilityLayer: false } as const;

const NAME_AXIS = {
  type: "category",
  dataKey: "name",
  tickLine: false,
  axisLine: { stroke: "var(--line-strong)" },
  interval: 0,
  tick: nameTick,
} as const;

const BAR = {
  dataKey: "amount",
  barSize: 16,
  radius: [0, 3, 3, 0] as [number, number, number, number],
  isAnimationActive: false,
};

/** Width of a digit in a chart's font, px. */
const DIGIT_WIDTH = 7;

function labelWidth(bars: Part[]): number {
  return 12 + DIGIT_WIDTH * Math.max(...bars.map(({ amount }) => dollars(amount).length));
}

interface TickProps {
  x: number | string;
  y: number | string;
  payload: { value: string };
}

function nameTick({ x, y, payload }: TickProps) {
  return (
    <text x={Number(x) - 2} y={Number(y) + 4} textAnchor="end" className="chart-label-value">
      {payload.value}
    </text>
  );
}

/** A method keeps its colour when others are missing. */
const COLOURS = ["var(--chart-1)", "var(--chart-2)", "var(--chart-3)", "var(--chart-4)", "var(--chart-5)"];
const METHODS = ["Cash", "EMT", "Card"];
const sliceColour = (name: string) => COLOURS[METHODS.indexOf(name) % COLOURS.length];

/** Label layout, px: connector, smallest label, two text lines, bend. */
const CONNECTOR_WIDTH = 34;
const MIN_LABEL_WIDTH = 66;
const LABEL_HEIGHT = 40;
const BEND = 8;

/** Draws sales by payment method as a labelled pie. */
export function PaymentChart(props: PaymentChartProps) {
  return <Plot>{(size) => <Slices {...props} {...size} />}</Plot>;
}

interface PaymentChartProps {
  slices: Slice[];
  label: string;
}

function Slices({ slices, label: chartLabel, width, height }: PlotSize & PaymentChartProps) {
  const labelWidth = Math.max(
    MIN_LABEL_WIDTH,
    ...slices.map(({ amount }) => dollars(amount).length * DIGIT_WIDTH),
  );
  const radius = Math.max(24, Math.min(height / 2 - LABEL_HEIGHT, width / 2 - CONNECTOR_WIDTH - labelWidth));
  const percents = slices.map(({ percent }) => percent);
  const labels = pieLabels(percents, radius);
  return (
    <PieChart {...PIE_CHART} aria-label={chartLabel} width={width} height={height}>
      <Pie
        {...PIE}
        data={slices.map((slice) => ({ ...slice, fill: sliceColour(slice.name) }))}
        outerRadius={radius}
        label={({ cx, cy, index = 0 }) => (
          <SliceLabel key={index} x={Number(cx)} y={Number(cy)} slice={slices[index]} label={labels[index]} />
        )}
      />
    </PieChart>
  );
}

const PIE_CHART = { role: "img", accessibilityLayer: false } as const;

const PIE = {
  dataKey: "percent",
  nameKey: "name",
  startAngle: 90,
  endAngle: -270,
  stroke: "var(--card)",
  strokeWidth: 3,
  strokeLinejoin: "round",
  isAnimationActive: false,
  labelLine: false,
  rootTabIndex: -1,
} as const;

interface SliceLabelProps {
  /** Centre of the pie, px. */
  x: number;
  y: number;
  slice: Slice | undefined;
  label: PieLabel | undefined;
}

function SliceLabel({ x, y, slice, label }: SliceLabelProps) {
  if (!slice || !label) return <g />;
  const { from, to, side } = label;
  const bend = { x: x + to.x, y: y + to.y };
  const start = bend.x + side * (BEND + 5);
  const anchor = side === 1 ? "start" : "end";
  return (
    <g>
      <path
        d={`M${x + from.x},${y + from.y}L${bend.x},${bend.y}H${bend.x + side * BEND}`}
        fill="none"
        stroke="var(--line-strong)"
      />
      <text className="chart-label-current large" x={start} y={bend.y - 2} textAnchor={anchor}>
        {slice.name} {wholePercent(slice.percent)}
      </text>
      <text x={start} y={bend.y + 15} textAnchor={anchor}>
        {dollars(slice.amount)}
      </text>
    </g>
  );
}
