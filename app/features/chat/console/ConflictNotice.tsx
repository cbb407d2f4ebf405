import { Link } from "@remix-run/react";
import { FormError } from "~/ui/Field";
import type { RejectedForm } from "./rejected-form";

const CONFLICT = 409;
const NOT_FOUND = 404;

interface ConflictNoticeProps {
  rejected: RejectedForm | undefined;
  /** Such as "this response". */
  subject: string;
  /** Labels of the form's fields by name. */
  labels: Record<string, string>;
  /** URL of the form with the stored values. */
  theirs: string;
}

/** Explanation of an edit conflict above a form, which stays until the form is sent again. */
export function ConflictNotice({ rejected, subject, labels, theirs }: ConflictNoticeProps) {
  if (rejected?.status === NOT_FOUND)
    return <FormError message={`Somebody else has deleted ${subject}.`} note="Save adds it anew." />;
  if (rejected?.status !== CONFLICT) return null;
  const changed = Object.keys(rejected.lastResult?.error ?? {}).flatMap((name) => labels[name] ?? []);
  const note = (
    <>
      Changed: {changed.join(", ")}. Save again overwrites their change.{" "}
      <Link to={theirs} preventScrollReset>
        Use theirs
      </Link>
    </>
  );
  return <FormError message={`Somebody else has just changed ${subject}.`} note={note} />;
}
