import { AppError, type ErrorDetail } from "./errors";

/** A field that somebody else has changed since the form was opened. */
interface Difference {
  path: string;
  /** Stored value for display. */
  displayedValue: string;
  /** Stored value as the form sends it. */
  formValue: unknown;
  /** True when this edit changes the field too. */
  isEditedHere: boolean;
}

/**
 * Creates the error for a stale edit. Fields that the edit leaves alone take the stored value, so that saving again
 * does not revert it; the others keep what was typed (docs/architecture.md, Concurrent edits).
 *
 * @param subject of the edit, such as "this invoice"
 */
export function editConflict(subject: string, differences: Difference[]): AppError {
  const details = differences.map(
    ({ path, displayedValue, isEditedHere }): ErrorDetail => ({
      path,
      message: isEditedHere
        ? `Now ${displayedValue || "empty"}`
        : `Changed to ${displayedValue || "empty"} meanwhile`,
    }),
  );
  const untouched = differences
    .filter(({ isEditedHere }) => !isEditedHere)
    .map(({ path, formValue }) => [path, formValue]);
  return new AppError("conflict", `Somebody else has just changed ${subject}.`, {
    details,
    fieldValues: Object.fromEntries(untouched),
  });
}

type FieldValues<T> = { [Field in keyof T]?: string | boolean | undefined };

/**
 * Rejects a stale edit. Fields that both edits set to the same value, and fields that this edit leaves out, do not
 * conflict.
 *
 * @param subject of the edit, such as "this user"
 * @param was values that the form showed when it was opened
 * @param stored current values
 * @throws AppError conflict (409) with the stored value beside each field
 */
export function rejectStaleEdit<T>(
  subject: string,
  was: FieldValues<T>,
  stored: FieldValues<T>,
  changes: FieldValues<T>,
): void {
  const names = Object.keys(was) as (keyof T & string)[];
  const differences = names
    .filter((name) => was[name] !== undefined && was[name] !== stored[name])
    .filter((name) => changes[name] !== undefined && changes[name] !== stored[name])
    .map((path) => ({ path, ...formatValue(stored[path]), isEditedHere: changes[path] !== was[path] }));
  if (differences.length > 0) throw editConflict(subject, differences);
}

function formatValue(value: string | boolean | undefined = ""): {
  displayedValue: string;
  formValue: string;
} {
  if (typeof value === "string") return { displayedValue: value, formValue: value };
  return value
    ? { displayedValue: "ticked", formValue: "on" }
    : { displayedValue: "not ticked", formValue: "" };
}
