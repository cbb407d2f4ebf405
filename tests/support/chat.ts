import { addUser, call, cookiesOf, openSession } from "./shop";

/** Message in the API. */
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

/** Starts a chat as a new visitor. */
export async function beginChat(
  fields: Record<string, unknown> = {},
  from: { cookie?: string; token?: string } = {},
) {
  // Each visitor has an IP address, since the number of new chats per address is limited.
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

/** Sends a message to a chat. */
export function say(
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
