import type { Row as TableRow } from "@tanstack/react-table";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, Fragment, type ReactNode, type Ref, type RefObject, useState } from "react";
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
 * The rows in sight, and the one that has the focus wherever it has been scrolled to: taken away, it would take the
 * focus with it. What lies between them are rows of the height of all that is left out; readers are told how many
 * there are.
 *
 * @param frame what scrolls
 */
export function VirtualRows<Row extends object>({
  rows,
  isWaiting,
  frame,
}: RowsProps<Row> & { frame: RefObject<HTMLElement> }) {
  const { held, ...keeps } = useHeldRow(rows);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    rangeExtractor: (range) => withHeld(range, held),
  });
  const items = virtual.getVirtualItems();
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody className={bones(isWaiting)} {...keeps}>
      {items.map(({ index, start }, params) => {
        const row = rows[index];
        return (
          row && (
            <Fragment key={row.id}>
              <Gap height={start - (items[params - 1]?.end ?? 0)} />
              <Cells row={row} index={index} measure={virtual.measureElement} />
            </Fragment>
          )
        );
      })}
      <Gap height={below} />
    </tbody>
  );
}

/** The index of the row that has the focus, -1 for none, and what keeps it known. */
function useHeldRow<Row extends object>(rows: TableRow<Features, Row>[]) {
  const [id, setId] = useState<string | null>(null);
  return {
    held: id === null ? -1 : rows.findIndex((row) => row.id === id),
    onFocus: ({ target }: FocusEvent) => {
      const index = target.closest<HTMLElement>("[data-index]")?.dataset.index;
      setId(rows[Number(index)]?.id ?? null);
    },
    onBlur: () => setId(null),
  };
}

function withHeld(range: Range, held: number): number[] {
  const inSight = defaultRangeExtractor(range);
  if (held < 0 || held >= range.count || inSight.includes(held)) return inSight;
  return [...inSight, held].sort((a, b) => a - b);
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
  const params = index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 };
  return (
    <tr ref={measure} {...params}>
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
