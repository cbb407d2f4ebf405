// Times in D1 are epoch seconds.

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;
export const DAY_MS = DAY_SECONDS * 1000;

/** Returns the current time in epoch seconds. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000);
