import { SUPPORT_TEAM } from "../limits";
import type { ChatMessage } from "../protocol";

/** What the console's script asks of the API by itself. */

/** An answer of 400 and more. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function ask(path: string, method: string, body: unknown): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`/api/chat/${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) {
    const { status } = answer;
    throw new Refusal(status, `${method} chat/${path} was answered ${status}`);
  }
  return answer.json();
}

/** Writes into a chat; with the same id again it is stored once. */
export async function postReply(chatId: string, id: string, message: string): Promise<ChatMessage> {
  const reply = { chatId, id, message, isFromAdmin: true, senderName: SUPPORT_TEAM };
  return (await ask("message", "POST", reply)) as ChatMessage;
}

/** Marks a chat as read. */
export async function markRead(chatId: string): Promise<void> {
  await ask(`${encodeURIComponent(chatId)}/read`, "PATCH", { isAdmin: true });
}
