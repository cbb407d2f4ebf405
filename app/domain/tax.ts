/** Tax of a business at the time of a sale. */
export interface TaxRules {
  /** Registration number; empty without registration: then there is no tax. */
  number: string;
  name: string;
  /** Basis points: 1300 is 13 %. */
  rate: number;
  /** Prices hold the tax. */
  isIncluded: boolean;
}

const BASIS = 10_000n;

/**
 * Computes the tax of a document, half a cent up.
 *
 * @param amountCents sum of the prices, 0 or more, with the tax if it is included
 */
export function taxOf(amountCents: number, { number, rate, isIncluded }: TaxRules): number {
  if (number === "" || rate === 0) return 0;
  const numerator = BigInt(amountCents) * BigInt(rate);
  const denominator = isIncluded ? BASIS + BigInt(rate) : BASIS;
  return Number((2n * numerator + denominator) / (2n * denominator));
}

/**
 * Returns what cash rounding adds to a total, at most half a step; symmetric for negative totals.
 *
 * @param stepCents to whose multiples cash is rounded; 1 rounds nothing
 */
export function cashRounding(totalCents: number, stepCents: number): number {
  const rest = Math.abs(totalCents) % stepCents;
  const change = rest * 2 < stepCents ? -rest : stepCents - rest;
  return change === 0 ? 0 : Math.sign(totalCents) * change;
}
