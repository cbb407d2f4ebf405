import { isDay } from "./calendar-day";
import { formatNearDay } from "./day-text";
import { addDays, instantAt, localDay } from "./days";
import type { HoursLine, OpeningWeek } from "./opening-hours";

// Times of day are `HH:MM`, days `YYYY-MM-DD`, both in the shop's time zone; instants are epoch seconds.

/** Closing time at midnight. */
export const DAY_END = "24:00";
/** Beginning of a day. */
export const DAY_START = "00:00";
/** Last time of a day that fields for times have; many mean midnight by it. */
export const LAST_MINUTE = "23:59";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const WEEKDAY_NAMES: Record<Weekday, string> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

/** Time in which the shop is open, within one day. */
export type HoursSpan = [opens: string, closes: string];

/** Day with hours of its own, which go before those of its weekday; without spans the shop is closed. */
export interface SpecialDay {
  day: string;
  spans: HoursSpan[];
  note: string;
}

export interface OpeningHours {
  /** In order; at most two spans a day, and a third where SHOP_HOURS go past midnight. */
  weekly: Record<Weekday, HoursSpan[]>;
  days: SpecialDay[];
}

/** Opening hours with the time zone in which they hold. */
export interface ShopClock {
  timezone: string;
  hours: OpeningHours;
}

/** Spans of a day that a shopkeeper can set. */
export const MAX_SPANS = 2;

const DAY_MINUTES = 1440;
/** Days ahead in which an opening or closing is looked for at most. */
const MAX_AHEAD = 800;
/** Days after the last special one in which every opening and closing of the week comes. */
const REPEATED_DAYS = 14;
/** Days ahead in which the weekday alone names a day. */
const NAMED_DAYS = 6;

/** Converts the hours of SHOP_HOURS, which may go past midnight: the rest then belongs to the next day. */
export function openingHours(week: OpeningWeek): OpeningHours {
  const spansOf = (index: number): HoursSpan[] => {
    const own = (week[(index + 1) % 7] ?? []).toSorted((a, b) => a.opens - b.opens);
    const before = week[index % 7] ?? [];
    const rest = before.filter(({ closes }) => closes > DAY_MINUTES);
    return [
      ...rest.map(({ closes }): HoursSpan => [DAY_START, timeOf(closes - DAY_MINUTES)]),
      ...own.map(({ opens, closes }): HoursSpan => [timeOf(opens), timeOf(Math.min(closes, DAY_MINUTES))]),
    ];
  };
  const weekly = Object.fromEntries(WEEKDAYS.map((day, i) => [day, spansOf(i)]));
  return { weekly: weekly as OpeningHours["weekly"], days: [] };
}

const two = (value: number) => String(value).padStart(2, "0");
const timeOf = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Returns the weekday of a day. */
const weekdayOf = (day: string): Weekday =>
  WEEKDAYS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? "mon";

/** Returns the spans of a day as they are stored. */
const storedSpans = ({ weekly, days }: OpeningHours, day: string): HoursSpan[] =>
  days.find((one) => one.day === day)?.spans ?? weekly[weekdayOf(day)];

/**
 * Returns the spans in which the shop is open on a day. A closing at 23:59 is midnight where the next day begins open, and where
 * the shop opened at 00:00.
 */
function spansOn(hours: OpeningHours, day: string): HoursSpan[] {
  const spans = storedSpans(hours, day);
  const [opens, closes] = spans.at(-1) ?? [];
  if (opens === undefined || closes !== LAST_MINUTE) return spans;
  const isJoined = opens === DAY_START || storedSpans(hours, addDays(day, 1))[0]?.[0] === DAY_START;
  return isJoined ? [...spans.slice(0, -1), [opens, DAY_END]] : spans;
}

/**
 * Lists the days on which an opening or closing is looked for: those until the last special day, then two weeks, which repeat
 * themselves.
 */
function* daysAhead(from: string, { days }: OpeningHours): Generator<string> {
  const [last = from] = [from, ...days.map(({ day }) => day)].toSorted().slice(-1);
  const [end = last] = [addDays(last, REPEATED_DAYS), addDays(from, MAX_AHEAD)].toSorted();
  for (let day = from; day <= end; day = addDays(day, 1)) yield day;
}

/** Returns the instant of a time of day; one that the change of clocks skips is an hour later. */
const instantOf = (day: string, time: string, { timezone }: ShopClock) =>
  time === DAY_END
    ? instantAt(`${addDays(day, 1)}T00:00:00`, timezone)
    : instantAt(`${day}T${time}:00`, timezone);

/** Instant at which the shop opens or closes, with its day and time. */
interface Moment {
  at: number;
  day: string;
  time: string;
}

