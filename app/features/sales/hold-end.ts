import { addDays, instantAt, localDay } from "~/domain/days";
import { HOUR_SECONDS } from "~/domain/durations";
import { dayInYear, daysBetween, localTime } from "~/domain/local-time";
import { closingMinute, type OpeningWeek } from "~/domain/opening-hours";

/** Clock of the shop: its time zone and opening hours. */
interface ShopClock {
  timezone: string;
  week: OpeningWeek;
}

/** Days in which every weekday comes, after the one before, whose last span may end today. */
const WEEK = 7;

/**
 * Returns the end that a hold has by default: the shop's next closing time, at least an hour ahead, so that there is time to
 * come; without opening hours the end of the next day.
 *
 * @param now epoch seconds
 */
export function defaultHoldEnd(now: number, { timezone, week }: ShopClock): number {
  const today = localDay(now, timezone);
  for (let ahead = -1; ahead <= WEEK; ahead++) {
    const closing = closingOn(addDays(today, ahead), { timezone, week });
    if (closing !== null && closing >= now + HOUR_SECONDS) return closing;
  }
  return instantAt(`${addDays(today, 2)}T00:00:00`, timezone) - 1;
}

/** Returns the instant at which the shop closes for a day; null when it does not open. */
function closingOn(day: string, { timezone, week }: ShopClock): number | null {
  const minute = closingMinute(week, new Date(`${day}T00:00:00Z`).getUTCDay());
  if (minute === null) return null;
  const two = (value: number) => String(value).padStart(2, "0");
  const time = `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}:00`;
  return instantAt(`${addDays(day, Math.floor(minute / 1440))}T${time}`, timezone);
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
  const day = localDay(until, clock.timezone);
  const isClosing = [day, addDays(day, -1)].some((one) => closingOn(one, clock) === until);
  return isClosing ? ", when we close" : "";
}
