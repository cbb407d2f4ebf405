/** A row of a chart's table: its name, then its cells. */
export interface ChartTableRow {
  label: string;
  cells: string[];
}

export interface ChartTableProps {
  /** What the table is, for those who come upon it without the chart. */
  caption: string;
  heads: string[];
  rows: ChartTableRow[];
  foot: ChartTableRow;
}

/** A chart's figures as a table. */
export function ChartTable({ caption, heads, rows, foot }: ChartTableProps) {
  const [first, ...others] = heads;
  return (
    <table className="small-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {others.map((head) => (
            <th key={head} scope="col" className="num">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.label} {...row} heads={others} />
        ))}
      </tbody>
      <tfoot>
        <Row {...foot} heads={others} />
      </tfoot>
    </table>
  );
}

function Row({ label, cells, heads }: ChartTableRow & { heads: string[] }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {cells.map((cell, i) => (
        <td key={heads[i]} className="num">
          {cell}
        </td>
      ))}
    </tr>
  );
}
