/**
 * A share in whole percent; what is there is never told as nothing.
 *
 * @param percent 0 to 100
 */
export function wholePercent(percent: number): string {
  return percent > 0 && percent < 0.5 ? "<1%" : `${Math.round(percent)}%`;
}
