/**
 * Formats an amount.
 *
 * @param cents integer
 * @returns dollars with thousands separators and two decimals, `$1,064.00`
 */
export function dollars(cents: number): string {
  if (cents < 0) return `−${dollars(-cents)}`;
  return `$${(cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`;
}
