/** What a chart says of the point that is pointed at. */
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
