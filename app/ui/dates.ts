import { TZDate } from "@date-fns/tz";
import { format, parseISO } from "date-fns";

/** How days are told: `21st Nov 2026` (back office 9). */
const DAY = "do MMM yyyy";

/**
 * The day of a moment.
 *
 * @param seconds epoch seconds
 * @param timeZone the shop's own
 */
export function formatDate(seconds: number, timeZone: string): string {
  return format(new TZDate(seconds * 1000, timeZone), DAY);
}

/**
 * A moment, to the minute: `21st Nov 2026, 14:05`.
 *
 * @param seconds epoch seconds
 * @param timeZone the shop's own
 */
export function formatDateTime(seconds: number, timeZone: string): string {
  return format(new TZDate(seconds * 1000, timeZone), `${DAY}, HH:mm`);
}

/**
 * The time of day: `14:05`.
 *
 * @param seconds epoch seconds
 * @param timeZone the shop's own
 */
export function formatTime(seconds: number, timeZone: string): string {
  return format(new TZDate(seconds * 1000, timeZone), "HH:mm");
}

/**
 * A day in words.
 *
 * @param day YYYY-MM-DD
 */
export function formatDay(day: string): string {
  return format(parseISO(day), DAY);
}
