import { CURRENCY_SIGN, decimalDollars, parseAmount } from "./money";

export const AMOUNT_RULE = "Must be an amount from 0 to 99,999,999.99 with at most 2 decimals";

/** Words what is wrong with an amount. @param rule for a number that is none of the allowed */
export function amountProblem(value: unknown, rule: string, below = rule): string {
  // A JSON number has a decimal point.
  if (typeof value !== "string") return Number(value) < 0 ? below : rule;
  if (/^\s*[-\u2212]/.test(value)) return below;
  if (value.trim() === "") return "Required";
  const amount = parseAmount(value);
  if (!amount) return hasTooManyDigits(value) ? rule : "Write it like 1850.00";
  if (!amount.isCertain) return uncertainAmount(value) ?? rule;
  return `Write it without currency sign and separators: ${decimalDollars(amount.cents)}`;
}

/** Tests for a number that is above the highest amount or has more decimals than cents. */
export function hasTooManyDigits(typed: string): boolean {
  const digits = typed.replace(CURRENCY_SIGN, "").replace(/[,\s'\u2019]/g, "");
  return /^(?:\d{9,}(?:\.\d*)?|\d+\.\d{3,})$/.test(digits);
}

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
