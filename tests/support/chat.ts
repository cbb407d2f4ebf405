import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { RoomUpdate } from "~/features/chat/operations/rooms.server";
import { addUser, call, cookiesOf, openSession } from "./shop";

/** Message in an API response. */
export interface Message {
  id: string;
  chatId: string;
  message: string;
  isFromAdmin: boolean;
  senderName: string;
  timestamp: { seconds: number; nanoseconds: number };
  seq: number;
  cards?: { type: string; productId: string }[];
}

let visitors = 0;

/** Starts a chat as a new visitor. */
export async function startChat(
  fields: Record<string, unknown> = {},
  from: { cookie?: string; token?: string } = {},
) {
  // A new address for each, because the rate limit counts chats per address.
  visitors++;
  const headers = { "CF-Connecting-IP": `2001:db8::${visitors.toString(16)}` };
  const answer = await call("/api/chat/create", { json: fields, headers, ...from });
  const { chatId } = (await answer.json()) as { chatId: string };
  return { chatId, cookie: cookiesOf(answer), answer };
}

/** Creates a staff member and returns their bearer token. */
export async function staffToken(role: "isAdmin" | "isManager" = "isManager"): Promise<string> {
  const { id } = await addUser({ [role]: true });
  return openSession(id);
}

/** Posts a message as Ines. */
export function postMessage(
  chatId: string,
  message: string,
  by: { cookie?: string; token?: string },
  more: Record<string, unknown> = {},
): Promise<Response> {
  const json = { chatId, message, isFromAdmin: false, senderName: "Ines", ...more };
  return call("/api/chat/message", { json, ...by });
}

/** Reads a chat's messages. */
export async function messagesOf(
  chatId: string,
  by: { cookie?: string; token?: string },
  after?: number,
): Promise<Message[]> {
  const answer = await call(
    `/api/chat/${chatId}/messages${after === undefined ? "" : `?after=${after}`}`,
    by,
  );
  return ((await answer.json()) as { messages: Message[] }).messages;
}

/** Reads a chat's messages except the shop's automatic ones, whose ids have a colon. */
export const written = async (...request: Parameters<typeof messagesOf>) =>
  (await messagesOf(...request)).filter(({ id }) => !id.includes(":"));

/** Card of a product. */
export const cardOf = (productId: string) => ({ type: "product", productId });

/** Waits until a chat's row in the list is up to date: rooms write it in a pause after the answer. */
export async function rowWritten(chatId: string): Promise<void> {
  const pending = () =>
    runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
      storage.sql.exec("SELECT kind FROM duties WHERE kind IN ('answers', 'summary')").toArray(),
    );
  await expect.poll(pending).toEqual([]);
}

/** Runs the tasks of a room that are due later, now. */
export async function runTasks(chatId: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  await runInDurableObject(room, (_, { storage }) => {
    storage.sql.exec("UPDATE duties SET due_at = 0");
  });
  await runDurableObjectAlarm(room);
}

/** Builds the row of a chat after a message. */
export const roomUpdate = (id: string, lastMessage: string, revision = 100): RoomUpdate => ({
  row: {
    ...{ id, lastMessage, revision, userName: "Ines", userEmail: "", userId: null, isAnonymous: true },
    ...{ lastMessageAt: 1_790_000_000_000 + revision, unreadCount: revision, createdAt: 1_790_000_000 },
    ...{ state: "open", lastSender: "visitor", assigneeId: null, waitingSince: null, visitorUnread: 0 },
    ...{ visitorId: id, lastStaffId: null, productId: null },
    ...{ subjectId: null, subjectColor: null, subjectCount: 0 },
  },
  text: `Hello\n${lastMessage}`,
  searchText: `hello ${lastMessage}`,
  messages: [],
});
