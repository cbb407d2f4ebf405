import { cashRounding, type TaxRules, taxOf } from "~/domain/tax";

/** Rules of a business that is not registered. */
export const NO_TAX: TaxRules = { number: "", name: "", rate: 0, isIncluded: true };

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
  discountCents: number;
  /** Pieces taken back so far. */
  returned: number;
  /** Amount and tax credited so far, by pieces and by amounts. */
  creditedCents: number;
  creditedTaxCents: number;
}

/** Part of a line that a credit note takes back: pieces, or an amount without pieces. */
export type CreditPart<Line extends SoldLine = SoldLine> = { line: Line } & (
  | { quantity: number; amountCents?: undefined }
  | { quantity: 0; amountCents: number }
);

/** Sale with its payment, as a credit note sees it. */
interface PaidSale {
  lines: SoldLine[];
  /** Cash rounding of the sale and its credit notes so far. */
  roundingSoFarCents: number;
}

/** Cash that pays what other modes leave. */
export interface CashRest {
  /** Sum of the other modes. */
  otherCents: number;
  /** Cents to whose multiples it is rounded. */
  stepCents: number;
}

/** Totals of a credit note, which are negative. */
export interface CreditTotals extends Totals {
  roundingCents: number;
  totalCents: number;
  /** Of each line, 0 or less: discounts are taken back with the pieces. */
  discounts: number[];
}

/** Returns what is left of a line, in cents. */
export const leftOfLine = ({ amountCents, creditedCents }: Pick<SoldLine, "amountCents" | "creditedCents">) =>
  amountCents - creditedCents;

/**
 * Computes a credit note; everything is negative. Pieces take their share of what is left of the line, rounded down, and
 * the last ones all of it; so does the tax.
 *
 * @param parts each at most what is left
 * @param cash that pays back the rest; null when none is paid back
 */
export function creditTotals(parts: CreditPart[], paid: PaidSale, cash: CashRest | null): CreditTotals {
  // Subtracted, not negated: -0 is no sum of money.
  const amounts = parts.map((part) => 0 - creditedAmount(part));
  const taxes = parts.map((part) => 0 - creditedTax(part));
  const discounts = parts.map((part) => 0 - takenDiscount(part));
  const exactCents = sum(amounts);
  const totalCents = 0 - refund(-exactCents, paid, cash);
  return {
    amounts,
    taxes,
    discounts,
    taxCents: sum(taxes),
    exactCents,
    roundingCents: totalCents - exactCents,
    totalCents,
  };
}

/** Computes the amount of a part. */
function creditedAmount({ line, quantity, amountCents }: CreditPart): number {
  return amountCents ?? share(leftOfLine(line), quantity, line.quantity - line.returned);
}

/** Computes the tax of a part. */
function creditedTax({ line, quantity, amountCents }: CreditPart): number {
  const left = line.taxCents - line.creditedTaxCents;
  return amountCents === undefined
    ? share(left, quantity, line.quantity - line.returned)
    : share(left, amountCents, leftOfLine(line));
}

/** Computes the discount that goes with pieces, so that all pieces take back all of it. */
function takenDiscount({ line: { discountCents, returned, quantity }, ...part }: CreditPart): number {
  return share(discountCents, returned + part.quantity, quantity) - share(discountCents, returned, quantity);
}

/** Computes a part of cents, rounded down. */
function share(cents: number, part: number, whole: number): number {
  return whole === 0 ? 0 : Number((BigInt(cents) * BigInt(part)) / BigInt(whole));
}

/** Computes what is left of a sale's payment. */
export const keptCents = ({ lines, roundingSoFarCents }: PaidSale): number =>
  Math.max(0, sum(lines.map(leftOfLine)) + roundingSoFarCents);

/**
 * Computes what a credit note gives back. The last one gives what is left of the payment, and none gives more, whatever
 * the modes of sale and credit notes: a sale of $13.02 is paid with $13.00 in cash, which a card gives back. In cash, what
 * is left is rounded down.
 */
function refund(exact: number, { lines, roundingSoFarCents }: PaidSale, rest: CashRest | null): number {
  const left = sum(lines.map(leftOfLine));
  const kept = keptCents({ lines, roundingSoFarCents });
  if (rest === null) return exact === left ? kept : Math.min(exact, kept);
  const { otherCents, stepCents } = rest;
  const cash = Math.max(0, kept - otherCents);
  const most = Math.min(kept, otherCents) + cash - (cash % stepCents);
  return exact === left
    ? most
    : Math.min(exact + cashRounding(Math.max(0, exact - otherCents), stepCents), most);
}

/** Adds up cents. */
export const sum = (cents: number[]): number => cents.reduce((total, each) => total + each, 0);
