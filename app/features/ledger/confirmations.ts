import { isDay } from "~/domain/calendar-day";
import { formatDay, formatWholeDay } from "~/domain/day-text";
import { dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";

/**
 * Asks about a date outside the current month, which is allowed but seldom meant.
 *
 * @param fields with `createdAt`, YYYY-MM-DD
 * @param today YYYY-MM-DD in the shop's time zone
 */
export const dateConfirmation = (fields: FormData, today: string) =>
  confirmationFor([otherMonth(fields, today)]);

/** Asks about an invoice without a description or an amount, or with a date in another month. */
export function invoiceConfirmation(fields: FormData, today: string): string | null {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  return confirmationFor([
    text("description") === "" ? "No description" : "",
    parseAmount(text("amount"))?.cents === 0 ? `Amount ${dollars(0)}` : "",
    otherMonth(fields, today),
  ]);
}

/**
 * Describes a date outside the current month or after today; empty for another one, and for the date that an entry had before.
 */
export function otherMonth(fields: FormData, today: string): string {
  const day = String(fields.get("createdAt") ?? "");
  // Another text is an error of the field.
  if (!isDay(day) || day === openedDay(fields)) return "";
  const months = monthsBetween(today, day);
  if (day > today || day < yearBefore(today)) return `Dated ${distance(months)}, ${formatWholeDay(day)}`;
  return months === 0 ? "" : `Dated ${distance(months)}, ${formatDay(day)}`;
}

/** Day that the form of a stored entry was opened with. */
function openedDay(fields: FormData): unknown {
  try {
    return JSON.parse(String(fields.get("was") ?? "null"))?.createdAt;
  } catch {
    return null;
  }
}

/** Counts calendar months from one day to another; negative for an earlier one. */
function monthsBetween(from: string, to: string): number {
  const month = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return month(to) - month(from);
}

/** Returns the same day a year before. */
const yearBefore = (day: string) => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;

/** Words the distance of another month, or of a later day of this one. */
function distance(months: number): string {
  if (months === 0) return "after today";
  if (Math.abs(months) === 1) return months > 0 ? "next month" : "last month";
  const [count, unit] =
    Math.abs(months) < 24 ? [Math.abs(months), "months"] : [Math.floor(Math.abs(months) / 12), "years"];
  return `${count} ${unit} ${months > 0 ? "ahead" : "ago"}`;
}

/** Asks about what is unusual; null when nothing is. */
export function confirmationFor(unusual: string[]): string | null {
  const found = unusual.filter(Boolean);
  return found.length > 0 ? `${found.join(". ")}. Press again if that is right.` : null;
}
