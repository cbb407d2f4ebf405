import { addUser, call, cookiesOf, openSession } from "./shop";

/** A message as the API tells it. */
export interface Message {
  id: string;
  chatId: string;
  message: string;
  isFromAdmin: boolean;
  senderName: string;
  timestamp: { seconds: number; nanoseconds: number };
  seq: number;
}

let visitors = 0;

/** Begins a chat as a new visitor; what isn't said is left out. */
export async function beginChat(
  fields: Record<string, unknown> = {},
  from: { cookie?: string; token?: string } = {},
) {
  // Each from an address of its own: only so many chats may begin from one.
  visitors++;
  const headers = { "CF-Connecting-IP": `2001:db8::${visitors.toString(16)}` };
  const answer = await call("/api/chat/create", { json: fields, headers, ...from });
  const { chatId } = (await answer.json()) as { chatId: string };
  return { chatId, cookie: cookiesOf(answer), answer };
}

/** A staff member's bearer token. */
export async function staffToken(role: "isAdmin" | "isManager" = "isManager"): Promise<string> {
  const { id } = await addUser({ [role]: true });
  return openSession(id);
}

/** Writes into a chat. */
export function say(
  chatId: string,
  message: string,
  by: { cookie?: string; token?: string },
  more: Record<string, unknown> = {},
): Promise<Response> {
  const json = { chatId, message, isFromAdmin: false, senderName: "Ines", ...more };
  return call("/api/chat/message", { json, ...by });
}

/** A chat's messages. */
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
