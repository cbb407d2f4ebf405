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
  const minStep = largest / maxLines;
  const size = 10 ** Math.floor(Math.log10(minStep));
  const step = (STEPS.find((each) => each * size >= minStep) ?? 10) * size;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}
