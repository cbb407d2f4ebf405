/** Times as the console tells them, in the shop's own time zone, the same on the server and in the browser. */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY = 24 * 60 * 60;

interface Moment {
  year: number;
  month: number;
  day: number;
  time: string;
}

function momentOf(seconds: number, timeZone: string): Moment {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
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
    time: `${parts.hour}:${parts.minute}`,
  };
}

const dayOf = ({ year, month, day }: Moment) => `${year}-${month}-${day}`;

function ordinal(day: number): string {
  const suffix = day > 10 && day < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${suffix}`;
}

const dayAndMonth = ({ day, month }: Moment) => `${ordinal(day)} ${MONTHS[month - 1]}`;

/** `14:31`. */
export function timeOfDay(seconds: number, timeZone: string): string {
  return momentOf(seconds, timeZone).time;
}

/** `21st Nov 2026, 14:21`. */
export function dateAndTime(seconds: number, timeZone: string): string {
  const moment = momentOf(seconds, timeZone);
  return `${dayAndMonth(moment)} ${moment.year}, ${moment.time}`;
}

/**
 * The day of a moment as a heading: Today, Yesterday, `19th Nov`, with its year where that is another one.
 *
 * @param now epoch seconds
 */
export function dayName(seconds: number, now: number, timeZone: string): string {
  const moment = momentOf(seconds, timeZone);
  const today = momentOf(now, timeZone);
  if (dayOf(moment) === dayOf(today)) return "Today";
  if (dayOf(moment) === dayOf(momentOf(now - DAY, timeZone))) return "Yesterday";
  return moment.year === today.year ? dayAndMonth(moment) : `${dayAndMonth(moment)} ${moment.year}`;
}

/** A moment in a list: the time today, the day before that. */
export function shortly(seconds: number, now: number, timeZone: string): string {
  const day = dayName(seconds, now, timeZone);
  return day === "Today" ? timeOfDay(seconds, timeZone) : day;
}
