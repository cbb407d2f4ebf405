import { Link } from "@remix-run/react";
import { useSending } from "./useSending";

interface CancelLinkProps {
  /** Where it leads. */
  back: string;
  /** What the dialog's form asks for: while that is being done it can't be called back. */
  intent: string;
}

/** Closes a dialog that is an address. */
export function CancelLink({ back, intent }: CancelLinkProps) {
  if (useSending(intent))
    return (
      <button type="button" className="btn" disabled>
        Cancel
      </button>
    );
  return (
    <Link className="btn" to={back} replace preventScrollReset>
      Cancel
    </Link>
  );
}
