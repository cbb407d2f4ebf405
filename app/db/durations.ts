// Times in D1 are epoch seconds.

export const DAY_SECONDS = 86_400;
export const HOUR_SECONDS = 3600;

/** Returns the current time in epoch seconds. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000);
