import type { ChatLog } from "./chat-log.queries";

/** Number of events of a client since a time (epoch milliseconds). */
export interface EventCount {
  since: number;
  events: number;
}

const WINDOW_MS = 10_000;
/** Events that a catch-up counts as, since it reads and sends many messages. */
const CATCH_UP_EVENTS = 10;

/**
 * Counts an event. Events above the limit are dropped, the first one with a warning; above twice the limit the
 * connection closes.
 *
 * @param now epoch milliseconds
 */
export function countEvent(
  count: EventCount,
  env: Env,
  now: number,
): { count: EventCount; verdict: "pass" | "warn" | "drop" | "close" } {
  const limit = limitOf(env);
  const next = isExpired(count, now)
    ? { since: now, events: 1 }
    : { since: count.since, events: count.events + 1 };
  if (next.events <= limit) return { count: next, verdict: "pass" };
  if (next.events === limit + 1) return { count: next, verdict: "warn" };
  return { count: next, verdict: next.events > 2 * limit ? "close" : "drop" };
}

export const isExpired = ({ since }: EventCount, now: number) => now - since >= WINDOW_MS;

/** Adds a catch-up, which may reach the limit but never exceeds it. */
export function afterCatchUp(count: EventCount, env: Env): EventCount {
  return {
    ...count,
    events: Math.max(count.events, Math.min(count.events + CATCH_UP_EVENTS - 1, limitOf(env))),
  };
}

/**
 * Computes the seconds until the next message may be posted. All messages of the chat count for the visitor, only the
 * seller's own count for the seller, so that a flood does not keep them from answering.
 */
export function secondsToWait(log: ChatLog, env: Env, isFromAdmin: boolean): number {
  const limit = Number(env.CHAT_MESSAGES_IN_10_SECONDS) || 30;
  const free = log.timeOfNthLatest(limit - 1, isFromAdmin ? "seller" : "both") + WINDOW_MS;
  return Math.max(0, Math.ceil((free - Date.now()) / 1000));
}

function limitOf(env: Env): number {
  return Number(env.LIVE_EVENTS_IN_10_SECONDS) || 100;
}
