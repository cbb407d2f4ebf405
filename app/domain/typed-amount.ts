import { CURRENCY_SIGN } from "~/domain/currency";

/** Amount that somebody typed. */
interface TypedAmount {
  cents: number;
  /** False for `1,850` and `1,50`: only the writer knows whether the mark separates thousands or cents. */
  isCertain: boolean;
}

const DECIMAL = /^\d{1,8}(?:\.\d{1,2})?$/;
/** Space or apostrophe before a group of three digits. */
const SPACES = /(?<=\d)[\s'\u2019](?=\d{3}(?!\d))/g;
/** Groups of three digits between points or commas, and decimals after the other mark. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+(?:\.\d{1,2})?|(?:\.\d{3})+(?:,\d{1,2})?)$/;
/** Groups of three digits between spaces or apostrophes, so that the comma after them separates cents. */
const SPACED = /^\d{1,3}(?:[\s'\u2019]\d{3})+,\d{1,2}$/;
/** One mark, which could separate thousands or cents. */
const AMBIGUOUS = /^\d+(?:,\d{1,3}|\.\d{3})$/;

/**
 * Parses an amount as people type it: `1850`, `$1,850.00`, `1 850.00`, `1.850,00`, `1 850,00`.
 *
 * @returns null for other text; a single mark counts as one between thousands before three digits, as one of cents before
 * one or two
 */
export function parseAmount(typed: string): TypedAmount | null {
  const amount = withoutCurrencySign(typed);
  const text = amount.replace(SPACES, "");
  const whole = GROUPED.test(text) ? text.replace(/[.,](?=\d{3})/g, "") : text;
  const digits = whole.replace(",", ".");
  if (!DECIMAL.test(digits)) return null;
  return { cents: Math.round(Number(digits) * 100), isCertain: SPACED.test(amount) || !AMBIGUOUS.test(text) };
}

/** Removes a currency sign before or after an amount; between digits, `18$50`, it could separate cents and stays. */
export function withoutCurrencySign(typed: string): string {
  const amount = typed.trim();
  if (amount.startsWith(CURRENCY_SIGN)) return amount.slice(CURRENCY_SIGN.length).trim();
  return amount.endsWith(CURRENCY_SIGN) ? amount.slice(0, -CURRENCY_SIGN.length).trim() : amount;
}

/** Tests for plain decimals, `1850.00`, as the API takes them: no currency sign, no separators of thousands. */
export const isPlainAmount = (text: string) => DECIMAL.test(text.trim());

/**
 * Returns the amounts that a search stands for: that of a sale and, negative, that of a credit note; after a minus sign
 * only the latter.
 *
 * @returns cents; null for other text, and for digits such as `000062`, which are a part of a document's number
 */
export function searchedCents(query: string): number[] | null {
  const [, sign, amount = ""] = /^([-\u2212]?)(.*)$/.exec(query.trim()) ?? [];
  const cents = /^\s*0\d/.test(amount) ? undefined : parseAmount(amount)?.cents;
  if (cents === undefined) return null;
  return sign ? [-cents] : [cents, -cents];
}