/** Returns the span of a day that goes on with an opening of the day before, over midnight; undefined for none. */
function continuation(hours: OpeningHours, day: string): HoursSpan | undefined {
  const first = spansOn(hours, day)[0];
  const isOpenBefore = first?.[0] === DAY_START && spansOn(hours, addDays(day, -1)).at(-1)?.[1] === DAY_END;
  return isOpenBefore ? first : undefined;
}

/** Finds the end of an opening, which may go on over midnights; null when it has none. @param closes time on the day */
function endOfOpening(day: string, closes: string, clock: ShopClock): Moment | null {
  let last = { day, time: closes };
  for (const next of daysAhead(addDays(day, 1), clock.hours)) {
    const span = last.time === DAY_END ? continuation(clock.hours, next) : undefined;
    if (!span) return { at: instantOf(last.day, last.time, clock), ...last };
    last = { day: next, time: span[1] };
  }
  return null;
}

/**
 * Returns the span that ends an opening of the day before which lasts a day at most, such as 18:00 to 02:00: it belongs to that
 * day. Undefined for none.
 */
function endOfNight(hours: OpeningHours, day: string): HoursSpan | undefined {
  const first = continuation(hours, day);
  const opened = spansOn(hours, addDays(day, -1)).at(-1)?.[0] ?? DAY_START;
  return first && first[1] <= opened ? first : undefined;
}

/**
 * Returns the instant at which the last opening of a day ends, perhaps days later; null when the day has no opening, or none that
 * ends.
 */
export function closingOn(day: string, clock: ShopClock): number | null {
  const { hours } = clock;
  const own = spansOn(hours, day).slice(endOfNight(hours, day) ? 1 : 0);
  const closes = own.at(-1)?.[1];
  return closes === undefined ? null : (endOfOpening(day, closes, clock)?.at ?? null);
}

/** Finds the first end of a day's openings that is not before an instant, from a day on; null when there is none. */
export function nextClosing(from: string, earliest: number, clock: ShopClock): number | null {
  for (const day of daysAhead(from, clock.hours)) {
    const closing = closingOn(day, clock);
    if (closing !== null && closing >= earliest) return closing;
  }
  return null;
}

/** Returns the instant at which a day of the shop is over: midnight, or the end of an opening that goes on into the night. */
export function endOfDay(day: string, clock: ShopClock): number {
  const next = addDays(day, 1);
  return instantOf(next, endOfNight(clock.hours, next)?.[1] ?? DAY_START, clock);
}

/** State of the shop at a moment. */
export interface OpenState {
  isOpen: boolean;
  /** Next opening or closing; null when it stays as it is. */
  change: Moment | null;
}

/** Tells whether the shop is open, and until when. @param now epoch seconds */
export function openState(now: number, clock: ShopClock): OpenState {
  const today = localDay(now, clock.timezone);
  for (const day of daysAhead(today, clock.hours)) {
    for (const [opens, closes] of spansOn(clock.hours, day)) {
      const [from, to] = [instantOf(day, opens, clock), instantOf(day, closes, clock)];
      if (now < from && from < to) return { isOpen: false, change: { at: from, day, time: opens } };
      if (now >= from && now < to) return { isOpen: true, change: endOfOpening(day, closes, clock) };
    }
  }
  return { isOpen: false, change: null };
}

/** Words of the hours at a moment. */
export interface HoursText {
  isOpen: boolean;
  /** Instant of the next opening while it is closed, and of the next closing while it is open; null for none. */
  opens: number | null;
  closes: number | null;
  /** `Open today until 18:00`, `Open until tomorrow at 02:00`, `Opens today at 10:00`, `Closed, opens Thursday at 10:00`. */
  text: string;
  /** `Back tomorrow at 11:00` while it is closed; "" while it is open. */
  back: string;
  /** Times of the next opening and closing within a sentence: `tomorrow at 11:00`; "" without one. */
  opensText: string;
  closesText: string;
  /** Instant at which the words change. */
  validUntil: number;
}

/** Puts the hours at a moment into words. @param now epoch seconds */
export function hoursText(now: number, clock: ShopClock): HoursText {
  const { isOpen, change } = openState(now, clock);
  const today = localDay(now, clock.timezone);
  const midnight = instantAt(`${addDays(today, 1)}T00:00:00`, clock.timezone);
  const validUntil = Math.min(change?.at ?? midnight, midnight);
  const after = change && openState(change.at, clock).change;
  const [opens, closes] = isOpen ? [after, change] : [change, after];
  const [opensText, closesText] = [opens, closes].map((one) => (one ? momentText(one, today) : ""));
  const times = { opens: isOpen ? null : (change?.at ?? null), closes: isOpen ? (change?.at ?? null) : null };
  const hasClosed = spansOn(clock.hours, today).some(([, to]) => instantOf(today, to, clock) <= now);
  const text = isOpen ? openText(change, today) : closedText(change, today, hasClosed);
  const back = isOpen ? "" : opensText ? `Back ${opensText}` : "Closed";
  return {
    isOpen,
    ...times,
    text,
    back,
    opensText: opensText ?? "",
    closesText: closesText ?? "",
    validUntil,
  };
}

