import { DAY_MS } from "~/domain/durations";

/** Dates of conversations, in the browser as on the server: `14:31`, `19th Nov`, with the year unless it is the current one. */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface LocalTime {
  year: number;
  month: number;
  day: number;
  /** `Thursday`. */
  weekday: string;
  /** `14:31`. */
  time: string;
}

/**
 * Converts an instant to the local time of a zone.
 *
 * @param seconds epoch seconds
 * @param timeZone default: the browser's
 */
export function localTime(seconds: number, timeZone?: string): LocalTime {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = Object.fromEntries(
    format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
  );
  return {
    year: Number(parts.year),
    month: Number(parts.month),
    day: Number(parts.day),
    weekday: parts.weekday ?? "",
    time: `${parts.hour}:${parts.minute}`,
  };
}

function ordinal(day: number): string {
  const suffix = day > 10 && day < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${suffix}`;
}

/** Formats `19th Nov`. */
export const dayAndMonth = ({ day, month }: LocalTime) => `${ordinal(day)} ${MONTHS[month - 1]}`;

/** Formats `19th Nov`, with the year unless it is that of `now`. */
export function dayInYear(date: LocalTime, now: LocalTime): string {
  return date.year === now.year ? dayAndMonth(date) : `${dayAndMonth(date)} ${date.year}`;
}

/** Counts the days from one date to another. */
export const daysBetween = (from: LocalTime, to: LocalTime) => dayNumber(to) - dayNumber(from);

const dayNumber = ({ year, month, day }: LocalTime) => Date.UTC(year, month - 1, day) / DAY_MS;
