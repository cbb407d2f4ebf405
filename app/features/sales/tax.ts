import { CASH_STEP_CENTS } from "~/domain/currency";

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

/** Rules of a business that is not registered. */
export const NO_TAX: TaxRules = { number: "", name: "", rate: 0, isIncluded: true };

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
 * Divides cents among shares in proportion to their weights, by largest remainder, so that the parts add up.
 *
 * @param cents 0 or more
 * @param weights 0 or more; without any weight the first share gets all
 */
export function allocate(cents: number, weights: number[]): number[] {
  const totalWeight = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (totalWeight === 0n) return weights.map((_, i) => (i === 0 ? cents : 0));
  const parts = weights.map((weight, i) => {
    const product = BigInt(cents) * BigInt(weight);
    return { i, cents: Number(product / totalWeight), remainder: product % totalWeight };
  });
  const left = cents - parts.reduce((total, part) => total + part.cents, 0);
  const byRemainder = [...parts].sort(
    (a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder) || a.i - b.i,
  );
  for (const part of byRemainder.slice(0, left)) part.cents += 1;
  return parts.map((part) => part.cents);
}

/** Returns what cash rounding adds to a total, at most half a step; symmetric for negative totals. */
export function cashRounding(totalCents: number): number {
  const rest = Math.abs(totalCents) % CASH_STEP_CENTS;
  const change = rest * 2 < CASH_STEP_CENTS ? -rest : CASH_STEP_CENTS - rest;
  return change === 0 ? 0 : Math.sign(totalCents) * change;
}

export interface Totals {
  /** Of each line, tax included. */
  amounts: number[];
  taxes: number[];
  taxCents: number;
  /** Before cash rounding. */
  exactCents: number;
}

/** Computes a sale. @param prices of each line in cents, as agreed */
export function saleTotals(prices: number[], rules: TaxRules): Totals {
  const taxCents = taxOf(sum(prices), rules);
  const taxes = allocate(taxCents, prices);
  const amounts = rules.isIncluded ? prices : prices.map((price, i) => price + (taxes[i] ?? 0));
  return { amounts, taxes, taxCents, exactCents: sum(amounts) };
}

/** Line of a sale as a credit note sees it. */
interface SoldLine {
  quantity: number;
  amountCents: number;
  taxCents: number;
  /** Pieces taken back so far. */
  returned: number;
}

/** Sale with its payment, as a credit note sees it. */
interface PaidSale {
  lines: SoldLine[];
  /** Cash rounding of the sale and its credit notes so far. */
  roundingSoFarCents: number;
}

/** Totals of a credit note, which are negative. */
export interface CreditTotals extends Totals {
  roundingCents: number;
  totalCents: number;
}

/**
 * Computes a credit note; everything is negative. A line's parts add up to the line once all of it is taken back.
 *
 * @param lines each with the pieces to take back, at most what is left
 * @param otherCents paid back in other modes than cash, which pays back the rest in multiples of `CASH_STEP_CENTS`; null
 * when no cash is paid back
 */
export function creditTotals(
  lines: { line: SoldLine; quantity: number }[],
  paid: PaidSale,
  otherCents: number | null,
): CreditTotals {
  const part = (cents: number, { line, quantity }: (typeof lines)[number]) =>
    amountOfPieces(cents, line.returned, line) - amountOfPieces(cents, line.returned + quantity, line);
  const amounts = lines.map((each) => part(each.line.amountCents, each));
  const taxes = lines.map((each) => part(each.line.taxCents, each));
  const exactCents = sum(amounts);
  // Subtracted, not negated: -0 is no sum of money.
  const totalCents = 0 - refund(-exactCents, paid, otherCents);
  return {
    amounts,
    taxes,
    taxCents: sum(taxes),
    exactCents,
    roundingCents: totalCents - exactCents,
    totalCents,
  };
}

/**
 * Computes what a credit note gives back. The last one gives what is left of the payment, and none gives more, whatever
 * the modes of sale and credit notes: a sale of $13.02 is paid with $13.00 in cash, which a card gives back. In cash, what
 * is left is rounded down.
 */
function refund(exact: number, { lines, roundingSoFarCents }: PaidSale, otherCents: number | null): number {
  const left = sum(
    lines.map((line) => line.amountCents - amountOfPieces(line.amountCents, line.returned, line)),
  );
  const kept = Math.max(0, left + roundingSoFarCents);
  if (otherCents === null) return exact === left ? kept : Math.min(exact, kept);
  const cash = Math.max(0, kept - otherCents);
  const most = Math.min(kept, otherCents) + cash - (cash % CASH_STEP_CENTS);
  return exact === left ? most : Math.min(exact + cashRounding(Math.max(0, exact - otherCents)), most);
}

/** Returns the amount of the first pieces of a line, rounded down. */
function amountOfPieces(cents: number, pieces: number, { quantity }: SoldLine): number {
  return Number((BigInt(cents) * BigInt(pieces)) / BigInt(quantity));
}

/** Adds up cents. */
export const sum = (cents: number[]): number => cents.reduce((total, each) => total + each, 0);
