import {
  type ColumnDef,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";
import { Link } from "~/ui/navigation";
import { Icon } from "../Icon";
import { type ListParams, listUrl } from "./list-params";
import { rowKeyAttribute } from "./useTableKeys";

/**
 * Places of a card, in this order: `mark`, `title` and `side` in the first line, each `line` alone, then `detail` with `end`,
 * and `meta` with `actions`.
 */
type CardPlace = "mark" | "title" | "side" | "line" | "detail" | "end" | "meta" | "actions";

export interface Column<Row> {
  /** Value of the `sort` parameter. */
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Not sortable. */
  isFixed?: boolean;
  isNumber?: boolean;
  isQuiet?: boolean;
  className?: string;
  /** Place on phones, where a row is a card; a column without one is left out there. */
  card?: CardPlace;
  /** Footer: sum of all matching rows. */
  sum?: ReactNode;
}

/** Properties of the column with a row's actions. */
export const ACTIONS_COLUMN = {
  id: "actions",
  title: "Actions",
  isFixed: true,
  isQuiet: true,
  className: "cell-actions",
  card: "actions",
} as const;

interface Meta {
  className: string;
  title: string;
  isQuiet: boolean;
  sum: ReactNode;
}

/** The URL holds sort and page and SQL applies them; the table only displays both. */
export const features = tableFeatures({ rowSortingFeature, rowPaginationFeature, columnMeta: {} as Meta });
export type Features = typeof features;

/** Class names of a column's cells. */
export const cellClass = <Row,>({ isNumber, className, card }: Column<Row>) =>
  [isNumber ? "num" : "", className ?? "", card ? `card-${card}` : ""].filter(Boolean).join(" ");

export function tableColumns<Row extends object>(columns: Column<Row>[]): ColumnDef<Features, Row>[] {
  return columns.map((column) => ({
    id: column.id,
    header: column.title,
    accessorFn: (row: Row) => row,
    cell: ({ row }) => column.cell(row.original),
    enableSorting: !column.isFixed,
    meta: {
      className: cellClass(column),
      title: column.title,
      isQuiet: column.isQuiet ?? false,
      sum: column.sum,
    },
  }));
}

interface RowActionsProps {
  id: string;
  name: string;
  params: ListParams;
  /** Reasons why an action is not allowed. */
  locks?: { edit: string | null; delete: string | null };
  /** Offers a new row with the values of this one. */
  isDuplicable?: boolean;
}

export function RowActions({ id, name, params, locks, isDuplicable }: RowActionsProps) {
  const dialogUrl = (kind: "edit" | "duplicate" | "delete") => listUrl(params, {}, { kind, id });
  return (
    <span className="row-actions">
      <RowAction
        to={dialogUrl("edit")}
        lock={locks?.edit}
        label={`Update ${name}`}
        title="Update (E)"
        rowKey="e"
      >
        <Icon name="pencil" className="i s" />
      </RowAction>
      {isDuplicable && (
        <Link
          className="tool-button"
          to={dialogUrl("duplicate")}
          aria-label={`Duplicate ${name}`}
          title="Duplicate"
          preventScrollReset
        >
          <Icon name="copy" className="i s" />
        </Link>
      )}
      <RowAction
        to={dialogUrl("delete")}
        lock={locks?.delete}
        label={`Delete ${name}`}
        title="Delete (Del)"
        rowKey="delete"
      >
        <Icon name="trash-2" className="i s" />
      </RowAction>
    </span>
  );
}

interface RowActionProps {
  to: string;
  lock: string | null | undefined;
  label: string;
  title: string;
  rowKey: "e" | "delete";
  children: ReactNode;
}

function RowAction({ to, lock, label, title, rowKey, children }: RowActionProps) {
  if (lock) return <LockedAction reason={lock} />;
  return (
    <Link
      className={rowKey === "delete" ? "tool-button danger" : "tool-button"}
      to={to}
      aria-label={label}
      title={title}
      preventScrollReset
      {...rowKeyAttribute(rowKey)}
    >
      {children}
    </Link>
  );
}

function LockedAction({ reason }: { reason: string }) {
  return (
    <span className="locked" title={reason}>
      <Icon name="lock" className="i s" />
      <span className="visually-hidden">{reason}</span>
    </span>
  );
}
