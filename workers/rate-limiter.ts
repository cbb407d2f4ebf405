import type { ChatLog } from "./chat-log.queries";

/** How many events a person has sent since when (epoch milliseconds). */
export interface EventCount {
  since: number;
  events: number;
}

const WINDOW = 10_000;
/** A catch-up reads and sends many messages: it counts as so many events. */
const CATCH_UP = 10;

/**
 * Counts one more event of a person: past the limit it is dropped, the first time with a warning; past twice the limit
 * the connection that sent it closes.
 *
 * @param now epoch milliseconds
 */
export function countEvent(
  spent: EventCount,
  env: Env,
  now: number,
): { spent: EventCount; verdict: "pass" | "warn" | "drop" | "close" } {
  const limit = limitOf(env);
  const next = isPast(spent, now)
    ? { since: now, events: 1 }
    : { since: spent.since, events: spent.events + 1 };
  if (next.events <= limit) return { spent: next, verdict: "pass" };
  if (next.events === limit + 1) return { spent: next, verdict: "warn" };
  return { spent: next, verdict: next.events > 2 * limit ? "close" : "drop" };
}

/** Whether a count has no bearing on the next event any more. */
export const isPast = ({ since }: EventCount, now: number) => now - since >= WINDOW;

/** What a person has spent once a connection has caught up; that may use the allowance up, but never drops the next event. */
export function afterCatchUp(spent: EventCount, env: Env): EventCount {
  return { ...spent, events: Math.max(spent.events, Math.min(spent.events + CATCH_UP - 1, limitOf(env))) };
}

/**
 * Seconds until one more message may be written. A visitor's counts with all of the chat's; the seller's with theirs
 * alone, so that no flood keeps them from answering.
 */
export function secondsToWait(log: ChatLog, env: Env, isFromAdmin: boolean): number {
  const limit = Number(env.CHAT_MESSAGES_IN_10_SECONDS) || 30;
  const free = log.timeOfLatestBut(limit - 1, isFromAdmin ? "seller" : "both") + WINDOW;
  return Math.max(0, Math.ceil((free - Date.now()) / 1000));
}

function limitOf(env: Env): number {
  return Number(env.LIVE_EVENTS_IN_10_SECONDS) || 100;
}
