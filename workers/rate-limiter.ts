/** How many events a connection has sent since when (epoch milliseconds). */
export interface Spent {
  since: number;
  events: number;
}

const WINDOW = 10_000;
/** A catch-up reads and sends many messages: it counts as so many events. */
const CATCH_UP = 10;

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
  const limit = limitOf(env);
  const fresh = now - spent.since >= WINDOW;
  const next = fresh ? { since: now, events: 1 } : { since: spent.since, events: spent.events + 1 };
  if (next.events <= limit) return { spent: next, verdict: "pass" };
  if (next.events === limit + 1) return { spent: next, verdict: "warn" };
  return { spent: next, verdict: next.events > 2 * limit ? "close" : "drop" };
}

/** What a connection has spent once it has caught up; that may use its allowance up, but never drops the next event. */
export function afterCatchUp(spent: Spent, env: Env): Spent {
  return { ...spent, events: Math.max(spent.events, Math.min(spent.events + CATCH_UP - 1, limitOf(env))) };
}

function limitOf(env: Env): number {
  return Number(env.LIVE_EVENTS_IN_10_SECONDS) || 100;
}
