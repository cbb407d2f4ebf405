import { CURRENCY } from "~/domain/money";

/** Code, sign or name of a currency, with the country beside a dollar sign; a cent is none. */
const MARK = String.raw`(?:(?<!\p{L})\p{L}{1,3}\s?\$|\$\s?\p{L}{2,3}(?!\p{L})|[^\P{Sc}\u00a2]|(?<!\p{L})(?:[A-Z]{3}|rs\.?|kr\.?|K\u010d|z\u0142|Ft|\u0440\u0443\u0431\.?|(?:\p{L}+ )?dollars?|euros?|francs?|pounds?)(?!\p{L}))`;
const MARKS = new RegExp(MARK, "giu");
const LEADING = new RegExp(String.raw`^([-\u2212]?)\s*((?:${MARK}\s*)+)`, "iu");
const TRAILING = new RegExp(String.raw`((?:\s*${MARK})+)$`, "iu");
/** Writings of the shop's currency, the Canadian dollar. */
const OWN = new RegExp(
  String.raw`^(?:(?:CA|C|CAN|CDN|${CURRENCY})?\s?\$|\$\s?(?:CA|CAN|CDN|${CURRENCY})|CAN|CDN|${CURRENCY}|(?:canadian )?dollars?)$`,
  "iu",
);
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

/** Codes that headers name in any case, which are no words of English, German or French. */
const CODES =
  /^(?:USD|CAD|EUR|GBP|AUD|NZD|CHF|JPY|CNY|INR|MXN|BRL|SEK|NOK|DKK|PLN|CZK|HUF|RON|ZAR|SGD|HKD|KRW|TRY|ILS|AED|THB)$/i;
const FOREIGN_SIGN = /[^\P{Sc}$]|(?<!\p{L})(?:US|AU|NZ|HK|SG|NT|MX|A|R|S)\s?\$/iu;

/** Tests for the code of a currency in a header. */
export const isCurrencyCode = (word: string) => CODES.test(word);

/** Finds the sign of another currency in a header or a number format; null for none. */
export const foreignSign = (text: string) => FOREIGN_SIGN.exec(text)?.[0] ?? null;

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
