const STEPS = [
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
  const [size, letter] = STEPS.find(([step]) => amount >= step) ?? [1, ""];
  return `$${Number((amount / size).toFixed(2))}${letter}`;
}
