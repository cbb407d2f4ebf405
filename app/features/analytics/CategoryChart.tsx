import { Bar, BarChart, LabelList, XAxis, YAxis } from "recharts";
import { categoryLabel } from "~/features/dashboard/figures";
import type { CategoryAmount } from "~/features/ledger/views";
import { dollars } from "~/ui/money";
import { Plot } from "./chart-parts";

interface CategoryBar {
  name: string;
  amount: number;
}

/** Draws sales by category as bars, largest first. */
export function CategoryChart({ categories }: { categories: CategoryAmount[] }) {
  const bars = categories.map(
    ({ category, amount }): CategoryBar => ({ name: categoryLabel(category), amount }),
  );
  return (
    <Plot>
      {({ isNarrow, ...size }) => (
        <BarChart
          {...CHART}
          {...size}
          data={bars}
          margin={{ top: 2, right: size.width * 0.02 + labelWidth(bars), bottom: 8, left: 4 }}
        >
          <XAxis type="number" hide domain={[0, "dataMax"]} />
          <YAxis {...NAME_AXIS} width={isNarrow ? 122 : 136} />
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
  fill: "var(--chart-1)",
  barSize: 16,
  radius: [0, 3, 3, 0] as [number, number, number, number],
  isAnimationActive: false,
};

/** Width of a digit in a chart's font, px. */
const DIGIT_WIDTH = 7;

/** Width that the longest amount takes, px. */
function labelWidth(bars: CategoryBar[]): number {
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
