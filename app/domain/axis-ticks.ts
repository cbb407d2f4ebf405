import { CURRENCY_SIGN } from "~/domain/currency";

const UNITS = [
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** Formats an amount for an axis: `$1.5k`. @param cents 0 or more */
export function compactDollars(cents: number): string {
  const amount = cents / 100;
  const [size, letter] = UNITS.find(([unit]) => amount >= unit) ?? [1, ""];
  return `${CURRENCY_SIGN}${Number((amount / size).toFixed(2))}${letter}`;
}

/** Round steps, as multiples of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];
/** Smallest step, cents. */
const MIN_STEP = 100;

/**
 * Chooses round axis ticks from 0 up to at least the largest amount.
 *
 * @param amounts whole cents; null is ignored
 * @param maxLines grid lines above zero
 * @returns cents, ascending
 */
export function amountTicks(amounts: (number | null)[], maxLines = 5): number[] {
  const largest = Math.max(MIN_STEP * maxLines, ...amounts.map((amount) => amount ?? 0));
  const exactStep = largest / maxLines;
  const magnitude = 10 ** Math.floor(Math.log10(exactStep));
  const step = (STEPS.find((each) => each * magnitude >= exactStep) ?? 10) * magnitude;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}
