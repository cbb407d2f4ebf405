import {
  type ColumnDef,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";

/** A column as a feature gives it. */
export interface Column<Row> {
  /** The name it is sorted by in the address. */
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Sorted by nothing: pictures, actions. */
  isFixed?: boolean;
  /** Right-aligned. */
  isNumber?: boolean;
  /** The title is for screen readers alone. */
  isQuiet?: boolean;
  /** On its cells, title included. */
  className?: string;
  /** What stands in the foot: the sum of all that is filtered. */
  sum?: ReactNode;
}

/** How a column looks, where TanStack keeps what is ours. */
interface Looks {
  className: string;
  title: string;
  isQuiet: boolean;
  sum: ReactNode;
}

/** Sorting and paging are drawn from the address and done in SQL; the table only knows of them. */
export const features = tableFeatures({ rowSortingFeature, rowPaginationFeature, columnMeta: {} as Looks });
export type Features = typeof features;

/** Columns as TanStack Table takes them. */
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
