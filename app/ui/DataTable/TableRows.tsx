import { useLocation, useNavigation } from "@remix-run/react";
import type { Row as TableRow } from "@tanstack/react-table";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, Fragment, type ReactNode, type Ref, type RefObject, useState } from "react";
import { Link } from "~/ui/navigation";
import { useDelayedPending } from "../delayed-pending";
import { Icon } from "../Icon";
import type { IconName } from "../icons";
import { type Column, cellClass, type Features } from "./columns";
import { isFiltered, type ListParams, listUrl, withoutDialog } from "./list-params";

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
  /** Id of the row that the page shows more of. */
  currentRow?: string | undefined;
}

const bodyClass = (isLoading: boolean) => (isLoading ? "skeleton-rows" : undefined);

export function TableRows<Row extends object>({ rows, isLoading, currentRow }: RowsProps<Row>) {
  return (
    <tbody className={bodyClass(isLoading)}>
      {rows.map((row) => (
        <TableRowCells key={row.id} row={row} isCurrent={row.id === currentRow} />
      ))}
    </tbody>
  );
}

/**
 * Renders the visible rows and the focused one, which would lose the focus if it were removed; spacer rows stand for
 * the others.
 */
export function VirtualRows<Row extends object>({
  rows,
  isLoading,
  scrollBox,
  currentRow,
}: RowsProps<Row> & { scrollBox: RefObject<HTMLElement> }) {
  const { focusedIndex, ...focusHandlers } = useFocusedRow(rows);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollBox.current,
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
              <TableRowCells
                row={row}
                isCurrent={row.id === currentRow}
                index={index}
                measure={virtual.measureElement}
              />
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
  isCurrent: boolean;
  index?: number;
  measure?: Ref<HTMLTableRowElement>;
}

function TableRowCells<Row extends object>({ row, isCurrent, index, measure }: TableRowCellsProps<Row>) {
  // Row 1 is the header.
  const position = index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 };
  return (
    <tr ref={measure} aria-current={isCurrent || undefined} {...position}>
      {row.getAllCells().map((cell) => {
        const { meta, cell: render } = cell.column.columnDef;
        return (
          <td key={cell.id} className={meta?.className || undefined}>
            {/* Not flexRender: it treats a new function as a new component, which loses the focus. */}
            {typeof render === "function" ? (render(cell.getContext()) as ReactNode) : render}
          </td>
        );
      })}
    </tr>
  );
}

/** Skeleton rows of a list without rows that is loading. */
export function SkeletonRows<Row>({ columns, count }: { columns: Column<Row>[]; count: number }) {
  return (
    <tbody aria-hidden="true" className="skeleton-rows">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no ids
        <tr key={row}>
          {columns.map((column) => (
            <td key={column.id} className={cellClass(column) || undefined} />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface EmptyListProps {
  params: ListParams;
  icon: IconName;
  /** Message of an unfiltered empty list. */
  children: ReactNode;
}

/** Message in place of rows: no matches, or an empty list. */
export function EmptyList({ params, icon, children }: EmptyListProps) {
  return (
    <div className="empty-state">
      <span className="empty-state-icon">
        <Icon name={icon} />
      </span>
      <h2>No records found</h2>
      {isFiltered(params) ? <NoMatches params={params} /> : children}
    </div>
  );
}

/** Empty list as the only row of its table. */
export function NoRows({ columns, ...empty }: EmptyListProps & { columns: number }) {
  return (
    <tbody className="no-rows">
      <tr>
        <td colSpan={columns}>
          <EmptyList {...empty} />
        </td>
      </tr>
    </tbody>
  );
}

function NoMatches({ params }: { params: ListParams }) {
  return (
    <>
      <p>No records match the search and filters.</p>
      <div className="button-row">
        <Link className="btn" to={listUrl(params, { q: "", filters: {} })} preventScrollReset>
          Clear Filters
        </Link>
      </div>
    </>
  );
}

export function FailedRows({ message, params }: { message: string; params: ListParams }) {
  return (
    <div className="load-failure">
      <h3>
        <Icon name="circle-alert" className="i s" />
        {message}
      </h3>
      <p>No data was lost. Try loading the list again.</p>
      <div className="button-row">
        <Link className="btn" to={listUrl(params)} preventScrollReset reloadDocument>
          <Icon name="rotate-cw" className="i s" />
          Try again
        </Link>
      </div>
    </div>
  );
}

/** Delay before skeletons replace rows, ms; without it quick pages would flicker. */
const SKELETON_DELAY = 120;

/**
 * Detects a navigation to other rows of the list; opening a dialog does not count.
 *
 * @returns `isSlow` after SKELETON_DELAY
 */
export function usePending(path: string): { isPending: boolean; isSlow: boolean } {
  const current = useLocation();
  const { state, location } = useNavigation();
  const isPending =
    state === "loading" &&
    location.pathname === path &&
    rowsQuery(location.search) !== rowsQuery(current.search);
  return { isPending, isSlow: useDelayedPending(isPending ? path : null, SKELETON_DELAY) !== null };
}

function rowsQuery(search: string): string {
  const { searchParams } = new URL(withoutDialog(`/${search}`), "http://local");
  searchParams.sort();
  return searchParams.toString();
}
