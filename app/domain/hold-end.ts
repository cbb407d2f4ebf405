import { addDays, instantAt, localDay } from "~/domain/days";
import { HOUR_SECONDS } from "~/domain/durations";
import { closingOn, DAY_END, nextClosing, type ShopClock } from "~/domain/hours";
import { dayInYear, daysBetween, type LocalTime, localTime } from "~/domain/local-time";

/**
 * Returns the end that a hold has by default: the shop's next closing time, at least an hour ahead, so that there is time to
 * come, or the first one after some days; without opening hours the end of the next day, or of the last one.
 *
 * @param now epoch seconds
 * @param clock with the number of days, 0 for the next closing time
 */
export function defaultHoldEnd(now: number, clock: ShopClock & { sales: { holdDays: number } }): number {
  const { timezone } = clock;
  const { holdDays } = clock.sales;
  const today = localDay(now, timezone);
  // Yesterday's opening may go on today.
  const closing = nextClosing(addDays(today, holdDays || -1), now + HOUR_SECONDS, clock);
  return closing ?? instantAt(`${addDays(today, Math.max(holdDays, 1) + 1)}T00:00:00`, timezone) - 1;
}

/** Days ahead in which a weekday alone names the day. */
const NAMED_DAYS = 6;

/**
 * Formats the end of a hold as it is read today: `today 18:00, when we close`, `Thursday 18:00`.
 *
 * @param until epoch seconds
 * @param now epoch seconds
 */
export function formatUntil(until: number, now: number, clock: ShopClock): string {
  return formatEnd(until, now, clock) + closingNote(until, clock);
}

/** Formats the end of a hold for a text that is kept and read on other days too: `Thursday 18:00, when we close`. */
export function formatKeptUntil(until: number, now: number, clock: ShopClock): string {
  return weekdayAndTime(until, now, clock) + closingNote(until, clock);
}

/** Formats the end of a hold for a list: `today 18:00`, `Thursday 18:00`, later than six days ahead `Thursday 3rd Dec, 18:00`. */
export function formatEnd(until: number, now: number, clock: ShopClock): string {
  const [end, today] = [endTime(until, clock), localTime(now, clock.timezone)];
  return daysBetween(today, end) === 0 ? `today ${end.time}` : weekdayAndTime(until, now, clock);
}

/** Returns the local time of an end: midnight is that of the day that ends. */
function endTime(until: number, { timezone }: ShopClock): LocalTime {
  const end = localTime(until, timezone);
  return end.time === "00:00" ? { ...localTime(until - 60, timezone), time: DAY_END } : end;
}

function weekdayAndTime(until: number, now: number, clock: ShopClock): string {
  const [end, today] = [endTime(until, clock), localTime(now, clock.timezone)];
  const ahead = daysBetween(today, end);
  const isNamed = ahead >= 0 && ahead <= NAMED_DAYS;
  return isNamed ? `${end.weekday} ${end.time}` : `${end.weekday} ${dayInYear(end, today)}, ${end.time}`;
}

function closingNote(until: number, clock: ShopClock): string {
  const day = localDay(until, clock.timezone);
  // An opening of the day before may end at midnight or later.
  const isClosing = [day, addDays(day, -1)].some((one) => closingOn(one, clock) === until);
  return isClosing ? ", when we close" : "";
}
