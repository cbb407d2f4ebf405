import {
  type ColumnDef,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";

/** Column of a DataTable. */
export interface Column<Row> {
  /** Value of the `sort` parameter. */
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Not sortable. */
  isFixed?: boolean;
  /** Right-aligned. */
  isNumber?: boolean;
  /** Hides the title visually. */
  isQuiet?: boolean;
  /** CSS class of all its cells. */
  className?: string;
  /** Footer: sum of all matching rows. */
  sum?: ReactNode;
}

/** Column metadata in TanStack Table. */
interface Meta {
  className: string;
  title: string;
  isQuiet: boolean;
  sum: ReactNode;
}

/** The URL holds sort and page and SQL applies them; the table only displays both. */
export const features = tableFeatures({ rowSortingFeature, rowPaginationFeature, columnMeta: {} as Meta });
export type Features = typeof features;

/** Converts columns to TanStack Table definitions. */
export function tableColumns<Row extends object>(columns: Column<Row>[]): ColumnDef<Features, Row>[] {
  return columns.map(({ id, title, cell, isFixed, isNumber, isQuiet, className, sum }) => ({
    id,
    header: title,
    accessorFn: (row: Row) => row,
    cell: ({ row }) => cell(row.original),
    enableSorting: !isFixed,
    meta: {
      className: [isNumber ? "num" : "", className ?? ""].filter(Boolean).join(" "),
      title,
      isQuiet: isQuiet ?? false,
      sum,
    },
  }));
}
