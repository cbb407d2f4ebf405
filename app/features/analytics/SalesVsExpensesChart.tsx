import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { dollars } from "~/ui/money";
import { amountAxis, CHART, ChartTooltip, CURSOR, endMark, GRID, LINE, monthAxis, Plot } from "./chart-parts";
import { lineSeries, MONTH_NAMES, type Month } from "./months";
import { signedDollars } from "./tables";

interface SalesVsExpensesChartProps {
  /** Cents from January on. */
  sales: number[];
  expenses: number[];
  monthCount: number;
  year: number;
  now: Month;
}

interface MonthPoint {
  month: number;
  sales: number | null;
  salesOpen: number | null;
  spent: number | null;
  spentOpen: number | null;
}

/** Draws sales and expenses by month as two lines that differ by colour, dash and marker. */
export function SalesVsExpensesChart({ sales, expenses, monthCount, year, now }: SalesVsExpensesChartProps) {
  const spent = lineSeries(expenses, monthCount, year, now);
  const points = lineSeries(sales, monthCount, year, now).map(
    ({ month, done, open }): MonthPoint => ({
      month,
      sales: done,
      salesOpen: open,
      spent: spent[month]?.done ?? null,
      spentOpen: spent[month]?.open ?? null,
    }),
  );
  const thisMonth = year === now.year ? now.month - 1 : null;
  const last = thisMonth ?? -1;
  return (
    <Plot>
      {({ isNarrow, ...size }) => (
        <LineChart
          {...CHART}
          {...size}
          data={points}
          aria-label="Sales vs Expenses. The figures are in the table below."
        >
          <CartesianGrid {...GRID} />
          <XAxis {...monthAxis(isNarrow, thisMonth)} />
          <YAxis {...amountAxis(...sales, ...expenses)} />
          <Line {...LINE} {...SPENT} dataKey="spent" strokeDasharray="7 4" dot={false} />
          <Line {...LINE} {...SPENT} dataKey="spentOpen" strokeDasharray="1 5" dot={endMark(last, square)} />
          <Line {...LINE} {...SALES} dataKey="sales" dot={false} />
          <Line {...LINE} {...SALES} dataKey="salesOpen" strokeDasharray="1 5" dot={endMark(last, circle)} />
          <Tooltip cursor={CURSOR} isAnimationActive={false} content={tip} />
        </LineChart>
      )}
    </Plot>
  );
}

const SALES = {
  stroke: "var(--sales)",
  activeDot: { r: 5, fill: "var(--sales)", stroke: "var(--card)", strokeWidth: 2 },
};
const SPENT = { stroke: "var(--spend)", activeDot: activeSquare };

const circle = (x: number, y: number) => (
  <circle cx={x} cy={y} r={4} fill="var(--card)" stroke="var(--sales)" strokeWidth={2.25} />
);
const square = (x: number, y: number) => (
  <rect
    x={x - 4}
    y={y - 4}
    width={8}
    height={8}
    fill="var(--card)"
    stroke="var(--spend)"
    strokeWidth={2.25}
  />
);

function activeSquare({ cx, cy }: { cx?: number; cy?: number }) {
  if (cx === undefined || cy === undefined) return <g />;
  return (
    <rect
      x={cx - 4.5}
      y={cy - 4.5}
      width={9}
      height={9}
      fill="var(--spend)"
      stroke="var(--card)"
      strokeWidth={2}
    />
  );
}

interface TooltipProps {
  active?: boolean;
  payload?: readonly { payload?: MonthPoint }[];
}

function tip({ active, payload }: TooltipProps) {
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  const sold = point.sales ?? point.salesOpen ?? 0;
  const spent = point.spent ?? point.spentOpen ?? 0;
  return (
    <ChartTooltip
      title={MONTH_NAMES[point.month] ?? ""}
      value={signedDollars(sold - spent)}
      lines={[
        ["Sales", dollars(sold)],
        ["Expenses", dollars(spent)],
      ]}
    />
  );
}
