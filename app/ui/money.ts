/**
 * An amount as shoppers read it (spec 9).
 *
 * @param cents whole cents
 * @returns dollars with a $ sign and two decimals, `$64.00`
 */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
