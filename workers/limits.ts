import { DAY_MS, DAY_SECONDS } from "~/domain/durations";
import { fileKeys, filesAmong, haveSameCards, MAX_FILES_A_DAY } from "~/features/chat/files";
import type { ChatMessage, MessageCard } from "~/features/chat/protocol";
import type {
  ContinuedChat,
  IncomingMessage,
  InitialMessage,
  LimitReached,
  NewChat,
  PostResult,
} from "~/features/chat/rooms";
import type { FileCard } from "~/features/storage/file-card";
import type { ChatLog } from "./chat-log";

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
function secondsToWait(log: ChatLog, env: Env, isFromAdmin: boolean): number {
  const limit = Number(env.CHAT_MESSAGES_IN_10_SECONDS) || 30;
  const free = log.timeOfNthLatest(limit - 1, isFromAdmin ? "staff" : "any") + WINDOW_MS;
  return Math.max(0, Math.ceil((free - Date.now()) / 1000));
}

function limitOf(env: Env): number {
  return Number(env.LIVE_EVENTS_IN_10_SECONDS) || 100;
}

/** Chat room, as its limits read it. */
interface LimitedRoom {
  log: ChatLog;
  files: ChatFiles;
  env: Env;
}

/** Checks a message before it is stored. @returns the result of one that is known or rejected; null for a new one */
export function checkMessage(room: LimitedRoom, message: IncomingMessage): PostResult | null {
  const { log } = room;
  const known = message.id === undefined ? null : log.byId(message.id);
  if (known) return isSameMessage(known, message) ? { stored: known } : { rejected: "idTaken" };
  if (message.isCardUnknown) return { rejected: "unknownCard" };
  if (message.replyTo !== undefined && !log.byId(message.replyTo)) return { rejected: "unknownMessage" };
  return message.isUnlimited ? null : checkLimits(room, message);
}

/**
 * Checks the message with which a visitor continues a chat.
 *
 * @returns `added`: the message, null when it waits for an answer already; `limit`: the one that rejects it
 */
export function checkContinued(
  room: LimitedRoom,
  initial: InitialMessage | null,
): { added: InitialMessage | null; limit: LimitReached | null } {
  const message = initial && { ...initial, isFromAdmin: false };
  const latest = message && room.log.latestBy("any");
  if (!message || (latest && isSameMessage(latest, message))) return { added: null, limit: null };
  return { added: initial, limit: checkLimits(room, message) };
}

/** Seconds in which starts that share a chat continue it, whatever they say: those at the same time. */
const SAME_TIME_SECONDS = 10;
/** Seconds in which a start may be sent again, because its answer was lost. */
const RETRY_SECONDS = DAY_SECONDS;

/** Relation of a start to the chat of its key: sent again, another message for the same chat, or with other content. */
type EarlierStart = "repeated" | "shared" | "other";

/** Id under which the start that opened the chat is kept. */
export const OPENING = "";

/**
 * Compares a start with the one that opened the chat: its request, its message, cards and files, and its account.
 *
 * @param now epoch milliseconds
 * @returns null when the chat is closed, deleted or older than a day
 */
export function compareStart(
  log: ChatLog,
  { userId, isShared = false, digest }: Pick<NewChat, "userId" | "isShared" | "digest">,
  initial: InitialMessage | null,
  now: number,
): EarlierStart | null {
  if (!log.exists) return null;
  const { state, user_id, created_at } = log.chat();
  const age = now / 1000 - created_at;
  if (age >= RETRY_SECONDS) return null;
  if (isShared) return state === "open" && user_id === userId && age < SAME_TIME_SECONDS ? "shared" : null;
  const isSame = isSameRequest(log, OPENING, digest) && isSameStart(log.initial(), initial);
  if (!isSame || user_id !== userId) return "other";
  return state === "open" ? "repeated" : null;
}

/** Compares the request of a start with the one that was stored for its key; true for a chat of before. */
const isSameRequest = (log: ChatLog, id: string, digest: string | undefined) =>
  (log.startDigest(id) ?? digest) === digest;

/**
 * Compares a start with the one of its key that has continued the chat, whose message was not added where it waited for an
 * answer already.
 *
 * @returns null for the first one
 */
export function compareContinued(
  log: ChatLog,
  { messageId, digest }: Pick<ContinuedChat, "messageId" | "digest">,
  initial: InitialMessage | null,
): boolean | null {
  if (messageId === undefined) return null;
  const message = log.byId(messageId);
  if (!message && log.startDigest(messageId) === null) return null;
  return isSameRequest(log, messageId, digest) && (!message || isSameStart(message, initial));
}

/** Compares the message of a start with the one that was stored for its key. */
const isSameStart = (stored: ChatMessage | undefined, initial: InitialMessage | null): boolean =>
  stored && initial ? isSameMessage(stored, { ...initial, isFromAdmin: false }) : !stored && !initial;

/** Checks a new message against the limits of messages and files. @returns null within them */
function checkLimits(
  { log, files, env }: LimitedRoom,
  { isFromAdmin, cards }: Pick<IncomingMessage, "isFromAdmin" | "cards">,
): LimitReached | null {
  const retryAfter = secondsToWait(log, env, isFromAdmin);
  if (retryAfter > 0) return { rejected: "rateLimited", retryAfter };
  const fileWait = files.secondsToWait(fileKeys(cards).length, isFromAdmin);
  return fileWait > 0 ? { rejected: "tooManyFiles", retryAfter: fileWait } : null;
}

/** Compares a stored message with one that has its id; each upload of a file has a key of its own. */
function isSameMessage(
  known: ChatMessage,
  {
    message,
    isFromAdmin,
    cards,
    replyTo,
  }: Pick<IncomingMessage, "message" | "isFromAdmin" | "cards" | "replyTo">,
): boolean {
  const isSameText = known.message === message && known.replyTo?.id === replyTo;
  return isSameText && known.isFromAdmin === isFromAdmin && haveSameCards(known.cards, cards);
}

/** Files of a chat, which are cards of its messages. */
export class ChatFiles {
  constructor(private readonly sql: SqlStorage) {}

  cards(): FileCard[] {
    const rows = this.sql.exec<{ cards: string }>("SELECT cards FROM messages WHERE cards IS NOT NULL");
    return rows.toArray().flatMap(({ cards }) => filesAmong(JSON.parse(cards) as MessageCard[]));
  }

  /**
   * Computes the seconds until more files may be posted. Like messages, all files of the chat count for the visitor, and
   * only the seller's own for the seller.
   */
  secondsToWait(added: number, isFromAdmin: boolean): number {
    if (added === 0) return 0;
    const since = Date.now() - DAY_MS;
    let free = MAX_FILES_A_DAY - added;
    // Read row by row, so that older messages cost nothing.
    const rows = this.sql.exec<{ at: number; cards: string | null; is_from_admin: number }>(
      "SELECT at, cards, is_from_admin FROM messages ORDER BY seq DESC",
    );
    for (const { at, cards, is_from_admin } of rows) {
      if (at <= since) return 0;
      if (!isFromAdmin || is_from_admin === 1) free -= keysIn(cards).length;
      if (free < 0) return Math.ceil((at - since) / 1000);
    }
    return 0;
  }
}

const keysIn = (cards: string | null) => fileKeys(cards === null ? [] : (JSON.parse(cards) as MessageCard[]));
