import type { Column as TableColumn } from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { Features } from "./columns";

interface TableFootProps<Row extends object> {
  columns: TableColumn<Features, Row>[];
  /** What is added up. */
  label: ReactNode;
}

/** The sums of all that is filtered, not of the page alone. */
export function TableFoot<Row extends object>({ columns, label }: TableFootProps<Row>) {
  const first = columns.findIndex(({ columnDef }) => columnDef.meta?.sum !== undefined);
  const span = Math.min(2, Math.max(1, first));
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={span}>
          {label}
        </th>
        {columns.slice(span).map(({ id, columnDef }) => {
          const sum = columnDef.meta?.sum;
          const names = [columnDef.meta?.className, sum === undefined ? "none" : ""];
          return (
            <td key={id} className={names.filter(Boolean).join(" ") || undefined}>
              {sum}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}