function openText(closes: OpenState["change"], today: string): string {
  if (!closes) return "Open 24 hours";
  return closes.day === today ? `Open today until ${closes.time}` : `Open until ${momentText(closes, today)}`;
}

function closedText(opens: OpenState["change"], today: string, hasClosed: boolean): string {
  if (!opens) return "Closed";
  if (opens.day !== today) return `Closed, opens ${momentText(opens, today)}`;
  return hasClosed ? `Closed until ${opens.time}` : `Opens today at ${opens.time}`;
}

/** Formats a moment as it is read today: `at 14:00`, `tomorrow at 11:00`, `Thursday at 10:00`, `on Sunday 27th Dec at 11:00`. */
function momentText({ day, time }: { day: string; time: string }, today: string): string {
  const ahead = daysFrom(today, day);
  if (ahead === 0) return `at ${time}`;
  if (ahead === 1) return `tomorrow at ${time}`;
  const weekday = WEEKDAY_NAMES[weekdayOf(day)];
  return ahead <= NAMED_DAYS
    ? `${weekday} at ${time}`
    : `on ${weekday} ${formatNearDay(day, today)} at ${time}`;
}

const daysFrom = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Formats spans: `10:00 to 18:00`, `11:00 to 13:00, 14:00 to 16:00`, `closed`. */
export const spansText = (spans: readonly HoursSpan[]): string =>
  spans.map(([opens, closes]) => `${opens} to ${closes}`).join(", ") || "closed";

/** Lists the week as it is displayed; following days with the same hours share a line. */
export function weekLines({ weekly }: OpeningHours): HoursLine[] {
  const texts = WEEKDAYS.map((day) => spansText(weekly[day]));
  const starts = WEEKDAYS.map((_, i) => i).filter((i) => texts[i] !== texts[(i + 6) % 7]);
  if (starts.length === 0) return [{ days: "Every day", times: texts[0] ?? "" }];
  return starts.map((start, n) => {
    const length = ((starts[(n + 1) % starts.length] ?? 0) - start + 7) % 7 || 7;
    return { days: dayRange(start, length), times: texts[start] ?? "" };
  });
}

function dayRange(start: number, length: number): string {
  const name = (i: number) => WEEKDAY_NAMES[WEEKDAYS[i % 7] ?? "mon"];
  const [first, last] = [name(start), name(start + length - 1)];
  if (length === 1) return first;
  return length === 2 ? `${first} and ${last}` : `${first} to ${last}`;
}

/** Formats the week in one line: `Monday to Saturday: 10:00 to 18:00; Sunday: closed`. */
export const weekText = (hours: OpeningHours): string =>
  weekLines(hours)
    .map(({ days, times }) => `${days}: ${times}`)
    .join("; ");

/** Lists the special days of the next days, today included, as they are displayed. @param today YYYY-MM-DD */
export const specialLines = ({ days }: OpeningHours, today: string, within: number): HoursLine[] =>
  days
    .filter(({ day }) => isDay(day) && day >= today && day <= addDays(today, within))
    .map(({ day, spans, note }) => ({
      days: `${WEEKDAY_NAMES[weekdayOf(day)]} ${formatNearDay(day, today)}`,
      times: spansText(spans) + (note && ` (${note})`),
    }));

const SCHEMA_DAYS = "https://schema.org/";

/** Writes a span for readers of data, to whom midnight is 00:00, and 00:00 to 00:00 a closed day. */
function spanData([opens, closes]: HoursSpan) {
  if (closes !== DAY_END) return { opens, closes };
  return { opens, closes: opens === DAY_START ? LAST_MINUTE : DAY_START };
}

/** Builds the hours as https://schema.org/OpeningHoursSpecification. @param today days before it are left out */
export function hoursData({ weekly, days }: OpeningHours, today: string): object[] {
  const span = (one: HoursSpan) => ({ "@type": "OpeningHoursSpecification", ...spanData(one) });
  const week = WEEKDAYS.flatMap((day) =>
    weekly[day].map((one) => ({ ...span(one), dayOfWeek: SCHEMA_DAYS + WEEKDAY_NAMES[day] })),
  );
  // A closed day is one that opens and closes at midnight.
  const special = days
    .filter(({ day }) => day >= today)
    .flatMap(({ day, spans }) =>
      (spans.length > 0 ? spans : [[DAY_START, DAY_START] as HoursSpan]).map((one) => ({
        ...span(one),
        validFrom: day,
        validThrough: day,
      })),
    );
  return [...week, ...special];
}
