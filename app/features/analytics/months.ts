/** Months and years of the graphs. Pure. */

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

const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;
/** Years that the switch offers at once. */
const OFFERED = 5;

/** The shop's month: year, and month 1 to 12. */
export interface Month {
  year: number;
  month: number;
}

/** The year in an address, or this one where it makes no sense. */
export function parseYear(text: string | null, thisYear: number): number {
  return /^20\d\d$/.test(text ?? "") ? Number(text) : thisYear;
}

/** The years to choose from: the last five, or those around a year further away. */
export function yearsAround(year: number, thisYear: number): number[] {
  const isRecent = year <= thisYear && year > thisYear - OFFERED;
  const last = Math.min(LAST_YEAR, isRecent ? thisYear : year + 2);
  const first = Math.max(FIRST_YEAR, last - OFFERED + 1);
  return Array.from({ length: OFFERED }, (_, i) => first + i).filter((each) => each <= LAST_YEAR);
}

/** The years before and after; null past the ends of the shop's calendar. */
export function adjacentYears(year: number): { before: number | null; after: number | null } {
  return { before: year > FIRST_YEAR ? year - 1 : null, after: year < LAST_YEAR ? year + 1 : null };
}

/**
 * How many months of a year a chart shows: all of a past one; this one's up to now, and what was already booked for
 * later; of one to come what is booked.
 *
 * @param series amounts from January on
 */
export function visibleMonths(year: number, now: Month, ...series: number[][]): number {
  if (year < now.year) return MONTHS.length;
  const booked = Math.max(...series.map((amounts) => amounts.findLastIndex((amount) => amount !== 0) + 1));
  return Math.max(year === now.year ? now.month : 0, booked);
}

/** A month of a line: its amount in `done` while it is over, in `open` from the last one that is over on. */
export interface Point {
  month: number;
  done: number | null;
  open: number | null;
}

/**
 * Cuts a line where the month begins that is not over: what follows is drawn dotted ("so far").
 *
 * @param amounts from January on
 * @param shown how many of them
 */
export function lineSeries(amounts: number[], shown: number, year: number, now: Month): Point[] {
  const over = year < now.year ? shown : year > now.year ? 0 : now.month - 1;
  return MONTHS.map((_, index) => {
    const amount = index < shown ? (amounts[index] ?? 0) : null;
    return {
      month: index,
      done: index < over ? amount : null,
      open: over < shown && index >= over - 1 ? amount : null,
    };
  });
}
