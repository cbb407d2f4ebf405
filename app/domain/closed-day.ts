import { addDays } from "./days";

/** Part of the message for a day in a closed month (app/http/closed-books.server.ts). */
const CLOSED = /is closed up to (\d+)\w\w (\w{3} \d{4}), by /;

/** Returns the first day after the closed months that a message names, YYYY-MM-DD; null for another message. */
export function firstOpenDay(message: string | undefined): string | null {
  const [, day, month] = CLOSED.exec(message ?? "") ?? [];
  const at = day && month ? Date.parse(`${day} ${month} UTC`) : Number.NaN;
  return Number.isNaN(at) ? null : addDays(new Date(at).toISOString().slice(0, 10), 1);
}
