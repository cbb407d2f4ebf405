import { grouped } from "./grouped";
import { dollars } from "./money";

/** Change that is seldom meant: a digit too many or too few. */
const UNUSUAL_FACTOR = 10;
/** Stock below which a change needs no question: one or two pieces are often restocked tenfold. */
const SMALL_STOCK = 30;

/** Asks about a stock that falls below what is on hold; null for another one. */
export const heldQuestion = (stock: number, after: number, held: number): string | null =>
  after >= 0 && after < stock && after < held
    ? `${grouped(held)} on hold, more than ${grouped(after)}.`
    : null;

/**
 * Asks about a stock that becomes ten times as large or as small, or falls below what is on hold. That all was sold is
 * nothing unusual.
 *
 * @returns null when nothing is unusual
 */
export function stockQuestion(stock: number, after: number, held: number): string | null {
  const question = heldQuestion(stock, after, held);
  if (question !== null) return question;
  const [less, more] = after < stock ? [after, stock] : [stock, after];
  if (less <= 0 || more < SMALL_STOCK || more < less * UNUSUAL_FACTOR) return null;
  return `${grouped(stock)} → ${grouped(after)}?`;
}

/** Asks about a price, in cents, that becomes ten times as high or as low; null when nothing is unusual. */
export function priceQuestion(cents: number, after: number): string | null {
  const [less, more] = after < cents ? [after, cents] : [cents, after];
  return less > 0 && more >= less * UNUSUAL_FACTOR ? `${dollars(cents)} → ${dollars(after)}?` : null;
}

/**
 * Joins the questions of a form, which is sent again to confirm them.
 *
 * @param questions by the labels of their fields; null for nothing unusual
 * @returns null without any
 */
export function formQuestion(questions: Record<string, string | null>): string | null {
  const asked = Object.entries(questions).flatMap(([label, question]) =>
    question === null ? [] : [`${label}: ${question}`],
  );
  return asked.length > 0 ? `${asked.join(" ")} Press again to save it anyway.` : null;
}

/** Asks about a stock in a form; null when nothing is unusual. */
export const stockFormQuestion = (stock: number, after: number, held: number) =>
  formQuestion({ Stock: stockQuestion(stock, after, held) });
