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
