import { CURRENCY_SIGN } from "~/domain/currency";

/** Amount as somebody typed it. */
interface TypedAmount {
  cents: number;
  /** False for `1,850` and `1,50`, whose mark could separate thousands or cents. */
  isCertain: boolean;
}

const DECIMAL = /^\d{1,8}(?:\.\d{1,2})?$/;
/** Spaces and apostrophes between thousands. */
const SPACES = /(?<=\d)[\s'\u2019](?=\d{3}(?!\d))/g;
/** Groups of three digits, and decimals after the other mark. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+(?:\.\d{1,2})?|(?:\.\d{3})+(?:,\d{1,2})?)$/;
/** Thousands with spaces or apostrophes before a comma, which therefore separates cents. */
const SPACED = /^\d{1,3}(?:[\s'\u2019]\d{3})+,\d{1,2}$/;
const AMBIGUOUS = /^\d+(?:,\d{1,3}|\.\d{3})$/;

/**
 * Parses an amount as people type it: `1850`, `$1,850.00`, `1 850.00`, `1.850,00`, `1 850,00`.
 *
 * @returns null for other text; a single mark before three digits separates thousands, before fewer cents
 */
export function parseAmount(typed: string): TypedAmount | null {
  const amount = typed.trim().replace(CURRENCY_SIGN, "").trim();
  const text = amount.replace(SPACES, "");
  const whole = GROUPED.test(text) ? text.replace(/[.,](?=\d{3})/g, "") : text;
  const digits = whole.replace(",", ".");
  if (!DECIMAL.test(digits)) return null;
  return { cents: Math.round(Number(digits) * 100), isCertain: SPACED.test(amount) || !AMBIGUOUS.test(text) };
}

/** Tests for decimals without marks and signs, `1850.00`, as the API takes them. */
export const isPlainAmount = (text: string) => DECIMAL.test(text.trim());

/**
 * Returns the amounts that somebody searches for: of sales and credit notes, with a sign those of credit notes alone.
 *
 * @returns cents; null for other text, and for digits such as `000062`, which are a part of a document's number
 */
export function searchedCents(query: string): number[] | null {
  const [, sign, amount = ""] = /^([-\u2212]?)(.*)$/.exec(query.trim()) ?? [];
  const cents = /^\s*0\d/.test(amount) ? undefined : parseAmount(amount)?.cents;
  if (cents === undefined) return null;
  return sign ? [-cents] : [cents, -cents];
}
