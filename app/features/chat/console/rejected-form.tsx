import { Link } from "@remix-run/react";
import { FormError } from "~/ui/Field";

/** Action data of a rejected console form (http/form-action.server.ts). */
export interface RejectedForm {
  lastResult: {
    initialValue?: Record<string, unknown> | undefined;
    error?: Record<string, string[] | null> | null | undefined;
  } | null;
  failure: string | null;
  /** HTTP status: 409 when a colleague has changed the record, 404 when they have deleted it. */
  status?: number;
}

/** Returns the rejection if it belongs to one of these intents; other forms on the page keep their values. */
export function rejectionFor(
  rejected: RejectedForm | undefined,
  ...intents: string[]
): RejectedForm | undefined {
  return intents.includes(String(rejected?.lastResult?.initialValue?.intent)) ? rejected : undefined;
}

/** Returns a submitted value, or the fallback. */
export function typedValue(rejected: RejectedForm | undefined, name: string, fallback = ""): string {
  const value = rejected?.lastResult?.initialValue?.[name];
  return typeof value === "string" ? value : fallback;
}

/** Returns the first error of a field. */
export function fieldError(rejected: RejectedForm | undefined, name: string): string | undefined {
  return rejected?.lastResult?.error?.[name]?.[0];
}

const ACTION_LABELS: Record<string, string> = {
  send: "send message",
  deleteChat: "delete chat",
  updateChat: "update chat",
  addResponse: "create predefined response",
  updateResponse: "update response",
  deleteResponse: "delete response",
  settings: "save settings",
};

/** Builds the message for a form that did not reach the server. */
export const networkFailureMessage = (intent: string, reason: string) =>
  `Failed to ${ACTION_LABELS[intent] ?? "send"}. ${reason}`;

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
