import { useEffect, useState } from "react";
import { dayAndMonth, dayInYear, daysBetween, localTime } from "~/domain/local-time";

/** Times of the console in the shop's time zone, the same on the server and in the browser. */

/** Formats `14:31`. */
export function timeOfDay(seconds: number, timeZone: string): string {
  return localTime(seconds, timeZone).time;
}

/** Formats `21st Nov 2026, 14:21`. */
export function dateAndTime(seconds: number, timeZone: string): string {
  const local = localTime(seconds, timeZone);
  return `${dayAndMonth(local)} ${local.year}, ${local.time}`;
}

/**
 * Formats a day as a heading: Today, Yesterday or `19th Nov`, with the year unless it is the current one.
 *
 * @param now epoch seconds
 */
export function dayName(seconds: number, now: number, timeZone: string): string {
  const local = localTime(seconds, timeZone);
  const today = localTime(now, timeZone);
  const ago = daysBetween(local, today);
  if (ago === 0) return "Today";
  return ago === 1 ? "Yesterday" : dayInYear(local, today);
}

/** Formats a time in a list: the time of today, the day before that. */
export function timeOrDay(seconds: number, now: number, timeZone: string): string {
  const day = dayName(seconds, now, timeZone);
  return day === "Today" ? timeOfDay(seconds, timeZone) : day;
}

/**
 * Formats how long somebody has waited: `5 min`, `1 h 20 min`, `2 h`, `3 d`.
 *
 * @param since epoch seconds
 * @param now epoch seconds
 */
export function waitingTime(since: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - since) / 60));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

const TICK_MS = 30_000;

/**
 * Keeps the current time in the browser.
 *
 * @param loaded time of the server, epoch seconds
 */
export function useNow(loaded: number): number {
  const [elapsed, setElapsed] = useState({ loaded, now: loaded });
  useEffect(() => {
    const start = Date.now();
    const tick = () => setElapsed({ loaded, now: loaded + Math.floor((Date.now() - start) / 1000) });
    const interval = setInterval(tick, TICK_MS);
    return () => clearInterval(interval);
  }, [loaded]);
  return elapsed.loaded === loaded ? elapsed.now : loaded;
}
