import { tzOffset } from "@date-fns/tz";

/** Days and times of the books. A day is `YYYY-MM-DD`, the shop's own (SHOP_TIMEZONE); times are epoch seconds. */

const MINUTE = 60;
const DAY = 86_400;

/** A point of time as it was given: an instant, a day of the shop, or a time by the shop's clock. */
export type DateInput = { at: number } | { day: string } | { clock: string };

/**
 * The shop's day at an instant.
 *
 * @param at epoch seconds
 * @param timezone IANA name
 */
export function localDay(at: number, timezone: string): string {
  return clockAt(at, timezone).slice(0, 10);
}

/** What the shop's clock shows at an instant: `YYYY-MM-DDTHH:MM:SS`. */
function clockAt(at: number, timezone: string): string {
  return new Date((at + offsetAt(at, timezone)) * 1000).toISOString().slice(0, 19);
}

/** Seconds by which the shop's clock is ahead of UTC. */
function offsetAt(at: number, timezone: string): number {
  return tzOffset(timezone, new Date(at * 1000)) * MINUTE;
}

/**
 * When the shop's clock shows something. What it shows twice (the end of summer time) is the first of the two; what
 * it leaps over (the beginning) is as much later as it leaps.
 *
 * @param clock `YYYY-MM-DDTHH:MM:SS`
 * @returns epoch seconds
 */
export function instantOf(clock: string, timezone: string): number {
  const asUtc = Date.parse(`${clock}Z`) / 1000;
  const offsets = [offsetAt(asUtc - DAY, timezone), offsetAt(asUtc + DAY, timezone)];
  const fits = offsets.map((offset) => asUtc - offset).filter((at) => clockAt(at, timezone) === clock);
  return fits.length > 0 ? Math.min(...fits) : asUtc - (offsets[0] ?? 0);
}

/**
 * The instant and the day that an entry is booked at. A bare day is today's present moment or any other day's noon,
 * which is the same day wherever the shop may move to.
 *
 * @param now epoch seconds
 */
export function bookedAt(
  given: DateInput,
  now: number,
  timezone: string,
): { createdAt: number; day: string } {
  if ("day" in given) {
    const isToday = given.day === localDay(now, timezone);
    return { createdAt: isToday ? now : instantOf(`${given.day}T12:00:00`, timezone), day: given.day };
  }
  const createdAt = "at" in given ? given.at : instantOf(given.clock, timezone);
  return { createdAt, day: localDay(createdAt, timezone) };
}

/** The calendar day `days` after another (before, when negative). */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY * 1000).toISOString().slice(0, 10);
}

/**
 * @param month `YYYY-MM`
 * @returns the month before
 */
export function monthBefore(month: string): string {
  return dayAfter(`${month}-01`, -1).slice(0, 7);
}

/** From and to, both included. */
export type DateSpan = [from: string, to: string];

/**
 * A span of days as whole months and the days before and after them, so that its sum reads few rows.
 *
 * @returns `months` (YYYY-MM) is null when no month lies in it whole
 */
export function monthsWithin(from: string, to: string): { months: DateSpan | null; days: DateSpan[] } {
  const isFirst = from.endsWith("-01");
  const isLast = dayAfter(to, 1).endsWith("-01");
  const first = isFirst ? from.slice(0, 7) : dayAfter(`${from.slice(0, 7)}-28`, 4).slice(0, 7);
  const last = isLast ? to.slice(0, 7) : monthBefore(to.slice(0, 7));
  if (first > last) return { months: null, days: [[from, to]] };
  const before: DateSpan[] = isFirst ? [] : [[from, dayAfter(`${first}-01`, -1)]];
  const after: DateSpan[] = isLast ? [] : [[`${to.slice(0, 7)}-01`, to]];
  return { months: [first, last], days: [...before, ...after] };
}

/** Whether a text is a day that the books may have: 2000 to 2099 (contract: Dates). */
export function isDay(text: string): boolean {
  return text.startsWith("20") && isCalendarDay(text);
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
