import { Link, useRouteLoaderData } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { historyUrl } from "./params";

/** Leads admins to the recorded changes of an object; nothing for others, who may not see the log. */
export function HistoryLink({ id, className = "btn" }: { id: string; className?: string }) {
  const shell = useRouteLoaderData<{ isAdmin: boolean }>("routes/admin");
  if (!shell?.isAdmin) return null;
  return (
    <Link className={className} to={historyUrl(id)}>
      <Icon name="scroll-text" className="i s" />
      <span>History</span>
    </Link>
  );
}
