/** First and last day of the supported years, which date inputs have as their limits. */
export const FIRST_DAY = "2000-01-01";
export const LAST_DAY = "2099-12-31";
export const UNSUPPORTED_DATE = "Must be a date from 2000 to 2099";

/** Checks for a day YYYY-MM-DD of the supported years. */
export function isDay(text: string): boolean {
  return isCalendarDay(text) && text >= FIRST_DAY && text <= LAST_DAY;
}

/**
 * Builds the message for a day that the calendar does not have, such as 2026-02-30.
 *
 * @param value day YYYY-MM-DD, perhaps with a time
 * @returns null for a day that exists, and for anything else
 */
export function noSuchDay(value: unknown): string | null {
  const [, day = ""] = /^\s*(\d{4}-\d\d-\d\d)(?:T|\s*$)/.exec(typeof value === "string" ? value : "") ?? [];
  return day === "" || isCalendarDay(day) ? null : `There is no such day as ${day}`;
}

/** Checks for an existing day YYYY-MM-DD of any year. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
