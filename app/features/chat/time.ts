import { HOUR_SECONDS } from "~/domain/durations";
import { dayInYear, daysBetween, localTime } from "~/domain/local-time";

/**
 * Formats a message's time for its visitor: `14:31`, before today `19th Nov, 14:31`.
 *
 * @param seconds epoch seconds
 * @param timeZone adds the zone's name, `14:31 EST`; default: the browser's time zone
 */
export function formatMessageTime(seconds: number, timeZone?: string): string {
  const [local, today] = [localTime(seconds, timeZone), localTime(Date.now() / 1000, timeZone)];
  const time = timeZone ? `${local.time} ${zoneName(seconds, timeZone)}` : local.time;
  return daysBetween(local, today) === 0 ? time : `${dayInYear(local, today)}, ${time}`;
}

function zoneName(seconds: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "short" }).formatToParts(
    seconds * 1000,
  );
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/**
 * Converts to the API's time format, with the precision to order messages of the same second.
 *
 * @param ms epoch milliseconds
 */
export function timestampMs(ms: number): { seconds: number; nanoseconds: number } {
  return { seconds: Math.floor(ms / 1000), nanoseconds: (ms % 1000) * 1_000_000 };
}

/** Displayed steps of a reply time, in minutes. */
const REPLY_MINUTES = [2, 5, 10, 15, 20, 30, 45];

/** Formats the usual reply time as an upper bound: `a minute`, `5 min`, `2 hours`. */
export function formatReplyTime(seconds: number): string {
  if (seconds <= 60) return "a minute";
  const minutes = REPLY_MINUTES.find((step) => seconds <= step * 60);
  if (minutes) return `${minutes} min`;
  const hours = Math.ceil(seconds / HOUR_SECONDS);
  return hours === 1 ? "an hour" : `${hours} hours`;
}
