import { TZDate } from "@date-fns/tz";
import { format } from "date-fns";

/** Date format: `21st Nov 2026`. */
const DAY = "do MMM yyyy";

/** Formats a time as a date. @param seconds epoch seconds */
export function formatDate(seconds: number, timeZone: string): string {
  return format(new TZDate(seconds * 1000, timeZone), DAY);
}

/** Formats a time as a date, without the year if it is today's: `21st Nov`. @param seconds epoch seconds @param today YYYY-MM-DD */
export function formatRecentDate(seconds: number, timeZone: string, today: string): string {
  return withoutYear(formatDate(seconds, timeZone), today);
}

/** Leaves the year out of a formatted date if it is today's. @param today YYYY-MM-DD */
function withoutYear(date: string, today: string): string {
  const year = ` ${today.slice(0, 4)}`;
  return date.endsWith(year) ? date.slice(0, -year.length) : date;
}

/** Formats a time with its date: `21st Nov 2026, 14:05`. @param seconds epoch seconds */
export function formatDateTime(seconds: number, timeZone: string): string {
  return format(new TZDate(seconds * 1000, timeZone), `${DAY}, HH:mm`);
}

/** Formats a time with its date and second: `21st Nov 2026, 14:05:09`. @param seconds epoch seconds */
export function formatExactTime(seconds: number, timeZone: string): string {
  return format(new TZDate(seconds * 1000, timeZone), `${DAY}, HH:mm:ss`);
}

/** Formats the time of day: `14:05`. @param seconds epoch seconds */
export function formatTime(seconds: number, timeZone: string): string {
  return format(new TZDate(seconds * 1000, timeZone), "HH:mm");
}

/**
 * Joins names, the first ones if there are many: `lamp, mug and 3 more`.
 *
 * @param max number of listed names
 * @param total number of all, if `names` holds only the first
 */
export function listNames(names: string[], max: number, total = names.length): string {
  const listed = names.slice(0, max);
  const more = total - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Formats a count with its noun: `3 chats`, `2 entries`. @param noun singular, whose plural ends in "s" or "ies" */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}
