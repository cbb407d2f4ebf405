import { grouped } from "./grouped";
import { dollars } from "./money";

/** Change that is seldom meant: a digit too many or too few. */
const UNUSUAL_FACTOR = 10;
/** Stock below which a change needs no confirmation: one or two pieces are often restocked tenfold. */
const SMALL_STOCK = 30;

/** Describes a stock that falls below what is on hold; null for another one. */
export const belowHolds = (stock: number, after: number, held: number): string | null =>
  after >= 0 && after < stock && after < held
    ? `${grouped(held)} on hold, more than ${grouped(after)}.`
    : null;

/**
 * Describes a stock that becomes ten times as large or as small, or falls below what is on hold. That all was sold is
 * nothing unusual.
 *
 * @returns null when nothing is unusual
 */
export function unusualStock(stock: number, after: number, held: number): string | null {
  const shortfall = belowHolds(stock, after, held);
  if (shortfall !== null) return shortfall;
  const [less, more] = after < stock ? [after, stock] : [stock, after];
  if (less <= 0 || more < SMALL_STOCK || more < less * UNUSUAL_FACTOR) return null;
  return `${grouped(stock)} → ${grouped(after)}?`;
}

/** Describes a price, in cents, that becomes ten times as high or as low; null when nothing is unusual. */
export function unusualPrice(cents: number, after: number): string | null {
  const [less, more] = after < cents ? [after, cents] : [cents, after];
  return less > 0 && more >= less * UNUSUAL_FACTOR ? `${dollars(cents)} → ${dollars(after)}?` : null;
}

/**
 * Asks for the confirmation of what is unusual in a form, which is sent again to confirm it.
 *
 * @param unusual descriptions by the labels of their fields; null for nothing unusual
 * @returns null without any
 */
export function formConfirmation(unusual: Record<string, string | null>): string | null {
  const found = Object.entries(unusual).flatMap(([label, text]) =>
    text === null ? [] : [`${label}: ${text}`],
  );
  return found.length > 0 ? `${found.join(" ")} Press again to save it anyway.` : null;
}

/** Asks for the confirmation of a stock in a form; null when nothing is unusual. */
export const stockFormConfirmation = (stock: number, after: number, held: number) =>
  formConfirmation({ Stock: unusualStock(stock, after, held) });
