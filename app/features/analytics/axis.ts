/** The axis of amounts. Pure. */

/** Grid lines above zero, at most. */
const LINES = 5;
const STEPS = [1, 2, 2.5, 5, 10];
/** A dollar: no finer steps. Cents. */
const LEAST = 100;

/**
 * Round amounts from 0 to the largest one or beyond, a few of them.
 *
 * @param amounts whole cents; null where there is none
 * @returns cents, ascending
 */
export function amountTicks(amounts: (number | null)[]): number[] {
  const largest = Math.max(LEAST * LINES, ...amounts.map((amount) => amount ?? 0));
  const rough = largest / LINES;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * size >= rough) ?? 10) * size;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

const UNITS = [
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/**
 * An amount for an axis, `$1.5k`.
 *
 * @param cents whole cents
 */
export function compactDollars(cents: number): string {
  const amount = cents / 100;
  const [size, letter] = UNITS.find(([unit]) => amount >= unit) ?? [1, ""];
  return `$${Number((amount / size).toFixed(2))}${letter}`;
}
