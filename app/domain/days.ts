import { tzOffset } from "@date-fns/tz";
import { DAY_SECONDS } from "~/domain/durations";
import { FIRST_DAY, isCalendarDay, isDay, LAST_DAY } from "./calendar-day";

// A day is `YYYY-MM-DD` in the shop's time zone (SHOP_TIMEZONE); times are epoch seconds.

const MINUTE = 60;

/** Date of an entry: an instant, a day, or a local time `YYYY-MM-DDTHH:MM:SS`. */
export type DateInput = { at: number } | { day: string } | { localTime: string };

/**
 * Limits of an instant, epoch seconds: from a day before the supported years to a day after them, since the local day of an
 * instant depends on the time zone.
 */
const EARLIEST = Date.parse(FIRST_DAY) / 1000 - DAY_SECONDS;
const LATEST = Date.parse(LAST_DAY) / 1000 + 2 * DAY_SECONDS;
const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Least number that is milliseconds; as seconds it would lie after the year 5000. */
const LEAST_MILLISECONDS = 1e11;

/**
 * Reads a date or a time: `{seconds}`, `{_seconds}`, milliseconds, seconds, ISO text or `YYYY-MM-DD`. A text without a zone
 * is a local time of the shop. The day of an instant may lie a day outside of 2000 to 2099 (`resolveDate` returns it).
 *
 * @returns null for anything else
 */
export function parseDate(value: unknown): DateInput | null {
  if (typeof value === "string") return parseText(value.trim());
  if (typeof value === "number")
    return instant(value >= LEAST_MILLISECONDS ? Math.floor(value / 1000) : value);
  if (typeof value !== "object" || value === null) return null;
  const { seconds, _seconds, nanoseconds, _nanoseconds } = value as Record<string, unknown>;
  return isNanoseconds(nanoseconds ?? _nanoseconds) ? instant(seconds ?? _seconds) : null;
}

function parseText(text: string): DateInput | null {
  if (isDay(text)) return { day: text };
  const [, day = "", hours, minutes, seconds = "00", zone] = ISO_TIME.exec(text) ?? [];
  if (!isCalendarDay(day)) return null;
  if (zone) return instant(Math.floor(Date.parse(text) / 1000));
  if (!isDay(day)) return null;
  return { localTime: `${day}T${hours}:${minutes}:${seconds}` };
}

function isNanoseconds(nanoseconds: unknown = 0): boolean {
  return Number.isInteger(nanoseconds) && Number(nanoseconds) >= 0 && Number(nanoseconds) < 1e9;
}

function instant(seconds: unknown): DateInput | null {
  if (typeof seconds !== "number" || !Number.isSafeInteger(seconds)) return null;
  return seconds >= EARLIEST && seconds < LATEST ? { at: seconds } : null;
}

/** Returns the local day at an instant. @param at epoch seconds */
export function localDay(at: number, timezone: string): string {
  return localTimeAt(at, timezone).slice(0, 10);
}

/** Returns the local time at an instant: `YYYY-MM-DDTHH:MM:SS`. */
export function localTimeAt(at: number, timezone: string): string {
  return new Date((at + offsetAt(at, timezone)) * 1000).toISOString().slice(0, 19);
}

/** Returns the time zone's offset from UTC at an instant, in seconds. */
function offsetAt(at: number, timezone: string): number {
  return tzOffset(timezone, new Date(at * 1000)) * MINUTE;
}

/**
 * Converts a local time to an instant. A time that occurs twice (end of summer time) is the first one; a skipped time
 * (beginning of summer time) moves on by the skipped hour.
 *
 * @param localTime `YYYY-MM-DDTHH:MM:SS`
 * @returns epoch seconds
 */
export function instantAt(localTime: string, timezone: string): number {
  const asUtc = Date.parse(`${localTime}Z`) / 1000;
  const offsets = [offsetAt(asUtc - DAY_SECONDS, timezone), offsetAt(asUtc + DAY_SECONDS, timezone)];
  const matches = offsets
    .map((offset) => asUtc - offset)
    .filter((at) => localTimeAt(at, timezone) === localTime);
  return matches.length > 0 ? Math.min(...matches) : asUtc - (offsets[0] ?? 0);
}

/**
 * Resolves the date of an entry. Today becomes the present moment, another day its noon, so that it stays the same day if
 * SHOP_TIMEZONE changes.
 *
 * @param now epoch seconds
 * @returns `createdAt` in epoch seconds, and its local day
 */
export function resolveDate(
  date: DateInput,
  now: number,
  timezone: string,
): { createdAt: number; day: string } {
  if ("day" in date) {
    const isToday = date.day === localDay(now, timezone);
    return { createdAt: isToday ? now : instantAt(`${date.day}T12:00:00`, timezone), day: date.day };
  }
  const createdAt = "at" in date ? date.at : instantAt(date.localTime, timezone);
  return { createdAt, day: localDay(createdAt, timezone) };
}

/** Adds days to a day; a negative number goes back. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/** Returns the month before another. @param month `YYYY-MM` */
export function monthBefore(month: string): string {
  return addDays(`${month}-01`, -1).slice(0, 7);
}

/** Returns the month that is a number of months after another. @param month `YYYY-MM` */
export function monthAfter(month: string, months = 1): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}

/** First and last day, or first and last month. */
export type DateSpan = [from: string, to: string];

/**
 * Splits a span of days into whole months and the days before and after them, so that its sum reads few rows.
 *
 * @returns `months` (YYYY-MM), null without a whole month, and `days`, the remaining spans
 */
export function monthsWithin(from: string, to: string): { months: DateSpan | null; days: DateSpan[] } {
  const fromMonth = from.slice(0, 7);
  const toMonth = to.slice(0, 7);
  const startsMonth = from.endsWith("-01");
  const endsMonth = addDays(to, 1).endsWith("-01");
  const first = startsMonth ? fromMonth : monthAfter(fromMonth);
  const last = endsMonth ? toMonth : monthBefore(toMonth);
  if (first > last) return { months: null, days: [[from, to]] };
  const before: DateSpan[] = startsMonth ? [] : [[from, addDays(`${first}-01`, -1)]];
  const after: DateSpan[] = endsMonth ? [] : [[`${toMonth}-01`, to]];
  return { months: [first, last], days: [...before, ...after] };
}
