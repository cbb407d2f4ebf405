import { EMAIL_SHAPE } from "~/http/email-address";
import { MUTATION_RETRIES, withRetries } from "~/http/retries";
import type { Snapshot } from "../pages.server";
import type { ChatMessage, ChatView } from "../protocol";

/** An answer of 400 and more, with the server's words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** How long an answer may take, milliseconds; what is sent again under its id is stored once. */
const PATIENCE = 15_000;

interface Details {
  userName: string;
  userEmail: string;
  initialMessage?: string;
  isAnonymous: boolean;
}

/** POST chat/create. */
export const createChat = (details: Details) => call<{ chatId: string }>("/api/chat/create", details);

/** POST chat/message; its client id makes it safe to try again. */
export const postMessage = (message: {
  chatId: string;
  message: string;
  senderName: string;
  isFromAdmin: false;
  id: string;
}) => withRetries(() => call<ChatMessage>("/api/chat/message", message), MUTATION_RETRIES);

/** GET chat/{id}/messages. */
export const readChat = (chatId: string) =>
  call<{ chat: ChatView; messages: ChatMessage[] }>(`/api/chat/${encodeURIComponent(chatId)}/messages`);

/** GET chat/settings. */
export const readSettings = () => call<{ isOnline: boolean }>("/api/chat/settings");

/** GET the cart that a chat began with. */
export const readCart = async (chatId: string) =>
  (await call<{ cart: Snapshot | null }>(`/chat/${encodeURIComponent(chatId)}/cart`)).cart;

/** What the reader is told: the server's words, else the default ones (spec 8). */
export const words = (error: unknown, otherwise: string) =>
  (error instanceof Refusal && error.status < 500 && error.message) || otherwise;

async function call<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, {
    cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE),
    ...(body !== undefined && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const told = (await answer.json().catch(() => ({}))) as { message?: string };
  if (!answer.ok) throw new Refusal(answer.status, told.message ?? "");
  return told as T;
}

/** Spec 5, Support chat start: an e-mail address is optional; if given it has the shape of one. */
export const mayBeEmail = (text: string) => text === "" || EMAIL_SHAPE.test(text);
