import { Link } from "@remix-run/react";

interface CancelLinkProps {
  /** Where it leads. */
  back: string;
  /** What the dialog's form asks for is being done: it can't be called back. */
  isBusy: boolean;
  words?: string;
}

/** Closes a dialog that is an address. */
export function CancelLink({ back, isBusy, words = "Cancel" }: CancelLinkProps) {
  if (isBusy)
    return (
      <button type="button" className="btn" disabled>
        {words}
      </button>
    );
  return (
    <Link className="btn" to={back} replace preventScrollReset>
      {words}
    </Link>
  );
}
