import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "../Icon";
import { type ListParams, listUrl } from "./list-params";
import { handleTableKey } from "./useTableKeys";

interface RowActsProps {
  id: string;
  /** What the row is called. */
  name: string;
  params: ListParams;
  /** Why the reader may not do one of them. */
  locks?: { edit: string | null; delete: string | null };
}

/** What can be done to a row: links to its dialogs. */
export function RowActions({ id, name, params, locks }: RowActsProps) {
  const address = (kind: "edit" | "delete") => listUrl(params, {}, { kind, id });
  return (
    <span className="row-actions">
      <RowAct to={address("edit")} lock={locks?.edit} label={`Update ${name}`} title="Update (E)" rowKey="e">
        <Icon name="pencil" className="i s" />
      </RowAct>
      <RowAct
        to={address("delete")}
        lock={locks?.delete}
        label={`Delete ${name}`}
        title="Delete (Del)"
        rowKey="delete"
      >
        <Icon name="trash-2" className="i s" />
      </RowAct>
    </span>
  );
}

interface RowActProps {
  to: string;
  lock: string | null | undefined;
  label: string;
  title: string;
  rowKey: "e" | "delete";
  children: ReactNode;
}

function RowAct({ to, lock, label, title, rowKey, children }: RowActProps) {
  if (lock) return <Locked reason={lock} />;
  return (
    <Link
      className={rowKey === "delete" ? "tool-button danger" : "tool-button"}
      to={to}
      aria-label={label}
      title={title}
      preventScrollReset
      {...handleTableKey(rowKey)}
    >
      {children}
    </Link>
  );
}

/** What the reader may not do, and why. */
function Locked({ reason }: { reason: string }) {
  return (
    <span className="locked" title={reason}>
      <Icon name="lock" className="i s" />
      <span className="visually-hidden">{reason}</span>
    </span>
  );
}
