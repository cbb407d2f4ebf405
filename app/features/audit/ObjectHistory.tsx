import { useRouteLoaderData } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import type { RecentChange } from "./operations.server";
import { historyUrl } from "./params";

/** Changes, newest first; null for managers, who may not see the audit log, and when nothing could be read. */
export type RecentChanges = RecentChange[] | null;

interface ObjectHistoryProps {
  id: string;
  changes: RecentChanges;
  className: string;
}

/** Latest recorded changes of the page's object, for admins; the audit log has the rest. */
export function ObjectHistory({ id, changes, className }: ObjectHistoryProps) {
  if (!changes) return null;
  return (
    <details className={`object-history ${className}`}>
      <summary>
        <Icon name="scroll-text" className="i s" />
        Recorded changes
        <Icon name="chevron-down" className="i s" />
      </summary>
      {changes.length === 0 ? (
        <p className="soft">No changes are recorded.</p>
      ) : (
        <>
          <ol>
            {changes.map(({ seq, at, text }) => (
              <li key={seq}>
                <time>{at}</time>
                <span>{text}</span>
              </li>
            ))}
          </ol>
          <Link className="quiet-link" to={historyUrl(id)}>
            Open audit log
          </Link>
        </>
      )}
    </details>
  );
}

/** Link to an object's audit log, for admins. */
export function HistoryLink({ id }: { id: string }) {
  const shell = useRouteLoaderData<{ role: string }>("routes/admin");
  if (shell?.role !== "admin") return null;
  return (
    <Link className="btn" to={historyUrl(id)} title="History">
      <Icon name="scroll-text" className="i s" />
      <span>History</span>
    </Link>
  );
}
