/** Seconds of a day; times in D1 are epoch seconds. */
export const DAY_SECONDS = 86_400;
