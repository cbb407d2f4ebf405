import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { Link } from "~/ui/navigation";
import { ReferenceContext } from "./site";

/** Names the reference under which the log has the error. */
export function ErrorReference() {
  const error = useRouteError();
  const ofResponse = useContext(ReferenceContext);
  const ofDocument =
    typeof document === "undefined" ? ofResponse : document.documentElement.dataset.reference;
  const data = isRouteErrorResponse(error) ? (error.data as { reference?: string } | null) : null;
  const reference = data?.reference ?? ofDocument;
  if (!reference) return null;
  return (
    <p className="soft">
      Reference: <code>{reference}</code>
    </p>
  );
}

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
