import { grouped } from "./grouped";

/** Change that is seldom meant: a digit too many or too few. */
const UNUSUAL_FACTOR = 10;
/** Stock below which a change needs no question: one or two pieces are often restocked tenfold. */
const SMALL_STOCK = 30;

/**
 * Asks about a stock that becomes ten times as large or as small, or falls below what is on hold. That all was sold is
 * nothing unusual.
 *
 * @returns null when nothing is unusual
 */
export function stockQuestion(stock: number, after: number, held: number): string | null {
  if (after >= 0 && after < stock && after < held)
    return `${grouped(held)} on hold, more than ${grouped(after)}.`;
  const [less, more] = after < stock ? [after, stock] : [stock, after];
  if (less <= 0 || more < SMALL_STOCK || more < less * UNUSUAL_FACTOR) return null;
  return `${grouped(stock)} → ${grouped(after)}?`;
}

/** Asks about a stock in a form, which is sent again to confirm it; null when nothing is unusual. */
export function stockFormQuestion(stock: number, after: number, held: number): string | null {
  const question = stockQuestion(stock, after, held);
  return question && `Stock: ${question} Press again to save it anyway.`;
}
