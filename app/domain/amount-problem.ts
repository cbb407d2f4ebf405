import { decimalDollars, MAX_CENTS } from "./money";
import { parseAmount, withoutCurrencySign } from "./typed-amount";

const MAX_DOLLARS = (MAX_CENTS / 100).toLocaleString("en");

/** Returns the error message for an invalid amount. @param below message for one below 0 */
export function amountProblem(value: number | string, below = "Must be 0 or more"): string {
  // A number has no separators or currency sign to be wrong.
  if (typeof value === "number") return value < 0 ? below : rangeProblem(value);
  if (/^\s*[-\u2212]/.test(value)) return below;
  if (value.trim() === "") return "Required";
  const digits = withoutCurrencySign(value).replace(/[,\s'\u2019]/g, "");
  if (FRACTION.test(digits)) return rangeProblem(Number(digits));
  const amount = parseAmount(value);
  if (!amount) return OUT_OF_RANGE.test(digits) ? rangeProblem(Number(digits)) : "Write it like 1850.00";
  return (
    uncertainAmount(value) ?? `Write it without currency sign and separators: ${decimalDollars(amount.cents)}`
  );
}

/** A number above the highest amount or with more decimals than cents. */
const OUT_OF_RANGE = /^(?:\d{9,}(?:\.\d*)?|\d+\.\d{3,})$/;
/** A fraction of cents, whose point can't separate thousands. */
const FRACTION = /^0?\.\d{3,}$/;

const rangeProblem = (number: number) =>
  number > MAX_CENTS / 100 ? `Must be at most ${MAX_DOLLARS}` : "Must have at most 2 decimals";

/** Returns the error message for an ambiguous amount; null for other text. */
export function uncertainAmount(typed: string): string | null {
  const amount = parseAmount(typed);
  if (!amount || amount.isCertain) return null;
  const example = decimalDollars(amount.cents);
  const [, separator, decimals = ""] = /([.,])(\d+)\s*$/.exec(typed) ?? [];
  if (decimals.length < 3) return `Cents follow a point, not a comma: write it like ${example}`;
  // parseAmount takes three digits for thousands; as decimals they are rounded to cents.
  const asDecimals = decimalDollars(Math.round(amount.cents / 1000));
  return `The ${separator === "," ? "comma" : "point"} can mean thousands or cents: write it like ${example} or ${asDecimals}`;
}
