import { Area, CartesianGrid, ComposedChart, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { dollars } from "~/domain/money";
import { amountAxis, CHART, ChartTooltip, CURSOR, GRID, LINE, markAt, monthAxis, Plot } from "./chart-parts";
import { lineSeries, MONTH_NAMES, type Month, type Point } from "./months";

interface LineChartProps {
  /** Cents from January on. */
  sales: number[];
  monthCount: number;
  year: number;
  now: Month;
  label: string;
}

const SALES_DOT = { r: 5, fill: "var(--sales)", stroke: "var(--card)", strokeWidth: 2 };

interface TooltipProps<Each> {
  active?: boolean;
  payload?: readonly { payload?: Each }[];
}

/** Draws sales by month as a line, whose last segment is dotted while the month is not over. */
export function MonthlyChart({ sales, monthCount, year, now, label }: LineChartProps) {
  const points = lineSeries(sales, monthCount, year, now).map((point) => ({
    ...point,
    amount: amountOf(point),
  }));
  const thisMonth = year === now.year ? now.month - 1 : null;
  const isRising = (sales[now.month - 1] ?? 0) > (sales[now.month - 2] ?? 0);
  return (
    <Plot>
      {({ isNarrow, ...size }) => (
        <ComposedChart {...CHART} {...size} data={points} aria-label={label}>
          <CartesianGrid {...GRID} />
          <XAxis {...monthAxis(isNarrow, thisMonth)} />
          <YAxis {...amountAxis(...points.map(({ amount }) => amount))} />
          <Area {...LINE} {...SHADE} dataKey="amount" />
          <Line {...LINE} dataKey="done" stroke="var(--sales)" dot={false} activeDot={SALES_DOT} />
          <Line
            {...LINE}
            dataKey="open"
            stroke="var(--sales)"
            strokeDasharray="1 5"
            dot={markAt(thisMonth ?? -1, soFarMarker(isRising))}
            activeDot={SALES_DOT}
          />
          <Tooltip cursor={CURSOR} isAnimationActive={false} content={monthlyTooltip} />
        </ComposedChart>
      )}
    </Plot>
  );
}

const SHADE = { stroke: "none", fill: "var(--sales)", fillOpacity: 0.07, activeDot: false } as const;

const amountOf = ({ done, open }: Point) => done ?? open;

/** Draws the marker of the current month. @param isRising places the label above the point instead of below */
const soFarMarker = (isRising: boolean) => (x: number, y: number) => (
  <>
    {circle(x, y)}
    <text x={x + 2} y={isRising ? y - 11 : y + 20} textAnchor="middle" className="chart-label-value">
      so far
    </text>
  </>
);

function monthlyTooltip({ active, payload }: TooltipProps<Point>) {
  const point = payload?.[0]?.payload;
  const amount = point ? amountOf(point) : null;
  if (!active || !point || amount === null) return null;
  return <ChartTooltip title={MONTH_NAMES[point.month] ?? ""} value={dollars(amount)} />;
}

/** Amounts of a month, cents; `…Open` hold the dotted part of a line, from the last complete month on. */
interface MonthPoint {
  /** From 0. */
  month: number;
  sales: number | null;
  salesOpen: number | null;
  spent: number | null;
  spentOpen: number | null;
}

/** Draws sales and expenses by month as two lines that differ by colour, dash and marker. */
export function SalesVsExpensesChart(props: LineChartProps & { expenses: number[] }) {
  const { sales, expenses, monthCount, year, now } = props;
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
        <LineChart {...CHART} {...size} data={points} aria-label={props.label}>
          <CartesianGrid {...GRID} />
          <XAxis {...monthAxis(isNarrow, thisMonth)} />
          <YAxis {...amountAxis(...sales.slice(0, monthCount), ...expenses.slice(0, monthCount))} />
          <Line {...LINE} {...SPENT} dataKey="spent" strokeDasharray="7 4" dot={false} />
          <Line {...LINE} {...SPENT} dataKey="spentOpen" strokeDasharray="1 5" dot={markAt(last, square)} />
          <Line {...LINE} {...SALES} dataKey="sales" dot={false} />
          <Line {...LINE} {...SALES} dataKey="salesOpen" strokeDasharray="1 5" dot={markAt(last, circle)} />
          <Tooltip cursor={CURSOR} isAnimationActive={false} content={salesVsExpensesTooltip} />
        </LineChart>
      )}
    </Plot>
  );
}

const SALES = { stroke: "var(--sales)", activeDot: SALES_DOT };
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

function salesVsExpensesTooltip({ active, payload }: TooltipProps<MonthPoint>) {
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  const sold = point.sales ?? point.salesOpen ?? 0;
  const spent = point.spent ?? point.spentOpen ?? 0;
  return (
    <ChartTooltip
      title={MONTH_NAMES[point.month] ?? ""}
      value={dollars(sold - spent)}
      lines={[
        ["Sales", dollars(sold)],
        ["Expenses", dollars(spent)],
      ]}
    />
  );
}
