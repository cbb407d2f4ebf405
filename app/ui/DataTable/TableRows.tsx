import type { Row as TableRow } from "@tanstack/react-table";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, Fragment, type ReactNode, type Ref, type RefObject, useState } from "react";
import type { Features } from "./columns";

/** Estimated height of a row, px. */
const ROW_HEIGHT = 44;
/** Rows of a page from which it is virtualised. */
export const MIN_VIRTUAL_ROWS = 200;
/** Rows rendered outside the viewport, for keyboard navigation. */
const OVERSCAN = 8;

interface RowsProps<Row extends object> {
  rows: TableRow<Features, Row>[];
  /** Shows the rows as skeletons while others load. */
  isLoading: boolean;
}

const bodyClass = (isLoading: boolean) => (isLoading ? "skeleton-rows" : undefined);

export function TableRows<Row extends object>({ rows, isLoading }: RowsProps<Row>) {
  return (
    <tbody className={bodyClass(isLoading)}>
      {rows.map((row) => (
        <TableRowCells key={row.id} row={row} />
      ))}
    </tbody>
  );
}

/**
 * Renders the visible rows and the focused one, which would lose the focus if it were removed; spacer rows stand for
 * the others.
 *
 * @param frame scroll container
 */
export function VirtualRows<Row extends object>({
  rows,
  isLoading,
  frame,
}: RowsProps<Row> & { frame: RefObject<HTMLElement> }) {
  const { focusedIndex, ...focusHandlers } = useFocusedRow(rows);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    rangeExtractor: (range) => withFocused(range, focusedIndex),
  });
  const items = virtual.getVirtualItems();
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody className={bodyClass(isLoading)} {...focusHandlers}>
      {items.map(({ index, start }, position) => {
        const row = rows[index];
        return (
          row && (
            <Fragment key={row.id}>
              <Spacer height={start - (items[position - 1]?.end ?? 0)} />
              <TableRowCells row={row} index={index} measure={virtual.measureElement} />
            </Fragment>
          )
        );
      })}
      <Spacer height={below} />
    </tbody>
  );
}

/** Tracks the index of the focused row, -1 for none. */
function useFocusedRow<Row extends object>(rows: TableRow<Features, Row>[]) {
  const [id, setId] = useState<string | null>(null);
  return {
    focusedIndex: id === null ? -1 : rows.findIndex((row) => row.id === id),
    onFocus: ({ target }: FocusEvent) => {
      const index = target.closest<HTMLElement>("[data-index]")?.dataset.index;
      setId(rows[Number(index)]?.id ?? null);
    },
    onBlur: () => setId(null),
  };
}

function withFocused(range: Range, focused: number): number[] {
  const visible = defaultRangeExtractor(range);
  if (focused < 0 || focused >= range.count || visible.includes(focused)) return visible;
  return [...visible, focused].sort((a, b) => a - b);
}

function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr className="gap" aria-hidden="true">
      <td style={{ height }} />
    </tr>
  );
}

interface TableRowCellsProps<Row extends object> {
  row: TableRow<Features, Row>;
  index?: number;
  measure?: Ref<HTMLTableRowElement>;
}

function TableRowCells<Row extends object>({ row, index, measure }: TableRowCellsProps<Row>) {
  // Row 1 is the header.
  const position = index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 };
  return (
    <tr ref={measure} {...position}>
      {row.getAllCells().map((cell) => {
        const { meta, cell: render } = cell.column.columnDef;
        return (
          <td key={cell.id} className={meta?.className || undefined} data-title={meta?.title}>
            {/* Not flexRender: it treats a new function as a new component, which loses the focus. */}
            {typeof render === "function" ? (render(cell.getContext()) as ReactNode) : render}
          </td>
        );
      })}
    </tr>
  );
}
