/** Formats a whole number: `1,200`, with a minus sign below 0: `−3`. */
export const grouped = (count: number): string =>
  count < 0 ? `\u2212${grouped(-count)}` : count.toLocaleString("en");
