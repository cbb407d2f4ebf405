/**
 * An amount as shoppers read it (spec 9).
 *
 * @param cents whole cents
 * @returns dollars with a $ sign, commas between the thousands and two decimals, `$1,064.00`
 */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`;
}
