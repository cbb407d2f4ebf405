import { useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo, useRef } from "react";
import type { IconName } from "../icons";
import { useHydrated } from "../useHydrated";
import { useRestoredFocus } from "../useRestoredFocus";
import { type Column, features, tableColumns } from "./columns";
import { type ListParams, listUrl } from "./list-params";
import { Pager } from "./Pager";
import { FailedRows, NoRows, SkeletonRows } from "./states";
import { TableFoot } from "./TableFoot";
import { TableHead } from "./TableHead";
import { TableRows, VIRTUAL_FROM, VirtualRows } from "./TableRows";
import { usePending } from "./usePending";
import { handleRowKey } from "./useTableKeys";

export interface DataTableProps<Row extends object> {
  /** What the rows are, such as "Invoices". */
  label: string;
  params: ListParams;
  columns: Column<Row>[];
  /** The page's rows; null when they could not be read. */
  rows: Row[] | null;
  rowId: (row: Row) => string;
  /** Rows in all that is filtered. */
  total: number;
  /** What is said when the rows could not be read. */
  failure?: string | null;
  /** What the foot adds up; none without it. */
  foot?: ReactNode;
  empty: { icon: IconName; children: ReactNode };
  /** On the table: how its rows become cards on phones. `grid plain` gives a line to each cell. */
  className?: string;
  /** Pixels that the rows' frame is high at most: the component's own, or that of the back office (contract: Tables). */
  frame?: 480 | 520 | 800;
}

/**
 * Rows that were searched, sorted and paged elsewhere, drawn as the address says (storefront 2, Reusable data table).
 * Titles sort, the pager pages, both by links; from 200 rows on a page those in sight alone are drawn.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, params, rows, total, failure } = props;
  const { isPending } = usePending(params.path);
  const frameId = `rows-of-${label.toLowerCase().replace(/\W+/g, "-")}`;
  useRestoredFocus(frameId, `${listUrl(params)} ${total}`);
  return (
    <section className="panel data-table" aria-label={label} aria-busy={isPending}>
      {rows === null ? (
        <FailedRows message={failure ?? "These rows could not be read."} params={params} />
      ) : (
        <>
          <Frame {...props} rows={rows} id={frameId} />
          <Pager params={params} total={total} />
        </>
      )}
    </section>
  );
}

function Frame<Row extends object>(props: DataTableProps<Row> & { rows: Row[]; id: string }) {
  const { id, label, rows, frame = 480, className = "plain" } = props;
  const box = useRef<HTMLDivElement>(null);
  const isVirtual = useHydrated() && rows.length >= VIRTUAL_FROM;
  const names = ["tablebox", `frame-${frame}`, isVirtual ? "virtual" : ""].filter(Boolean).join(" ");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section within the section would be one too many
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={box} id={id} className={names} role="region" tabIndex={0} aria-label={`${label}, scrolls`}>
      <table
        className={`data-grid ${className}`}
        aria-rowcount={isVirtual ? rows.length + 1 : undefined}
        onKeyDown={handleRowKey}
      >
        <Parts {...props} isVirtual={isVirtual} box={box} />
      </table>
    </div>
  );
}

/** How many skeletons stand where nobody knows how many rows will come. */
const UNKNOWN_ROWS = 5;

type PartsProps<Row extends object> = DataTableProps<Row> & {
  rows: Row[];
  isVirtual: boolean;
  box: React.RefObject<HTMLDivElement>;
};

function Parts<Row extends object>(props: PartsProps<Row>) {
  const { params, columns, rows, total, foot, empty, isVirtual, box } = props;
  const { isSlow } = usePending(params.path);
  const table = useDrawn(props);
  const drawn = table.getRowModel().rows;
  return (
    <>
      <TableHead headers={table.getHeaderGroups()[0]?.headers ?? []} params={params} />
      {rows.length === 0 && isSlow && <SkeletonRows columns={columns} count={UNKNOWN_ROWS} />}
      {rows.length === 0 && !isSlow && <NoRows columns={columns.length} params={params} {...empty} />}
      {rows.length > 0 && !isVirtual && <TableRows rows={drawn} isWaiting={isSlow} />}
      {rows.length > 0 && isVirtual && <VirtualRows rows={drawn} isWaiting={isSlow} frame={box} />}
      {foot && total > 0 ? <TableFoot columns={table.getAllLeafColumns()} label={foot} /> : null}
    </>
  );
}

/** TanStack Table over what the address says. */
function useDrawn<Row extends object>({ columns, rows, rowId, params, total }: PartsProps<Row>) {
  const drawnColumns = useMemo(() => tableColumns(columns), [columns]);
  const { sort, dir, page, size } = params;
  return useTable({
    features,
    columns: drawnColumns,
    data: rows,
    getRowId: rowId,
    manualSorting: true,
    manualPagination: true,
    rowCount: total,
    state: {
      sorting: [{ id: sort, desc: dir === "desc" }],
      pagination: { pageIndex: page - 1, pageSize: size },
    },
  });
}
