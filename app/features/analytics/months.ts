export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
export const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const YEAR_LINKS = 5;

/** Calendar month; month is 1 to 12. */
export interface Month {
  year: number;
  month: number;
}

/** Parses the year of a URL; an invalid one is the current year. */
export function parseYear(text: string | null, thisYear: number): number {
  return /^20\d\d$/.test(text ?? "") ? Number(text) : thisYear;
}

/**
 * Chooses up to five years to link to, around the chosen one: years with entries, the current and the chosen one.
 *
 * @param booked years with entries
 */
export function offeredYears(year: number, thisYear: number, booked: number[]): number[] {
  const all = allYears(year, thisYear, booked);
  const last = Math.min(all.length, Math.max(YEAR_LINKS, all.indexOf(year) + 3));
  return all.slice(Math.max(0, last - YEAR_LINKS), last);
}

/** Returns the nearest years with entries before and after; null without any. */
export function adjacentYears(year: number, thisYear: number, booked: number[]) {
  const all = allYears(year, thisYear, booked);
  const index = all.indexOf(year);
  return { before: all[index - 1] ?? null, after: all[index + 1] ?? null };
}

const allYears = (year: number, thisYear: number, booked: number[]): number[] =>
  [...new Set([...booked, thisYear, year])].sort((a, b) => a - b);

/**
 * Counts the months that a chart shows: all of a past year, the current one up to the current month, a later one up to
 * the last month with an entry. Months ahead are no points of the current year's line, which would fall to them.
 *
 * @param series amounts from January on
 */
export function visibleMonths(year: number, now: Month, ...series: number[][]): number {
  if (year < now.year) return MONTHS.length;
  if (year === now.year) return now.month;
  return Math.max(...series.map((amounts) => amounts.findLastIndex((amount) => amount !== 0) + 1));
}

/** Month of a line: `done` is the solid part, `open` the dotted one from the last complete month on. */
export interface Point {
  month: number;
  done: number | null;
  open: number | null;
}

/**
 * Splits a line at the first incomplete month.
 *
 * @param amounts from January on
 * @param monthCount number of months to draw
 */
export function lineSeries(amounts: number[], monthCount: number, year: number, now: Month): Point[] {
  const complete = year < now.year ? monthCount : year > now.year ? 0 : now.month - 1;
  return MONTHS.map((_, index) => {
    const amount = index < monthCount ? (amounts[index] ?? 0) : null;
    return {
      month: index,
      done: index < complete ? amount : null,
      open: complete < monthCount && index >= complete - 1 ? amount : null,
    };
  });
}
