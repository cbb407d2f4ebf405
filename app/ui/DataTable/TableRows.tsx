import type { Row as TableRow } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode, Ref, RefObject } from "react";
import type { Features } from "./columns";

/** Pixels (storefront 9, Data table defaults). */
const ROW_HEIGHT = 44;
/** A page of so many rows draws those in sight alone. */
export const VIRTUAL_FROM = 200;
/** Rows drawn beyond those in sight, so that the next one is there for the keyboard. */
const OVERSCAN = 8;

interface RowsProps<Row extends object> {
  rows: TableRow<Features, Row>[];
  /** Others are on their way: these keep their places, as skeletons. */
  isWaiting: boolean;
}

/** The class of rows that only keep their places. */
const bones = (isWaiting: boolean) => (isWaiting ? "bones" : undefined);

/** All rows of the page. */
export function TableRows<Row extends object>({ rows, isWaiting }: RowsProps<Row>) {
  return (
    <tbody className={bones(isWaiting)}>
      {rows.map((row) => (
        <Cells key={row.id} row={row} />
      ))}
    </tbody>
  );
}

/**
 * The rows in sight. Those above and below are two rows of their height; readers are told how many there are.
 *
 * @param frame what scrolls
 */
export function VirtualRows<Row extends object>({
  rows,
  isWaiting,
  frame,
}: RowsProps<Row> & { frame: RefObject<HTMLElement> }) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody className={bones(isWaiting)}>
      <Gap height={above} />
      {items.map(({ index }) => {
        const row = rows[index];
        return row && <Cells key={row.id} row={row} index={index} measure={virtual.measureElement} />;
      })}
      <Gap height={below} />
    </tbody>
  );
}

function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr className="gap" aria-hidden="true">
      <td style={{ height }} />
    </tr>
  );
}

interface CellsProps<Row extends object> {
  row: TableRow<Features, Row>;
  index?: number;
  measure?: Ref<HTMLTableRowElement>;
}

function Cells<Row extends object>({ row, index, measure }: CellsProps<Row>) {
  // The titles are the first row.
  const place = index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 };
  return (
    <tr ref={measure} {...place}>
      {row.getAllCells().map((cell) => {
        const { meta, cell: draw } = cell.column.columnDef;
        return (
          <td key={cell.id} className={meta?.className || undefined} data-title={meta?.title}>
            {/* Not flexRender: it would take a new function for a new component, and the focus would go with the old. */}
            {typeof draw === "function" ? (draw(cell.getContext()) as ReactNode) : draw}
          </td>
        );
      })}
    </tr>
  );
}
