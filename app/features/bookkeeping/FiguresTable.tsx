import type { ReactNode } from "react";

interface FiguresRow {
  /** Business, or a link to its rows. */
  head: ReactNode;
  key: string;
  cells: ReactNode[];
}

interface FiguresTableProps {
  heads: string[];
  rows: FiguresRow[];
  /** Sums of more than one row. */
  foot: ReactNode[];
}

/** Lists figures by business, with a foot for both. */
export function FiguresTable({ heads, rows, foot }: FiguresTableProps) {
  return (
    <table className="figures">
      <thead>
        <tr>
          <th scope="col">Business</th>
          {heads.map((head) => (
            <th key={head} scope="col" className="num">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, cells }) => (
          <Row key={key} head={head} cells={cells} heads={heads} />
        ))}
      </tbody>
      {rows.length > 1 && (
        <tfoot>
          <Row head="Both" cells={foot} heads={heads} />
        </tfoot>
      )}
    </table>
  );
}

function Row({ head, cells, heads }: Omit<FiguresRow, "key"> & { heads: string[] }) {
  return (
    <tr>
      <th scope="row">{head}</th>
      {cells.map((cell, i) => (
        <td key={heads[i]} className="num">
          {cell}
        </td>
      ))}
    </tr>
  );
}
