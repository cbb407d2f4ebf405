import { z } from "zod";
import { flag, optionalText } from "~/http/fields";

/** What is said over the live connection (contract: Live events), the same for both codecs. Safe in the browser. */

const chatId = z.string().min(1).max(64);
const after = z.number().int().min(0).optional();
const person = z.object({ chatId, senderName: optionalText() });

/** From the browser. */
export const ClientEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("join-chat"), data: z.object({ chatId, after }) }),
  z.object({ event: z.literal("typing"), data: person }),
  z.object({ event: z.literal("stop-typing"), data: person }),
  z.object({ event: z.literal("join-admin") }),
  z.object({ event: z.literal("leave-admin") }),
  z.object({ event: z.literal("chat-status-change"), data: z.object({ isOnline: flag }) }),
]);
export type ClientEvent = z.infer<typeof ClientEvent>;

const time = z.object({ seconds: z.number(), nanoseconds: z.number() });

/** A message as everybody sees it; `seq` counts within its chat, from 1, without gaps. */
const ChatMessage = z.object({
  id: z.string(),
  chatId: z.string(),
  message: z.string(),
  isFromAdmin: z.boolean(),
  senderName: z.string(),
  timestamp: time,
  seq: z.number(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A chat as lists and headers show it (back office 3, Chat). */
const ChatView = z.object({
  id: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  isAnonymous: z.boolean(),
  /** Shortened to 200 characters. */
  lastMessage: z.string(),
  lastMessageTime: time,
  createdAt: time,
  unreadCount: z.number(),
});
export type ChatView = z.infer<typeof ChatView>;

/** From the shop. */
export const ServerEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("new-message"), data: ChatMessage }),
  z.object({
    event: z.literal("user-typing"),
    data: z.object({ chatId: z.string(), isTyping: z.boolean(), senderName: z.string() }),
  }),
  z.object({ event: z.literal("chat-status-change"), data: z.object({ isOnline: z.boolean() }) }),
  z.object({
    event: z.literal("new-user-message"),
    data: z.object({ chatId: z.string(), message: ChatMessage, chat: ChatView }),
  }),
  z.object({ event: z.literal("error"), data: z.object({ event: z.string(), message: z.string() }) }),
]);
export type ServerEvent = z.infer<typeof ServerEvent>;

/** A frame that could not be taken, as the `error` event tells it. */
export class BadFrame extends Error {
  constructor(
    readonly event: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads a JSON frame, `{"event": "...", "data": ...}`.
 *
 * @throws BadFrame
 */
export function readFrame(text: string): ClientEvent {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    throw new BadFrame("", "The frame is not JSON.");
  }
  const { event, data } = (frame ?? {}) as { event?: unknown; data?: unknown };
  return readEvent(event, data === undefined ? [] : [data]);
}

/**
 * Reads an event of either codec. An event that takes `{chatId, senderName}` or `{isOnline}` takes bare values too,
 * in that order: Socket.IO clients send `join-chat` with the id alone (spec 7).
 *
 * @param event name
 * @param values what came with it
 * @throws BadFrame
 */
export function readEvent(event: unknown, values: unknown[]): ClientEvent {
  if (typeof event !== "string") throw new BadFrame("", "The frame names no event.");
  const parsed = ClientEvent.safeParse({ event, data: asObject(event, values) });
  if (parsed.success) return parsed.data;
  const known = ClientEvent.options.some((option) => option.shape.event.value === event);
  throw new BadFrame(
    event.slice(0, 64),
    known ? "The data of this event is not right." : "There is no such event.",
  );
}

function asObject(event: string, [first, second]: unknown[]): unknown {
  if (typeof first === "object") return first;
  if (event === "join-chat") return { chatId: first, after: second };
  if (event === "chat-status-change") return { isOnline: first };
  return { chatId: first, senderName: second };
}
