import { isDay, noSuchDay, UNSUPPORTED_DATE } from "~/domain/calendar-day";
import { formatDay, formatMonth } from "~/domain/day-text";
import { addDays, monthAfter, monthBefore } from "~/domain/days";
import { BUSINESSES, type Business } from "~/domain/enums";
import { PERIOD_NAMES, PERIODS, type Period, type PeriodName, resolvePeriod } from "~/domain/periods";

/** Days of a report, both ends included. */
export interface Days {
  from: string;
  to: string;
}

/** Value of `period` for days of one's own, `from` and `to`. */
export const OWN_DAYS = "days";
/** Months that the choice of a period offers. */
const OFFERED_MONTHS = 12;

/** Business and period of a report, in its URL: a fixed period, a month (`2026-10`), or days of one's own. */
export interface ReportScope {
  /** null for both. */
  business: Business | null;
  period: string;
  /** As they were typed; empty unless the period is OWN_DAYS. */
  days: Days;
}

/** Parameter of a report that can't be read. */
export interface ScopeProblem {
  path: "business" | "period" | "from" | "to";
  message: string;
}

const isMonth = (text: string) => /^\d{4}-\d\d$/.test(text) && isDay(`${text}-01`);
const isFixed = (text: string): text is PeriodName => PERIODS.some((name) => name === text);

/** Reads the period; days that stand alone are days of one's own. */
function periodOf(params: URLSearchParams): string {
  const period = params.get("period") ?? "";
  return period === "" && (params.get("from") || params.get("to")) ? OWN_DAYS : period;
}

/** Reads the scope of a report. @returns it, and what of it can't be read and has no effect */
export function parseReportScope(params: URLSearchParams): { scope: ReportScope; problems: ScopeProblem[] } {
  const [business, period] = [params.get("business") ?? "", periodOf(params)];
  const known = BUSINESSES.find((name) => name === business) ?? null;
  const days =
    period === OWN_DAYS
      ? { from: params.get("from") ?? "", to: params.get("to") ?? "" }
      : { from: "", to: "" };
  const isKnown = isFixed(period) || isMonth(period) || period === OWN_DAYS;
  const unknown = (path: "business" | "period") => ({ path, message: `There is no such ${path}` });
  const problems = [
    ...(business && !known ? [unknown("business")] : []),
    ...(period && !isKnown ? [unknown("period")] : []),
    ...(period === OWN_DAYS ? dayProblems(days) : []),
  ];
  return { scope: { business: known, period: isKnown ? period : "all", days }, problems };
}

function dayProblems({ from, to }: Days): ScopeProblem[] {
  const problems = (
    [
      ["from", from],
      ["to", to],
    ] as const
  ).flatMap(([path, day]) => {
    if (isDay(day)) return [];
    return [{ path, message: day === "" ? "Choose a day" : (noSuchDay(day) ?? UNSUPPORTED_DATE) }];
  });
  if (problems.length > 0 || from <= to) return problems;
  return [{ path: "to", message: "The last day is before the first" }];
}

/** Resolves the period of a report; days that can't be read are all time. @param today YYYY-MM-DD in the shop's time zone */
export function resolveReport(
  { period, days }: ReportScope,
  today: string,
): Pick<Period, "days" | "months" | "slug"> {
  if (isFixed(period)) return resolvePeriod(period, today);
  if (isMonth(period))
    return {
      days: { from: `${period}-01`, to: addDays(`${monthAfter(period)}-01`, -1) },
      months: { from: period, to: period },
      slug: period,
    };
  if (dayProblems(days).length > 0) return resolvePeriod("all", today);
  return { days, months: null, slug: `${days.from}-to-${days.to}` };
}

/** Returns the last day of a period that is over, else null. @param today YYYY-MM-DD in the shop's time zone */
export const pastEnd = ({ days }: Pick<Period, "days">, today: string): string | null =>
  days && days.to < today ? days.to : null;

/** Detects days of one's own that are none: no figures stand for them. */
export const isWithoutDays = (problems: ScopeProblem[]): boolean =>
  problems.some(({ path }) => path === "from" || path === "to");

/** Builds the search of a scope: empty, or `?business=LASER&period=2026-10`. */
export function reportSearch({ business, period, days }: ReportScope): string {
  const params = new URLSearchParams();
  if (business) params.set("business", business);
  if (period !== "all") params.set("period", period);
  if (period === OWN_DAYS) for (const [name, day] of Object.entries(days)) params.set(name, day);
  const text = params.toString();
  return text && `?${text}`;
}

/** Names the period of a report. */
export function periodName({ period }: ReportScope, days: Days | null): string {
  if (isFixed(period)) return PERIOD_NAMES[period];
  if (isMonth(period)) return formatMonth(period);
  if (!days) return PERIOD_NAMES.all;
  return days.from === days.to ? formatDay(days.from) : `${formatDay(days.from)} to ${formatDay(days.to)}`;
}

/** Lists the months that a report offers, the latest first, and the chosen one. @param today YYYY-MM-DD */
export function offeredMonths(today: string, { period }: ReportScope): string[] {
  const months = [monthBefore(monthBefore(today.slice(0, 7)))];
  while (months.length < OFFERED_MONTHS) months.push(monthBefore(months.at(-1) ?? today));
  return isMonth(period) && !months.includes(period) ? [period, ...months] : months;
}
