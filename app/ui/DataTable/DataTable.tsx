import { type Header, type Column as TableColumn, useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo, useRef } from "react";
import { Link } from "~/ui/navigation";
import { useHydrated, useRestoredFocus } from "../hooks";
import { Icon } from "../Icon";
import type { IconName } from "../icons";
import { type Column, type Features, features, tableColumns } from "./columns";
import { type ListParams, listUrl } from "./list-params";
import { Pager } from "./Pager";
import {
  FailedRows,
  MIN_VIRTUAL_ROWS,
  NoRows,
  SkeletonRows,
  TableRows,
  usePending,
  VirtualRows,
} from "./TableRows";
import { handleRowClick, handleRowKey } from "./useTableKeys";

export interface DataTableProps<Row extends object> {
  /** Name of the rows, such as "Invoices". */
  label: string;
  params: ListParams;
  columns: Column<Row>[];
  /** Rows of the page; null when they could not be read. */
  rows: Row[] | null;
  rowId: (row: Row) => string;
  total: number;
  failure?: string | null;
  /** Label of the footer with the sums; without it there is no footer. */
  foot?: ReactNode;
  empty: { icon: IconName; children: ReactNode };
  /** CSS class of the table. */
  className?: string;
  /** Maximum height of the rows, px. */
  maxHeight?: 520 | 800;
  /** Id of the row that the page shows more of. */
  currentRow?: string | undefined;
  /** Line above the rows. */
  note?: ReactNode;
}

/** Shows one page of rows that the server has sorted and paged; large pages are virtualised (docs/product.md, 2.3). */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, params, rows, total, failure, note } = props;
  const { isPending } = usePending(params.path);
  const scrollId = `rows-of-${label.toLowerCase().replace(/\W+/g, "-")}`;
  useRestoredFocus(scrollId, `${listUrl(params)} ${total}`);
  return (
    <section className="panel data-table" aria-label={label} aria-busy={isPending}>
      {rows === null ? (
        <FailedRows message={failure ?? "The rows could not be read."} params={params} />
      ) : (
        <>
          {note}
          <RowsBox {...props} rows={rows} id={scrollId} />
          <Pager params={params} total={total} />
        </>
      )}
    </section>
  );
}

function RowsBox<Row extends object>(props: DataTableProps<Row> & { rows: Row[]; id: string }) {
  const { id, label, rows, maxHeight = 520, className } = props;
  const box = useRef<HTMLDivElement>(null);
  const isVirtual = useHydrated() && rows.length >= MIN_VIRTUAL_ROWS;
  const names = ["table-scroll", `max-${maxHeight}`, isVirtual ? "virtual" : ""].filter(Boolean).join(" ");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section within the section would be one too many
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={box} id={id} className={names} role="region" tabIndex={0} aria-label={`${label}, scrolls`}>
      <table
        className={className ? `data-grid ${className}` : "data-grid"}
        aria-rowcount={isVirtual ? rows.length + 1 : undefined}
        onKeyDown={handleRowKey}
        onClick={handleRowClick}
      >
        <TableContent {...props} isVirtual={isVirtual} box={box} />
      </table>
    </div>
  );
}

const SKELETON_COUNT = 5;

type TableContentProps<Row extends object> = DataTableProps<Row> & {
  rows: Row[];
  isVirtual: boolean;
  box: React.RefObject<HTMLDivElement>;
};

function TableContent<Row extends object>(props: TableContentProps<Row>) {
  const { params, columns, rows, total, foot, empty, isVirtual, box, currentRow } = props;
  const { isSlow } = usePending(params.path);
  const table = useTableModel(props);
  const tableRows = table.getRowModel().rows;
  return (
    <>
      <thead>
        <tr>
          {table.getFlatHeaders().map((header) => (
            <HeaderCell key={header.id} header={header} params={params} />
          ))}
        </tr>
      </thead>
      {rows.length === 0 && isSlow && <SkeletonRows columns={columns} count={SKELETON_COUNT} />}
      {rows.length === 0 && !isSlow && <NoRows columns={columns.length} params={params} {...empty} />}
      {rows.length > 0 && !isVirtual && (
        <TableRows rows={tableRows} isLoading={isSlow} currentRow={currentRow} />
      )}
      {rows.length > 0 && isVirtual && (
        <VirtualRows rows={tableRows} isLoading={isSlow} scrollBox={box} currentRow={currentRow} />
      )}
      {foot && total > 0 ? <TableFoot columns={table.getAllLeafColumns()} label={foot} /> : null}
    </>
  );
}

/** Builds the TanStack table model for the URL's sort and page. */
function useTableModel<Row extends object>({ columns, rows, rowId, params, total }: TableContentProps<Row>) {
  const columnDefs = useMemo(() => tableColumns(columns), [columns]);
  const { sort, dir, page, size } = params;
  return useTable({
    features,
    columns: columnDefs,
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

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

interface HeaderCellProps<Row extends object> {
  header: Header<Features, Row>;
  params: ListParams;
}

/** Column header; a link sorts ascending first, then descending. */
function HeaderCell<Row extends object>({ header, params }: HeaderCellProps<Row>) {
  const { column } = header;
  const meta = column.columnDef.meta;
  const sorted = column.getIsSorted();
  return (
    <th
      scope="col"
      className={meta?.className || undefined}
      aria-sort={sorted ? ARIA_SORT[sorted] : undefined}
    >
      {column.getCanSort() ? (
        <Link
          className="sort"
          to={listUrl(params, { sort: column.id, dir: sorted === "asc" ? "desc" : "asc" })}
          preventScrollReset
        >
          {meta?.title}
          {sorted === "desc" ? (
            <Icon name="arrow-down" />
          ) : (
            <Icon name="arrow-up" className={sorted ? "i" : "i off"} />
          )}
        </Link>
      ) : (
        <span className={meta?.isQuiet ? "visually-hidden" : undefined}>{meta?.title}</span>
      )}
    </th>
  );
}

interface TableFootProps<Row extends object> {
  columns: TableColumn<Features, Row>[];
  label: ReactNode;
}

function TableFoot<Row extends object>({ columns, label }: TableFootProps<Row>) {
  const first = columns.findIndex(({ columnDef }) => columnDef.meta?.sum !== undefined);
  const span = Math.min(2, Math.max(1, first));
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={span}>
          {label}
        </th>
        {columns.slice(span).map(({ id, columnDef: { meta } }) => (
          <td key={id} className={meta?.className || undefined}>
            {meta?.sum}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}
