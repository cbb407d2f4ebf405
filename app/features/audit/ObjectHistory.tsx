import { Link, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import type { RecentChange } from "./operations.server";
import { historyUrl } from "./params";

/** Data of a page that shows the history of its object. */
interface PageWithChanges {
  /** Newest first; null for managers, who may not see the audit log, and when nothing could be read. */
  changes: RecentChange[] | null;
}

/** Latest recorded changes of the page's object, for admins; the audit log has the rest. */
export function ObjectHistory({ id, className }: { id: string; className?: string }) {
  const { changes } = useLoaderData<PageWithChanges>();
  if (!changes) return null;
  return (
    <details className={className ? `object-history ${className}` : "object-history"}>
      <summary>
        <Icon name="scroll-text" className="i s" />
        Recorded changes
        <Icon name="chevron-down" className="i s" />
      </summary>
      {changes.length === 0 && <p className="soft">No changes are recorded.</p>}
      <ol>
        {changes.map(({ seq, at, text }) => (
          <li key={seq}>
            <time>{at}</time>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      {changes.length > 0 && (
        <Link className="quiet-link" to={historyUrl(id)}>
          In the audit log
        </Link>
      )}
    </details>
  );
}

/** Leads admins to the recorded changes of an object; nothing for others, who may not see the log. */
export function HistoryLink({ id }: { id: string }) {
  const shell = useRouteLoaderData<{ isAdmin: boolean }>("routes/admin");
  if (!shell?.isAdmin) return null;
  return (
    <Link className="btn" to={historyUrl(id)}>
      <Icon name="scroll-text" className="i s" />
      <span>History</span>
    </Link>
  );
}
