import { useCallback, useRef, useState } from "react";
import type { StockRow } from "./queries.server";

/**
 * The rows of a page in the order in which they came, so that none jumps away from under the hand that sets its
 * stock: one that no longer belongs there, or belongs elsewhere, stays until another page is asked for.
 *
 * @param rows as read last
 * @param address of the page
 * @returns the rows, and what notes a stock that is another one now: a row that is not read again shows it
 */
export function useStableRows(
  rows: StockRow[],
  address: string,
): { held: StockRow[]; note: (id: string, stock: number) => void } {
  const first = useRef({ address, rows });
  const [noted, setNoted] = useState<ReadonlyMap<string, number>>(new Map());
  if (first.current.address !== address || first.current.rows.length === 0) first.current = { address, rows };
  const read = new Map(rows.map((row) => [row.id, row]));
  const note = useCallback(
    (id: string, stock: number) => setNoted((before) => new Map(before).set(id, stock)),
    [],
  );
  const held = first.current.rows.map(
    (row) => read.get(row.id) ?? { ...row, stock: noted.get(row.id) ?? row.stock },
  );
  return { held, note };
}
