/** The currency that tests are written in, whatever the shop sells in: it takes the place of `~/domain/currency`. */

/** ISO 4217 code. */
export const CURRENCY: string = "CAD";

/** Sign before an amount. */
export const CURRENCY_SIGN: string = "$";

/** Name in sentences: `Amounts are in Canadian dollars`. */
export const CURRENCY_NAME: string = "Canadian dollars";

/** Short name in sentences, and in what visitors search for: `25 dollars`. */
export const CURRENCY_SHORT_NAME: string = "dollars";

/** Smallest amount that is paid in cash, cents: totals in cash are rounded to a multiple of it. 1 rounds nothing. */
export const CASH_STEP_CENTS: number = 5;

/** Values of the notes and coins that a drawer holds, cents, the highest first. */
export const CASH_PIECES_CENTS: number[] = [10_000, 5000, 2000, 1000, 500, 200, 100, 25, 10, 5];

/** Pattern of other writings in spreadsheets, beside code and sign; it is matched without regard to case. */
export const CURRENCY_WRITINGS: string =
  "(?:CA|C|CAN|CDN)\\s?\\$|\\$\\s?(?:CA|CAN|CDN)|CAN|CDN|(?:canadian )?dollars?";
