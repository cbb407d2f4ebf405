import { categoryName } from "~/features/catalogue/categories";

/** How dashboard and graphs read figures (back office 2 and 9). Pure; amounts in whatever unit they come in. */

/** How a figure compares with the one before. */
export interface Trend {
  direction: "up" | "down" | "level";
  /** Absolute change in percent, one decimal. */
  percent: number;
}

/**
 * Back office 9, Trend: 100 % up when the previous value is 0, otherwise the absolute change in percent with one
 * decimal.
 */
export function trend(now: number, before: number): Trend {
  if (before === 0) return { direction: "up", percent: 100 };
  if (now === before) return { direction: "level", percent: 0 };
  const direction = now > before ? "up" : "down";
  return { direction, percent: Math.round((Math.abs(now - before) / Math.abs(before)) * 1000) / 10 };
}

/**
 * Back office 9, Breakdown bar width: the part's share of the total, or of the largest part when the total is missing
 * or smaller than a part.
 *
 * @param part one of `parts`
 * @param total of the card, or null where its parts don't add up to anything
 * @returns percent, 0 to 100
 */
export function barWidth(part: number, parts: number[], total: number | null = null): number {
  const largest = Math.max(0, ...parts);
  const whole = total === null || total < largest ? largest : total;
  if (whole <= 0) return 0;
  return Math.min(100, Math.max(0, (part / whole) * 100));
}

/**
 * The twelve months of a year; a month that has nothing is 0 (back office 2, Graphs).
 *
 * @param items months 1 to 12, in any order
 * @returns amounts from January on
 */
export function monthSeries(items: { month: number; amount: number }[]): number[] {
  const series = Array.from({ length: 12 }, () => 0);
  for (const { month, amount } of items)
    if (month >= 1 && month <= 12) series[month - 1] = (series[month - 1] ?? 0) + amount;
  return series;
}

/** Underscores to spaces, each word capitalised; a missing category is `Unknown` (back office 2, Graphs). */
export function categoryLabel(category: string | null | undefined): string {
  return categoryName((category ?? "").trim());
}

/** A slice of the payment pie. */
export interface Slice {
  name: string;
  amount: number;
  /** Share of all slices in percent. */
  percent: number;
}

/** The pie's methods in the spec's order: Cash, EMT, Card; those with nothing are left out (back office 2, Graphs). */
export function paymentSlices(totals: {
  cashAmount: number;
  emtAmount: number;
  cardAmount: number;
}): Slice[] {
  const methods = [
    { name: "Cash", amount: totals.cashAmount },
    { name: "EMT", amount: totals.emtAmount },
    { name: "Card", amount: totals.cardAmount },
  ].filter(({ amount }) => amount !== 0);
  const whole = methods.reduce((sum, { amount }) => sum + amount, 0);
  return methods.map((method) => ({ ...method, percent: (method.amount / whole) * 100 }));
}
