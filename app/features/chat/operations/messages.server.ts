import type { z } from "zod";
import { findCardsById } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { Listing, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { SUPPORT_TEAM } from "../limits";
import type { ChatMessage } from "../protocol";
import { countUnread, findChats } from "../queries.server";
import type { History, KeptLine, Posted } from "../rooms";
import { ChatInput, ListInput, MessageInput, MessagesInput, Nothing, ReadInput } from "../schema";
import { chatView } from "../views.server";
import { noSuchChat, requireSeat } from "./access.server";
import { noteVisit } from "./browser-chats.server";

/**
 * Writes into a chat: stored, then answered, then told to everybody in it (contract: chat/message).
 *
 * @throws AppError forbidden for a stranger and for a visitor's isFromAdmin, notFound, rateLimited; conflict for a used
 *   id with another text or from the other side
 */
export const postMessage = operation({
  access: "anyone",
  input: MessageInput,
  status: 201,
  run: ({ input, ...context }) => write(context, input),
});

/** The same from the console: for staff alone. */
export const postReply = operation({
  access: "staff",
  input: MessageInput,
  status: 201,
  run: ({ input, ...context }) => write(context, input),
});

async function write(context: RequestContext, input: z.infer<typeof MessageInput>): Promise<ChatMessage> {
  const { role } = await requireSeat(context, input.chatId);
  const isFromAdmin = role === "staff";
  if (input.isFromAdmin && !isFromAdmin)
    throw new AppError("forbidden", "Only the seller writes as the seller.");
  const message = stored(
    await context.env.CHAT_ROOM.getByName(input.chatId).post({
      id: input.id,
      message: input.message,
      isFromAdmin,
      senderName: isFromAdmin ? SUPPORT_TEAM : input.senderName,
    }),
  );
  await noteVisit(context, input.chatId);
  return message;
}

function stored(posted: Posted) {
  if ("stored" in posted) return posted.stored;
  if (posted.refused === "notFound") throw noSuchChat();
  if (posted.refused === "idTaken")
    throw new AppError("conflict", "This message was not sent. Please send it again.");
  throw new AppError("rateLimited", "You are writing very fast. Please wait a moment.", {
    headers: { "Retry-After": String(posted.retryAfter) },
  });
}

/** A chat and its messages in order; with `after`, those that came after that seq. */
export const readMessages = operation({
  access: "anyone",
  input: MessagesInput,
  async run({ input, ...context }): Promise<History> {
    const { chat, messages } = await readChatFor(context, input.id, input.after);
    return { chat, messages };
  },
});

/**
 * What a page shows of a chat.
 *
 * @param after seq of the last message the reader has; 0 for all
 * @returns also on whose behalf they read: "staff" or "visitor"
 * @throws AppError forbidden, notFound
 */
export async function readChatFor(
  context: RequestContext,
  chatId: string,
  after = 0,
): Promise<History & { role: "staff" | "visitor" }> {
  const { role } = await requireSeat(context, chatId);
  const history = await context.env.CHAT_ROOM.getByName(chatId).history(after, role);
  if (!history) throw noSuchChat();
  return { ...history, role };
}

/**
 * Marks a chat as read by staff.
 *
 * @throws AppError notFound
 */
export const markRead = operation({
  access: "staff",
  input: ReadInput,
  async run({ env, input }) {
    if (!(await env.CHAT_ROOM.getByName(input.id).markRead())) throw noSuchChat();
    return { unreadCount: 0 };
  },
});

/** Chats, latest first. */
export const listChats = operation({
  access: "staff",
  input: ListInput,
  async run({ db, input }) {
    const { rows, total } = await findChats(db, input);
    return new Listing(rows.map(chatView), total);
  },
});

/** How many messages of the latest chats nobody has read, for the menu's badge. */
export const unreadMessages = operation({
  access: "staff",
  input: Nothing,
  run: async ({ db }) => ({ messages: await countUnread(db) }),
});

/**
 * Deletes a chat for good: the room is emptied, its connections end.
 *
 * @throws AppError notFound
 */
export const deleteChat = operation({
  access: "staff",
  input: ChatInput,
  async run({ env, input }) {
    if (!(await env.CHAT_ROOM.getByName(input.id).remove())) throw noSuchChat();
    return { message: "Chat deleted successfully" };
  },
});

/** A line kept with a chat, beside what the shop has now; null where the product is gone. */
export interface ShownLine extends KeptLine {
  stockNow: number | null;
  priceCentsNow: number | null;
  /** As stored. */
  image: string | null;
}

/**
 * What was in the cart when the chat began, with live stock beside it (issue: Buying). The caller must have made sure
 * that the reader may read the chat.
 *
 * @returns no lines when the chat has none or is gone
 */
export async function chatCart(
  { env, db }: RequestContext,
  chatId: string,
): Promise<{ lines: ShownLine[]; totalCents: number }> {
  const kept = await env.CHAT_ROOM.getByName(chatId).lines();
  const ids = kept.map(({ productId }) => productId);
  const cards = new Map((kept.length ? await findCardsById(db, ids) : []).map((card) => [card.id, card]));
  const lines = kept.map((line) => {
    const card = cards.get(line.productId);
    return {
      ...line,
      stockNow: card?.stock ?? null,
      priceCentsNow: card?.priceCents ?? null,
      image: card?.image ?? null,
    };
  });
  return { lines, totalCents: kept.reduce((sum, line) => sum + line.priceCents * line.quantity, 0) };
}
