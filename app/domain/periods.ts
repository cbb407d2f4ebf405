import { addDays, monthAfter, monthBefore } from "./days";
import { BUSINESSES, type Business } from "./enums";

/** Periods of reports, which are whole months. */
export const PERIODS = [
  "all",
  "this-month",
  "last-month",
  "this-quarter",
  "last-quarter",
  "this-year",
  "last-year",
] as const;
export type PeriodName = (typeof PERIODS)[number];

export const PERIOD_NAMES: Record<PeriodName, string> = {
  all: "All time",
  "this-month": "This month",
  "last-month": "Last month",
  "this-quarter": "This quarter",
  "last-quarter": "Last quarter",
  "this-year": "This year",
  "last-year": "Last year",
};

/** A period with its days and months, both ends included; all time has neither. */
export interface Period {
  name: PeriodName;
  days: { from: string; to: string } | null;
  /** YYYY-MM. */
  months: { from: string; to: string } | null;
  /** For file names: `2026-11`, `2026-q4`, `2026` or `all-time`. */
  slug: string;
}

/** Resolves a period. @param today YYYY-MM-DD in the shop's time zone */
export function resolvePeriod(name: PeriodName, today: string): Period {
  if (name === "all") return { name, days: null, months: null, slug: "all-time" };
  const isLast = name.startsWith("last-");
  const month = today.slice(0, 7);
  if (name.endsWith("month")) {
    const only = isLast ? monthBefore(month) : month;
    return wholeMonths(name, only, only, only);
  }
  if (name.endsWith("quarter")) {
    const first = quarterStart(isLast ? monthBefore(quarterStart(month)) : month);
    const quarter = Math.ceil(Number(first.slice(5)) / 3);
    return wholeMonths(name, first, monthAfter(first, 2), `${first.slice(0, 4)}-q${quarter}`);
  }
  const year = String(Number(today.slice(0, 4)) - (isLast ? 1 : 0));
  return wholeMonths(name, `${year}-01`, `${year}-12`, year);
}

function wholeMonths(name: PeriodName, from: string, to: string, slug: string): Period {
  const days = { from: `${from}-01`, to: addDays(`${monthAfter(to)}-01`, -1) };
  return { name, days, months: { from, to }, slug };
}

function quarterStart(month: string): string {
  const first = Math.floor((Number(month.slice(5)) - 1) / 3) * 3 + 1;
  return `${month.slice(0, 4)}-${String(first).padStart(2, "0")}`;
}

/** Business and period of a report, in its URL. */
export interface Scope {
  /** null for both. */
  business: Business | null;
  period: PeriodName;
}

/** Reads a scope from search parameters; unknown values are the default: both businesses, all time. */
export function parseScope(params: URLSearchParams): Scope {
  return {
    business: BUSINESSES.find((name) => name === params.get("business")) ?? null,
    period: PERIODS.find((name) => name === params.get("period")) ?? "all",
  };
}

/** Builds the search of a scope: empty, or `?business=LASER&period=last-year`. */
export function scopeSearch({ business, period }: Scope): string {
  const params = new URLSearchParams();
  if (business) params.set("business", business);
  if (period !== "all") params.set("period", period);
  const text = params.toString();
  return text && `?${text}`;
}

/** Lists the date ranges that a list offers. @param today YYYY-MM-DD */
export function datePresets(today: string) {
  const yesterday = addDays(today, -1);
  const month = today.slice(0, 7);
  const before = monthBefore(month);
  return [
    { label: "Today", from: today, to: today },
    { label: "Yesterday", from: yesterday, to: yesterday },
    { label: "This month", from: `${month}-01`, to: today },
    { label: "Last month", from: `${before}-01`, to: addDays(`${month}-01`, -1) },
    { label: "This year", from: `${today.slice(0, 4)}-01-01`, to: today },
  ];
}
