import { useEffect, useState } from "react";
import type { Question, VisitorDetails } from "~/features/chat/introduction";
import type { ChatFilter } from "~/features/chat/limits";
import type { CardProduct, ProductMap } from "~/features/chat/message-links";
import type { ChatMessage, ProductCard } from "~/features/chat/protocol";
import type { Answerer, ChatSettings, History } from "~/features/chat/rooms";
import { closeNotification } from "~/features/push/workers";
import { EMAIL_SHAPE } from "~/http/email-address";
import { MUTATION_RETRIES, withRetries } from "~/http/retries";
import { listen } from "~/ui/listen";
import type { CartSnapshot } from "../pages.server";

/** Error response of the chat API, with the server's message. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 15_000;
/** Shorter than the default, because the panel shows a placeholder until the answer arrives. */
const LATEST_TIMEOUT_MS = 4000;

interface NewChat {
  /** 32 hexadecimal digits, by which repeated requests start one chat. */
  key: string;
  userName: string;
  userEmail: string;
  initialMessage?: string;
  isAnonymous: boolean;
  /** Product that it is about, with what was chosen of it. */
  productId?: string;
  quantity?: number | undefined;
  color?: string | undefined;
  engraving?: string | undefined;
}

export interface NewMessage {
  /** Client id, by which the server stores a message once. */
  id: string;
  chatId: string;
  message: string;
  senderName: string;
  isFromAdmin: boolean;
  card?: ProductCard | undefined;
  /** Id of the message to which it replies. */
  replyTo?: string | undefined;
}

const chatPath = (chatId: string) => `/api/chat/${encodeURIComponent(chatId)}`;

/** Continues the visitor's conversation, or starts one; its key makes the automatic retry safe. */
export const createChat = (chat: NewChat) =>
  withRetries(
    () => request<{ chatId: string }>("/api/chat/create", { body: { ...chat, continue: true } }),
    MUTATION_RETRIES,
  );

/** Gives the visitor's name or e-mail address after the first message. @returns what the chat has then */
export const introduce = (chatId: string, question: Question, value: string) =>
  request<VisitorDetails>(`/chat/${encodeURIComponent(chatId)}/details`, {
    method: "PATCH",
    body: { question, [question]: value },
  });

/** Sends a message; its client id makes the automatic retry safe. */
export const postMessage = (message: NewMessage) =>
  withRetries(() => request<ChatMessage>("/api/chat/message", { body: message }), MUTATION_RETRIES);

export const readChat = (chatId: string) => request<History>(`${chatPath(chatId)}/messages`);

export const markRead = (chatId: string) =>
  request(`${chatPath(chatId)}/read`, { method: "PATCH", body: { isAdmin: true } });

/** Unread messages by chat id. */
export type UnreadCounts = Record<string, number>;

/** Numbers of unread messages, in total and by chat, and of chats by filter. */
interface StaffCounts {
  messages: number;
  chats: UnreadCounts;
  /** More chats have unread messages. */
  isMore: boolean;
  filters: Record<ChatFilter, number>;
}

/** Reads the unread messages of the latest unread chats and the chats of each filter, as staff. */
export const readUnread = () => withRetries(() => request<StaffCounts>("/admin/unread"), MUTATION_RETRIES);

/** Marks the messages up to a seq as seen by the visitor; a lost mark is repeated with the next message. */
export async function markSeen(chatId: string, seq: number): Promise<void> {
  void closeNotification("visitor", chatId);
  await request(`${chatPath(chatId)}/read`, { method: "PATCH", body: { seq } }).catch(() => undefined);
}

/** Counts the unread answers in the reader's other conversations. */
export async function countOtherUnread(chatId: string | undefined): Promise<number> {
  const chats = await request<{ id: string; unreadCount: number }[]>("/api/chat/mine");
  return chats.reduce((sum, { id, unreadCount }) => sum + (id === chatId ? 0 : unreadCount), 0);
}

/** Reads whether the shop is online, its greeting, and the person who answers. */
export const readSettings = () =>
  request<Pick<ChatSettings, "isOnline" | "welcomeMessage"> & Answerer>("/api/chat/settings");

/** Reads the cart that a chat started with. */
export const readCart = async (chatId: string) =>
  (await request<{ cart: CartSnapshot | null }>(`/chat/${encodeURIComponent(chatId)}/cart`)).cart;

/** Reads the current data of products; deleted ones are left out. */
export const readProducts = async (ids: string[]) =>
  (await request<{ products: CardProduct[] }>(`/chat/products?ids=${ids.join()}`)).products;

/** Reads the id of the visitor's latest chat; null without one, and on failure. */
export const readLatestChatId = () =>
  request<{ chatId: string | null }>("/chat/latest", { timeoutMs: LATEST_TIMEOUT_MS }).then(
    ({ chatId }) => chatId,
    () => null,
  );

export const isValidEmail = (text: string) => EMAIL_SHAPE.test(text);

/** Returns the server's message of a refused request, else the fallback. */
export const errorMessage = (error: unknown, fallback: string) =>
  (error instanceof RequestError && error.status < 500 && error.message) || fallback;

/** Body of an error response; `details` of fields. */
interface Failure {
  message?: string;
  details?: { message: string }[];
}

interface RequestOptions {
  method?: string;
  body?: object;
  timeoutMs?: number;
}

/** Sends a request. @throws RequestError for a status of 400 and more */
export async function request<T>(
  path: string,
  { method = "POST", body, timeoutMs = TIMEOUT_MS }: RequestOptions = {},
): Promise<T> {
  const response = await fetch(path, {
    cache: "no-store",
    signal: AbortSignal.timeout(timeoutMs),
    ...(body && { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const result = (await response.json().catch(() => ({}))) as Failure;
  if (!response.ok)
    throw new RequestError(response.status, result.details?.[0]?.message ?? result.message ?? "");
  return result as T;
}

const NO_PRODUCTS: CardProduct[] = [];
/** Products read on this page, for a panel that is opened again while the browser is offline. */
const readBefore = new Map<string, CardProduct | null>();

/**
 * Reads the products of cards: new ones in one request, and all of them again when the page becomes visible or online.
 *
 * @param initial products that the page came with
 */
export function useProducts(ids: string[], initial = NO_PRODUCTS): ProductMap {
  const [products, setProducts] = useState<ProductMap>(() => toMap([], initial));
  useEffect(() => setProducts((known) => new Map([...known, ...toMap([], initial)])), [initial]);
  const wanted = ids.join();
  const missing = ids.filter((id) => !products.has(id)).join();
  useEffect(() => {
    const read = async (list: string) => {
      if (!list || document.hidden) return;
      const requested = list.split(",");
      const found = await readProducts(requested).catch(() => null);
      if (found) for (const [id, product] of toMap(requested, found)) readBefore.set(id, product);
      // Without an answer the text still names the products that were not read before.
      setProducts(
        (known) => new Map([...known, ...[...readBefore].filter(([id]) => requested.includes(id))]),
      );
    };
    void read(missing);
    const refresh = () => void read(wanted);
    // A change of visibility bubbles to the window.
    return listen(window, ["visibilitychange", "online"], refresh);
  }, [missing, wanted]);
  return products;
}

/** Maps requested ids to the products found, null for those that were not. */
function toMap(requested: string[], found: CardProduct[]): ProductMap {
  const byId = new Map<string, CardProduct | null>(requested.map((id) => [id, null]));
  for (const product of found) byId.set(product.id, product);
  return byId;
}
