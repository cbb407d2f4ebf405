import { Area, CartesianGrid, ComposedChart, Line, Tooltip, XAxis, YAxis } from "recharts";
import { dollars } from "~/ui/money";
import { amountAxis, CHART, ChartTooltip, CURSOR, endMark, GRID, LINE, monthAxis, Plot } from "./chart-parts";
import { lineSeries, MONTH_NAMES, type Month, type Point } from "./months";

interface MonthlyChartProps {
  /** Cents from January on. */
  sales: number[];
  monthCount: number;
  year: number;
  now: Month;
}

const DOT = { r: 5, fill: "var(--sales)", stroke: "var(--card)", strokeWidth: 2 };

/** Draws sales by month as a line, dotted up to the current month. */
export function MonthlyChart({ sales, monthCount, year, now }: MonthlyChartProps) {
  const points = lineSeries(sales, monthCount, year, now).map((point) => ({
    ...point,
    amount: amountOf(point),
  }));
  const thisMonth = year === now.year ? now.month - 1 : null;
  const isRising = (sales[now.month - 1] ?? 0) > (sales[now.month - 2] ?? 0);
  return (
    <Plot>
      {({ isNarrow, ...size }) => (
        <ComposedChart
          {...CHART}
          {...size}
          data={points}
          aria-label="Monthly Sales. The figures are in the table below."
        >
          <CartesianGrid {...GRID} />
          <XAxis {...monthAxis(isNarrow, thisMonth)} />
          <YAxis {...amountAxis(...points.map(({ amount }) => amount))} />
          <Area {...LINE} {...SHADE} dataKey="amount" />
          <Line {...LINE} dataKey="done" stroke="var(--sales)" dot={false} activeDot={DOT} />
          <Line
            {...LINE}
            dataKey="open"
            stroke="var(--sales)"
            strokeDasharray="1 5"
            dot={endMark(thisMonth ?? -1, soFar(isRising))}
            activeDot={DOT}
          />
          <Tooltip cursor={CURSOR} isAnimationActive={false} content={tip} />
        </ComposedChart>
      )}
    </Plot>
  );
}

const SHADE = { stroke: "none", fill: "var(--sales)", fillOpacity: 0.07, activeDot: false } as const;

const amountOf = ({ done, open }: Point) => done ?? open;

/** @param isRising places the label above the point instead of below */
const soFar = (isRising: boolean) => (x: number, y: number) => (
  <>
    <circle cx={x} cy={y} r={4} fill="var(--card)" stroke="var(--sales)" strokeWidth={2.25} />
    <text x={x + 2} y={isRising ? y - 11 : y + 20} textAnchor="middle" className="chart-label-value">
      so far
    </text>
  </>
);

interface TooltipProps {
  active?: boolean;
  payload?: readonly { payload?: Point }[];
}

function tip({ active, payload }: TooltipProps) {
  const point = payload?.[0]?.payload;
  const amount = point ? amountOf(point) : null;
  if (!active || !point || amount === null) return null;
  return <ChartTooltip title={MONTH_NAMES[point.month] ?? ""} value={dollars(amount)} />;
}
