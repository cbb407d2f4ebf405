import { MAX_CENTS } from "./money";

/** Ends of prices to which a change may round: cents of the dollar; null rounds to the cent. */
export const ROUNDINGS = { cent: null, ".99": 99, ".95": 95, ".00": 0 } as const;
export type Rounding = keyof typeof ROUNDINGS;

/** Change of prices by a percentage (hundredths of a percent) or an amount (cents). */
export interface PriceChange {
  by: number;
  unit: "percent" | "amount";
  round: Rounding;
}

/** Largest percentage, hundredths of a percent. */
export const MAX_PERCENT = 100_000;

const CHANGE = /^([+\-\u2212]?)(\d{1,8})(?:[.,](\d{1,2}))?$/;

/** Parses a change as people type it: `+5`, `-2.50`, `5%`. @returns hundredths; null for other text and for 0 */
export function parseChange(typed: string): number | null {
  const [, sign, whole = "", decimals = ""] = CHANGE.exec(typed.replace(/[\s%$]/g, "")) ?? [];
  const hundredths = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  if (whole === "" || hundredths === 0) return null;
  return sign === "" || sign === "+" ? hundredths : -hundredths;
}

/** Computes a price. @returns cents; null when it would not be above 0, or above the largest amount */
export function changedPrice(cents: number, { by, unit, round }: PriceChange): number | null {
  const exact = unit === "amount" ? cents + by : Math.round((cents * (10_000 + by)) / 10_000);
  const end = ROUNDINGS[round];
  const price = end === null ? exact : Math.round((exact - end) / 100) * 100 + end;
  return exact > 0 && price > 0 && price <= MAX_CENTS ? price : null;
}

/** Writes how much a price changes: `+4.1 %`. */
export function percentLabel(before: number, after: number): string {
  const percent = ((after - before) / before) * 100;
  const digits = Math.abs(percent).toFixed(1);
  return `${digits === "0.0" ? "" : percent < 0 ? "−" : "+"}${digits} %`;
}
