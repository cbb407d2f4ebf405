import { Bar, BarChart, LabelList, XAxis, YAxis } from "recharts";
import { categoryLabel } from "~/features/dashboard/figures";
import type { CategoryAmount } from "~/features/ledger/views";
import { dollars } from "~/ui/money";
import { Plot } from "./Plot";

interface CategoryBar {
  name: string;
  amount: number;
}

/** Sales by category: bars, largest first, the amount at the end of each. */
export function CategoryChart({ categories }: { categories: CategoryAmount[] }) {
  const bars = categories.map(
    ({ category, amount }): CategoryBar => ({ name: categoryLabel(category), amount }),
  );
  return (
    <Plot>
      {({ isNarrow, ...room }) => (
        <BarChart
          {...CHART}
          {...room}
          data={bars}
          margin={{ top: 2, right: room.width * 0.02 + widthOf(bars), bottom: 8, left: 4 }}
        >
          <XAxis type="number" hide domain={[0, "dataMax"]} />
          <YAxis {...NAMES} width={isNarrow ? 122 : 136} />
          <Bar {...BAR}>
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

const CHART = {
  layout: "vertical",
  role: "img",
  accessibilityLayer: false,
  "aria-label": "Sales by Category. The figures are in the table below.",
} as const;

const NAMES = {
  type: "category",
  dataKey: "name",
  tickLine: false,
  axisLine: { stroke: "var(--line-strong)" },
  interval: 0,
  tick: nameTick,
} as const;

const BAR = {
  dataKey: "amount",
  fill: "var(--chart-1)",
  barSize: 16,
  radius: [0, 3, 3, 0] as [number, number, number, number],
  isAnimationActive: false,
};

/** Pixels of a figure at the size of a chart's words. */
const FIGURE = 7;

/** Room for the longest amount at the end of its bar. */
function widthOf(bars: CategoryBar[]): number {
  return 12 + FIGURE * Math.max(...bars.map(({ amount }) => dollars(amount).length));
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
