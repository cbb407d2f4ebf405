import { addDays, instantAt, localDay } from "~/domain/days";
import { HOUR_SECONDS } from "~/domain/durations";
import { closingOn, nextClosing, type ShopClock } from "~/domain/hours";
import { dayInYear, daysBetween, localTime } from "~/domain/local-time";

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
  const closing = nextClosing(addDays(today, holdDays), now + HOUR_SECONDS, clock);
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
  const isToday = localDay(until, clock.timezone) === localDay(now, clock.timezone);
  return isToday ? `today ${localTime(until, clock.timezone).time}` : weekdayAndTime(until, now, clock);
}

function weekdayAndTime(until: number, now: number, { timezone }: ShopClock): string {
  const [end, today] = [localTime(until, timezone), localTime(now, timezone)];
  const ahead = daysBetween(today, end);
  const isNamed = ahead >= 0 && ahead <= NAMED_DAYS;
  return isNamed ? `${end.weekday} ${end.time}` : `${end.weekday} ${dayInYear(end, today)}, ${end.time}`;
}

function closingNote(until: number, clock: ShopClock): string {
  const isClosing = closingOn(localDay(until, clock.timezone), clock) === until;
  return isClosing ? ", when we close" : "";
}
