import { AppError, type ErrorDetail } from "./errors";

/** A field that two people have changed, or the other one alone. */
interface Difference {
  /** The field's name. */
  path: string;
  /** What it is now, in words. */
  now: string;
  /** What it is now, as the form sends it. */
  value: string;
  /** Whether the second one has changed it, too. */
  isBoth: boolean;
}

/**
 * Tells the second of two people what the first one has changed since the second one's form was opened. Fields that
 * the second one left alone then hold what is stored, so that saving again changes nothing back; the others keep what
 * was typed.
 *
 * @param what is being changed, such as "this invoice"
 */
export function editConflict(what: string, differences: Difference[]): AppError {
  const details = differences.map(
    ({ path, now, isBoth }): ErrorDetail => ({
      path,
      message: isBoth ? `Now ${now || "empty"}` : `Changed to ${now || "empty"} meanwhile`,
    }),
  );
  const theirs = differences.filter(({ isBoth }) => !isBoth).map(({ path, value }) => [path, value]);
  return new AppError("conflict", `Somebody else has just changed ${what}.`, {
    details,
    instead: Object.fromEntries(theirs),
  });
}

type Values<T> = { [Field in keyof T]?: string | boolean | undefined };

/**
 * Rejects a stale edit. Fields that both people changed alike, and fields that the edit leaves out, are no conflict.
 *
 * @param what is being changed, such as "this user"
 * @param was what the second one's form showed
 * @param stored what is stored now
 * @throws AppError conflict (409) with what stands there now beside each field
 */
export function refuseStale<T>(what: string, was: Values<T>, stored: Values<T>, changes: Values<T>): void {
  const names = Object.keys(was) as (keyof T & string)[];
  const differences = names
    .filter((name) => was[name] !== undefined && was[name] !== stored[name])
    .filter((name) => changes[name] !== undefined && changes[name] !== stored[name])
    .map((path) => ({ path, ...told(stored[path]), isBoth: changes[path] !== was[path] }));
  if (differences.length > 0) throw editConflict(what, differences);
}

/** A field's value in words, and as the form sends it. */
function told(value: string | boolean | undefined = ""): { now: string; value: string } {
  if (typeof value === "string") return { now: value, value };
  return value ? { now: "ticked", value: "on" } : { now: "not ticked", value: "" };
}
