import { Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";

/** Link that reloads the page after a part of it failed. */
export function TryAgain({ className, children }: { className: string; children?: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Link className={className} to={pathname + search} reloadDocument>
      {children}
      Try again
    </Link>
  );
}
