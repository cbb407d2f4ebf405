import { format, parseISO } from "date-fns";

/** Formats a day: `21st Nov 2026`. @param day YYYY-MM-DD */
export function formatDay(day: string): string {
  return format(parseISO(day), "do MMM yyyy");
}

/** Formats a day with all its words: `Saturday 31st October 2026`. */
export function formatWholeDay(day: string): string {
  return format(parseISO(day), "EEEE do MMMM yyyy");
}

/** Formats a day with its weekday: `Saturday 31st Oct`. */
export const formatWeekday = (day: string): string => format(parseISO(day), "EEEE do MMM");

/** Formats a day, without the year if it is that of today: `1st Dec`. @param today YYYY-MM-DD */
export const formatNearDay = (day: string, today: string): string =>
  formatDay(day).replace(` ${today.slice(0, 4)}`, "");

/** Formats the month of a day: `October 2026`. @param day YYYY-MM or YYYY-MM-DD */
export function formatMonth(day: string): string {
  return format(parseISO(day), "MMMM yyyy");
}
