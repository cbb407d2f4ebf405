import { dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { allocate, sum } from "./tax";

/** Reduction of a price: a share in basis points (1000 is 10 %), or cents. */
export type Discount = { basisPoints: number } | { amountCents: number };

/** Message for what is no discount. */
export const DISCOUNT_KINDS = "Must be either a percentage or an amount";

/** Whole price, in basis points. */
export const ALL_BASIS_POINTS = 10_000;

/** Computes what a discount takes off a price, half a cent up. @param priceCents 0 or more */
export function discountCents(priceCents: number, discount: Discount | undefined): number {
  if (!discount) return 0;
  if ("amountCents" in discount) return discount.amountCents;
  const all = BigInt(ALL_BASIS_POINTS);
  return Number((2n * BigInt(priceCents) * BigInt(discount.basisPoints) + all) / (2n * all));
}

/** Returns the error message of a discount above its price; null for one that fits. */
export function discountProblem(priceCents: number, discount: Discount | undefined): string | null {
  if (discountCents(priceCents, discount) <= priceCents) return null;
  return `Must be at most ${discount && "basisPoints" in discount ? "100%" : `the price, ${dollars(priceCents)}`}`;
}

/**
 * Adds a document's discount to those of its lines, spread by what the lines come to, by largest remainder.
 *
 * @param lines prices and own discounts in cents
 * @returns discount of each line, at most its price
 */
export function spreadDiscount(
  lines: { priceCents: number; discountCents: number }[],
  discount: Discount | undefined,
): number[] {
  const net = lines.map((line) => line.priceCents - line.discountCents);
  const shares = allocate(discountCents(sum(net), discount), net);
  return lines.map((line, i) => line.discountCents + (shares[i] ?? 0));
}

/** Reads a discount as people type it: `10%`, `12.5 %`, `5.00`, `$5`; null for other text, undefined for none or 0. */
export function parseDiscount(typed: string): Discount | null | undefined {
  const text = typed.trim();
  if (/^(?:0*(?:[.,]0*)?\s*%?)$/.test(text)) return undefined;
  const [, percent] = /^(\d{1,3}(?:[.,]\d{1,2})?)\s*%$/.exec(text) ?? [];
  if (percent !== undefined) return { basisPoints: Math.round(Number(percent.replace(",", ".")) * 100) };
  const amount = parseAmount(text);
  return amount?.isCertain ? { amountCents: amount.cents } : null;
}
