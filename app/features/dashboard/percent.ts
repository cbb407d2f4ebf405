/**
 * A share in whole percent; what is there is never told as nothing.
 *
 * @param percent 0 to 100
 */
export function wholePercent(percent: number): string {
  return percent > 0 && percent < 0.5 ? "<1%" : `${Math.round(percent)}%`;
}

/**
 * A change or a share to one decimal (back office 9, Trend): `1,234.5%`.
 *
 * @param percent 0 or more
 */
export function onePlace(percent: number): string {
  return `${percent.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}
