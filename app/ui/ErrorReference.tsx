import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { useContext } from "react";
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
