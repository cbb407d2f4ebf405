import { CURRENCY_SIGN, decimalDollars, MAX_CENTS } from "./money";
import { parseAmount } from "./typed-amount";

const MAX_DOLLARS = (MAX_CENTS / 100).toLocaleString("en");

/** Words what is wrong with an amount. @param below for one below 0 */
export function amountProblem(value: unknown, below = "Must be 0 or more"): string {
  // A JSON number has a decimal point.
  if (typeof value !== "string") return Number(value) < 0 ? below : digitsProblem(Number(value));
  if (/^\s*[-\u2212]/.test(value)) return below;
  if (value.trim() === "") return "Required";
  const digits = value.replace(CURRENCY_SIGN, "").replace(/[,\s'\u2019]/g, "");
  if (FRACTION.test(digits)) return digitsProblem(Number(digits));
  const amount = parseAmount(value);
  if (!amount) return OVERLONG.test(digits) ? digitsProblem(Number(digits)) : "Write it like 1850.00";
  return (
    uncertainAmount(value) ?? `Write it without currency sign and separators: ${decimalDollars(amount.cents)}`
  );
}

/** A number above the highest amount or with more decimals than cents. */
const OVERLONG = /^(?:\d{9,}(?:\.\d*)?|\d+\.\d{3,})$/;
/** A fraction of cents, whose point can't separate thousands. */
const FRACTION = /^0?\.\d{3,}$/;

const digitsProblem = (number: number) =>
  number > MAX_CENTS / 100 ? `Must be at most ${MAX_DOLLARS}` : "Must have at most 2 decimals";

/** Words what is wrong with an amount that is not certain; null for another text. */
export function uncertainAmount(typed: string): string | null {
  const amount = parseAmount(typed);
  if (!amount || amount.isCertain) return null;
  const example = decimalDollars(amount.cents);
  const [, mark, decimals = ""] = /([.,])(\d+)\s*$/.exec(typed) ?? [];
  if (decimals.length < 3) return `Cents follow a point, not a comma: write it like ${example}`;
  const small = decimalDollars(Math.round(amount.cents / 1000));
  return `The ${mark === "," ? "comma" : "point"} can mean thousands or cents: write it like ${example} or ${small}`;
}
