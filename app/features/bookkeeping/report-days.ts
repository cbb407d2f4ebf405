import { type DateSpan, monthAfter, monthBefore, monthsWithin } from "~/domain/days";

/** Unit of sums, with the first and last period of a span. */
export type SumSpan = [unit: "day" | "month" | "year" | "all", ...DateSpan];

/** Splits days into whole years and months, which have sums, and the days before and after them. */
export function splitDays({ from, to }: { from: string; to: string }): { sums: SumSpan[]; rest: DateSpan[] } {
  const { months, days: rest } = monthsWithin(from, to);
  if (!months) return { sums: [], rest };
  const [start, end] = months;
  const first = start.endsWith("-01") ? start : `${Number(start.slice(0, 4)) + 1}-01`;
  const last = end.endsWith("-12") ? end : `${Number(end.slice(0, 4)) - 1}-12`;
  if (first > last) return { sums: [["month", start, end]], rest };
  const spans: SumSpan[] = [
    ["month", start, monthBefore(first)],
    ["year", first.slice(0, 4), last.slice(0, 4)],
    ["month", monthAfter(last), end],
  ];
  return { sums: spans.filter(([, one, other]) => one <= other), rest };
}
