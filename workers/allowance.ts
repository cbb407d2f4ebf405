/** How many events a connection has sent since when (epoch milliseconds). */
export interface Spent {
  since: number;
  events: number;
}

const WINDOW = 10_000;

/**
 * Counts one more event of a connection (contract: Live events): past the limit it is dropped, the first time with a
 * warning; past twice the limit the connection closes.
 *
 * @param now epoch milliseconds
 */
export function allowance(
  spent: Spent,
  env: Env,
  now: number,
): { spent: Spent; verdict: "pass" | "warn" | "drop" | "close" } {
  const limit = Number(env.LIVE_EVENTS_IN_10_SECONDS) || 100;
  const fresh = now - spent.since >= WINDOW;
  const next = fresh ? { since: now, events: 1 } : { since: spent.since, events: spent.events + 1 };
  if (next.events <= limit) return { spent: next, verdict: "pass" };
  if (next.events === limit + 1) return { spent: next, verdict: "warn" };
  return { spent: next, verdict: next.events > 2 * limit ? "close" : "drop" };
}
