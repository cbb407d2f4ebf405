/** Returns the last day that a sale may have: a year after today. @param today YYYY-MM-DD */
export const yearAfter = (today: string): string => `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
