import { useRef } from "react";
import type { StockRow } from "./stock.queries.server";

/**
 * The rows of a page in the order in which they came, so that none jumps away from under the hand that sets its
 * stock: one that no longer belongs there, or belongs elsewhere, stays until another page is asked for.
 *
 * @param rows as read last
 * @param address of the page
 * @returns the rows, and what notes a stock that was set: a row that was not read again shows it
 */
export function useHeldRows(
  rows: StockRow[],
  address: string,
): { held: StockRow[]; note: (id: string, stock: number) => void } {
  const first = useRef({ address, rows });
  if (first.current.address !== address) first.current = { address, rows };
  const read = new Map(rows.map((row) => [row.id, row]));
  const isEmptied = first.current.rows.length === 0;
  const note = (id: string, stock: number) => {
    const { current } = first;
    first.current = {
      ...current,
      rows: current.rows.map((row) => (row.id === id ? { ...row, stock } : row)),
    };
  };
  return { held: isEmptied ? rows : first.current.rows.map((row) => read.get(row.id) ?? row), note };
}
