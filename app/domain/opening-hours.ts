/** Span of a day in which the shop is open, minutes since midnight; it may end on the next day, after minute 1440. */
export interface OpenSpan {
  opens: number;
  closes: number;
}

/** Spans by weekday, from Sunday. */
export type OpeningWeek = readonly (readonly OpenSpan[])[];

/** Line of the opening hours as it is displayed. */
export interface HoursLine {
  days: string;
  times: string;
}

/** Splits `Tuesday to Saturday: 10:00 to 18:00; Sunday: closed` into its lines. */
export function hoursLines(text: string): HoursLine[] {
  return text.split(";").flatMap((part) => {
    const [, days = "", times = ""] = /^\s*([^:]+?)\s*:\s*(.+?)\s*$/.exec(part) ?? [];
    return days ? [{ days, times }] : [];
  });
}

/** Reads the spans of a week; a line that is no list of days and times, such as `by appointment`, adds none. */
export function openingWeek(lines: HoursLine[]): OpeningWeek {
  const week: OpenSpan[][] = Array.from({ length: 7 }, () => []);
  for (const { days, times } of lines) {
    const spans = readSpans(times) ?? [];
    for (const day of readDays(days) ?? []) week[day]?.push(...spans);
  }
  return week;
}

const NAMES = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const RANGE = /\s*(?:\b(?:to|until|till|through)\b|[-\u2013\u2014])\s*/;
const LIST = /\s*(?:,|&|\+|\band\b)\s*/;
const EVERY_DAY = /^(?:daily|every day|all days|all week)$/;

/** Reads `Tuesday to Saturday`, `Mon, Wed and Fri` or `daily`. @returns null for anything else */
function readDays(text: string): number[] | null {
  const lower = text.toLowerCase().trim();
  if (EVERY_DAY.test(lower)) return [0, 1, 2, 3, 4, 5, 6];
  const ranges = lower.split(LIST).filter(Boolean).map(readRange);
  return ranges.includes(null) ? null : [...new Set(ranges.flatMap((range) => range ?? []))];
}

function readRange(text: string): number[] | null {
  const [from, to, ...rest] = text.split(RANGE).map(readDay);
  if (from == null || to === null || rest.length > 0) return null;
  const length = to === undefined ? 1 : ((to - from + 7) % 7) + 1;
  return Array.from({ length }, (_, i) => (from + i) % 7);
}

/** Reads the name of a weekday, also shortened to three letters or more, and in the plural. */
function readDay(text: string): number | null {
  const name = text.trim().replace(/\.$/, "");
  const day = NAMES.findIndex((one) => name.length >= 3 && (one.startsWith(name) || `${one}s` === name));
  return day < 0 ? null : day;
}

const DAY_MINUTES = 1440;

/** Reads `10:00 to 18:00`, `9 to 12 and 1 pm to 6 pm`, or `closed`. @returns null for anything else */
function readSpans(text: string): OpenSpan[] | null {
  const lower = text.toLowerCase().trim();
  if (lower === "closed") return [];
  const spans = lower.split(LIST).filter(Boolean).map(readSpan);
  return spans.every((span) => span !== null) ? spans : null;
}

function readSpan(text: string): OpenSpan | null {
  const [from, closes, ...rest] = text.split(RANGE).map(readMinute);
  if (from == null || closes == null || rest.length > 0) return null;
  // Midnight, at which a day begins, is read as its end.
  const opens = from % DAY_MINUTES;
  return { opens, closes: closes > opens ? closes : closes + DAY_MINUTES };
}

/** Reads `18:00`, `18.00`, `18h`, `6 pm`, `6:30 p.m.`, `noon` or `midnight`. @returns null for anything else */
function readMinute(text: string): number | null {
  if (text === "noon") return DAY_MINUTES / 2;
  if (text === "midnight") return DAY_MINUTES;
  const match = /^(\d{1,2})(?:[:.h](\d{2})?)?(?:\s*([ap])\.?m\.?)?$/.exec(text.trim());
  if (!match) return null;
  const [hour, minute, half] = [Number(match[1]), Number(match[2] ?? 0), match[3]];
  if (minute > 59 || hour > (half ? 12 : 24) || (half && hour === 0)) return null;
  const hours = half ? (hour % 12) + (half === "p" ? 12 : 0) : hour;
  return hours * 60 + minute;
}
