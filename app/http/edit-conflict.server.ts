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
 * @param what is being changed, such as "invoice"
 */
export function changedMeanwhile(what: string, differences: Difference[]): AppError {
  const details = differences.map(
    ({ path, now, isBoth }): ErrorDetail => ({
      path,
      message: isBoth ? `Now ${now || "empty"}` : `Changed to ${now || "empty"} meanwhile`,
    }),
  );
  const theirs = differences.filter(({ isBoth }) => !isBoth).map(({ path, value }) => [path, value]);
  return new AppError("conflict", `Somebody else has just changed this ${what}.`, {
    details,
    instead: Object.fromEntries(theirs),
  });
}
