import escapeRegExp from "escape-string-regexp";
import { CURRENCY_CODES, CURRENCY_NAMES, DOLLAR_COUNTRIES } from "~/domain/currencies";
import { CURRENCY, CURRENCY_SIGN, CURRENCY_WRITINGS } from "~/domain/currency";

const SIGN = escapeRegExp(CURRENCY_SIGN);
/** Writings of the shop's currency. */
export const OWN_CURRENCY = String.raw`${CURRENCY}\s?${SIGN}|${SIGN}\s?${CURRENCY}|${SIGN}|${CURRENCY}|${CURRENCY_WRITINGS}`;

/** Code, sign or name of a currency, with the country beside a dollar sign; a cent is none. */
const MARK = String.raw`(?:(?<!\p{L})\p{L}{1,3}\s?\$|\$\s?\p{L}{2,3}(?!\p{L})|[^\P{Sc}\u00a2]|(?<!\p{L})(?:[A-Z]{3}|${CURRENCY_NAMES}|${OWN_CURRENCY})(?!\p{L}))`;
const MARKS = new RegExp(MARK, "giu");
const LEADING = new RegExp(String.raw`^([-\u2212]?)\s*((?:${MARK}\s*)+)`, "iu");
const TRAILING = new RegExp(String.raw`((?:\s*${MARK})+)$`, "iu");
const OWN = new RegExp(`^(?:${OWN_CURRENCY})$`, "iu");
/** Characters of an amount with its currency; other text is not searched. */
const MAX_LENGTH = 60;
const PLAIN_NUMBER = /^[\d.,\s]*$/;

/** Parts an amount into its number and the currencies before and after it; a sign between digits stays. */
export function splitCurrency(text: string): { number: string; marks: string[] } {
  if (text.length > MAX_LENGTH || PLAIN_NUMBER.test(text)) return { number: text, marks: [] };
  const marks: string[] = [];
  const take = (part: string) => marks.push(...(part.match(MARKS) ?? []));
  const number = text
    .replace(LEADING, (_, sign: string, part: string) => {
      take(part);
      return sign;
    })
    .replace(TRAILING, (_, part: string) => {
      take(part);
      return "";
    });
  return { number, marks };
}

/** Tests for a writing of the shop's currency. */
export const isOwnCurrency = (mark: string) => OWN.test(mark);

const CODES = new RegExp(`^(?:${CURRENCY_CODES})$`, "i");
const SIGNS = new RegExp(String.raw`(?<!\p{L})(?:${DOLLAR_COUNTRIES})\s?\$|\p{Sc}`, "giu");

/** Tests for the code of a currency in a header. */
export const isCurrencyCode = (word: string) => CODES.test(word);

/** Finds the sign of another currency in a header or a number format; null for none. */
export const foreignSign = (text: string) => text.match(SIGNS)?.find((sign) => !isOwnCurrency(sign)) ?? null;

/** Formats that show no currency, and the length of those that spreadsheet programs write. */
const PLAIN_FORMAT = /^(?:General|[#0?,.;%_() -]*)$/;
const MAX_FORMAT_LENGTH = 255;

/**
 * Finds another currency than the shop's that the number format of a spreadsheet shows.
 *
 * @param format such as `#,##0.00 [$€-407]` or `[$USD] 0.00`
 */
export function currencyOfFormat(format: string): string | null {
  if (PLAIN_FORMAT.test(format) || format.length > MAX_FORMAT_LENGTH) return null;
  const sign = foreignSign(format.replace(/\[\$([^\]-]*)[^\]]*\]/g, "$1").replace(/["\\]/g, ""));
  const code = format.match(/(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g)?.find((word) => CODES.test(word));
  return sign ?? (code && !isOwnCurrency(code) ? code : null);
}
