import { Pie, PieChart } from "recharts";
import type { Slice } from "~/features/dashboard/figures";
import { wholePercent } from "~/features/dashboard/percent";
import { dollars } from "~/ui/money";
import { Plot, type PlotSize } from "./Plot";
import { type PieLabel, pieLabels } from "./pie-labels";

/** A method keeps its colour, whichever others there are; five are fixed (back office 2, Graphs). */
const COLOURS = ["var(--chart-1)", "var(--chart-2)", "var(--chart-3)", "var(--chart-4)", "var(--chart-5)"];
const METHODS = ["Cash", "EMT", "Card"];
const colourOf = (name: string) => COLOURS[METHODS.indexOf(name) % COLOURS.length];

/** Room for the line to the words and the least that they take; above and below the pie, pixels. */
const LEAD = 34;
const WORDS = 66;
const FIGURE = 7;
const LINES = 40;
const BEND = 8;

/** Sales by payment method: a pie with its words beside it. */
export function PaymentChart({ slices }: { slices: Slice[] }) {
  return <Plot>{(room) => <Slices slices={slices} {...room} />}</Plot>;
}

function Slices({ slices, width, height }: PlotSize & { slices: Slice[] }) {
  const words = Math.max(WORDS, ...slices.map(({ amount }) => dollars(amount).length * FIGURE));
  const radius = Math.max(24, Math.min(height / 2 - LINES, width / 2 - LEAD - words));
  const percents = slices.map(({ percent }) => percent);
  const labels = pieLabels(percents, radius);
  return (
    <PieChart {...CHART} width={width} height={height}>
      <Pie
        {...PIE}
        data={slices.map((slice) => ({ ...slice, fill: colourOf(slice.name) }))}
        outerRadius={radius}
        label={({ cx, cy, index = 0 }) => (
          <Words key={index} x={Number(cx)} y={Number(cy)} slice={slices[index]} label={labels[index]} />
        )}
      />
    </PieChart>
  );
}

const CHART = {
  role: "img",
  accessibilityLayer: false,
  "aria-label": "Payment Methods. The figures are in the table below.",
} as const;

const PIE = {
  dataKey: "amount",
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

interface WordsProps {
  /** The pie's centre. */
  x: number;
  y: number;
  slice: Slice | undefined;
  label: PieLabel | undefined;
}

function Words({ x, y, slice, label }: WordsProps) {
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
