/**
 * Times as the API tells them (spec 3), fine enough to order what was said in the same second.
 *
 * @param ms epoch milliseconds
 */
export function timestampMs(ms: number): { seconds: number; nanoseconds: number } {
  return { seconds: Math.floor(ms / 1000), nanoseconds: (ms % 1000) * 1_000_000 };
}
