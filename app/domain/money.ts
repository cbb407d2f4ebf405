import { CURRENCY_SIGN } from "~/domain/currency";

/** Highest amount of money, cents: 99,999,999.99. */
export const MAX_CENTS = 9_999_999_999;

/**
 * Formats an amount.
 *
 * @param cents integer
 * @returns dollars with thousands separators and two decimals, `$1,064.00`
 */
export function dollars(cents: number): string {
  if (cents < 0) return `−${dollars(-cents)}`;
  return CURRENCY_SIGN + decimalDollars(cents).replace(/\B(?=(\d{3})+\.)/g, ",");
}

/** Formats an amount without the cents of a whole one: `$25`, `$12.50`. */
export const shortDollars = (cents: number) => dollars(cents).replace(".00", "");

/** Formats an amount for a field or a file: `1064.00`. */
export const decimalDollars = (cents: number, decimals = 2) => (cents / 100).toFixed(decimals);

/** Formats an amount for a URL or a filter: `12`, `12.5`. */
export const plainDollars = (cents: number) => String(cents / 100);
