import { SHOP_LOW_STOCK } from "~/domain/stock-levels";
import { choiceText } from "~/domain/unit-name";
import { type ChosenPicture, chosenPicture } from "~/features/catalogue/options";
import type { PicturePlate } from "~/features/catalogue/plates";
import { offeredOptions, soldUnit } from "~/features/catalogue/product-views.server";
import { findStaffProducts, type StaffProduct } from "~/features/catalogue/queries.server";
import { swatchOf } from "~/features/catalogue/swatches";
import { choiceUrl } from "~/features/catalogue/unit-choice";
import { MessageAnswer } from "~/http/answers";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { ChatHistory, OwnChats, Unread } from "../answers";
import { findFilterCounts, findUnreadChats } from "../list.queries.server";
import type { ChatView } from "../protocol";
import { ChatMessage } from "../protocol";
import type { ChatRow } from "../queries.server";
import type { ChatCartLine, History } from "../rooms";
import { ChatInput, EmptyInput, MessageFormFields, MessageInput, MessagesInput, ReadInput } from "../schema";
import { timestampMs } from "../time";
import {
  chatIdentity,
  chatNotFound,
  isPageView,
  rememberVisit,
  requireChatIdentity,
  visitorAnswers,
  visitorChats,
} from "./access.server";
import { productOf, withProductLine } from "./cards.server";
import { maxUploadBytes } from "./files.server";
import { type NewMessage, postAs } from "./post.server";

/**
 * Posts a message to a chat, with files or without.
 *
 * @throws AppError forbidden without access, for a visitor's isFromAdmin and for a card that only the shop adds; notFound,
 *   also for a product that never was; rateLimited; conflict for a used id with other content; tooLarge, invalid for a file
 */
export const postMessage = operation({
  route: "POST chat/message",
  summary: "Send a message",
  answer: ChatMessage,
  errors: [401, 403, 404, 409],
  access: "anyone",
  input: MessageInput,
  form: MessageFormFields,
  status: 201,
  accepts: "either",
  maxUploadBytes,
  limits: ({ env, address, input, user }) =>
    input.files.length > 0 && !isStaff(user) ? [{ limiter: env.LIMIT_CHAT_FILES_ADDRESS, key: address }] : [],
  run: ({ input, ...context }) => post(context, input),
});

/** Posts a message from the console. */
export const postReply = operation({
  access: "staff",
  input: MessageInput,
  status: 201,
  accepts: "either",
  maxUploadBytes,
  run: ({ input, ...context }) => post(context, input),
});

async function post(context: RequestContext, input: NewMessage): Promise<ChatMessage> {
  const identity = await requireChatIdentity(context, input.chatId);
  const isFromAdmin = identity.role === "staff";
  if (input.isFromAdmin && !isFromAdmin)
    throw new AppError("forbidden", "Only the seller writes as the seller.");
  const { message: text = "", card } = input;
  if (card && card.type !== "product") throw new AppError("forbidden", "Only the shop adds such a card.");
  // Staff show the product alone.
  const sent = card && isFromAdmin ? { type: card.type, productId: card.productId } : card;
  const asked = productOf(context, sent).then(({ line, ...product }) => ({
    ...product,
    message: withProductLine("message", text, input.about && line),
  }));
  const message = await postAs(context, identity, input, asked);
  await rememberVisit(context, input.chatId);
  return message;
}

/** Reads a chat and its latest messages in order, with `after` those that follow that seq; 4 MB of them at most. */
export const readMessages = operation({
  route: "GET chat/:id/messages",
  summary: "Read a chat with its messages",
  answer: ChatHistory,
  errors: [401, 403],
  access: "anyone",
  input: MessagesInput,
  async run({ input, ...context }): Promise<History> {
    const { role: _, ...history } = await readChatFor(context, input.id, input.after);
    return history;
  },
});

/** Value of `after` that reads a chat without its messages. */
export const NO_MESSAGES = Number.MAX_SAFE_INTEGER;

/**
 * Reads a chat and its messages in order, as many as one answer takes.
 *
 * @param after seq that the messages follow; null reads the latest
 * @returns also the reader's role
 * @throws AppError forbidden, notFound
 */
export async function readChatFor(
  context: RequestContext,
  chatId: string,
  after: number | null = null,
): Promise<History & { role: "staff" | "visitor" }> {
  const { role } = await requireChatIdentity(context, chatId);
  const room = context.env.CHAT_ROOM.getByName(chatId);
  const history = await room.history(after, role, isPageView(context.request));
  if (!history) throw chatNotFound();
  return { ...history, role };
}

/**
 * Marks the messages of a chat up to `seq`, or all, as read by staff or by its visitor.
 *
 * @returns the reader's unread messages
 * @throws AppError unauthenticated, forbidden without access and for a visitor's isAdmin, invalid, notFound
 */
export const markRead = operation({
  route: "PATCH chat/:id/read",
  summary: "Mark messages as read",
  answer: Unread,
  errors: [401, 403],
  access: "anyone",
  input: ReadInput,
  async run({ input: { id, isAdmin, seq }, ...context }) {
    const identity = await chatIdentity(context, id);
    const isKnown = context.cookies.chats.length > 0 || (await context.caller.user()) !== null;
    if (!identity && !isKnown) throw new AppError("unauthenticated", "Please sign in.");
    const { role } = identity ?? (await requireChatIdentity(context, id));
    if (role === "visitor" && isAdmin)
      throw new AppError("forbidden", "Only the seller reads as the seller.");
    if (role === "staff" && !isAdmin) throw new AppError("invalid", "isAdmin: Must be true");
    const unreadCount = await context.env.CHAT_ROOM.getByName(id).markRead(role, seq);
    if (unreadCount === null) throw chatNotFound();
    return { unreadCount };
  },
});

/** A conversation in its visitor's own list. */
export interface OwnChat extends Pick<ChatRow, "id" | "lastMessage" | "lastSender" | "state" | "productId"> {
  lastMessageAt: ChatView["lastMessageTime"];
  unreadCount: number;
}

/** Lists the conversations of the caller's browser and account, latest first. */
export const listOwnChats = operation({
  route: "GET chat/mine",
  summary: "List the caller's conversations",
  answer: OwnChats,
  access: "anyone",
  input: EmptyInput,
  run: async ({ input: _, ...context }): Promise<OwnChat[]> => (await visitorChats(context)).map(ownChatView),
});

export const ownChatView = (row: ChatRow): OwnChat => ({
  id: row.id,
  lastMessage: row.lastMessage,
  lastSender: row.lastSender,
  lastMessageAt: timestampMs(row.lastMessageAt),
  unreadCount: row.visitorUnread,
  state: row.state,
  productId: row.productId,
});

/**
 * Counts the unread answers in the caller's conversations. A caller without an account and a chat's cookie costs nothing.
 *
 * @param openChatId chat that the page shows and that does not count
 */
export async function countAnswers(context: RequestContext, openChatId: string | null) {
  const { hasChats, unread } = await visitorAnswers(context);
  const counted = unread.filter(({ id }) => id !== openChatId);
  return {
    hasChats: hasChats || openChatId !== null,
    unread: counted.reduce((sum, { visitorUnread }) => sum + visitorUnread, 0),
  };
}

/**
 * Counts the unread messages of the latest chats, in total and of each chat that has any, and the chats of each filter.
 * `isMore` says that more chats have unread messages.
 */
export const unreadMessages = operation({
  access: "staff",
  input: EmptyInput,
  async run({ db, user }) {
    const [{ chats, isMore }, filters] = await Promise.all([
      findUnreadChats(db),
      findFilterCounts(db, user.id),
    ]);
    return {
      messages: chats.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
      chats: Object.fromEntries(chats.map(({ id, unreadCount }) => [id, unreadCount])),
      isMore,
      filters,
    };
  },
});

/**
 * Deletes a chat with its messages and closes its connections.
 *
 * @throws AppError notFound
 */
export const deleteChat = operation({
  route: "DELETE chat/:id",
  summary: "Delete a chat",
  answer: MessageAnswer,
  access: "staff",
  forbidsVisitors: true,
  input: ChatInput,
  async run({ env, db, input }) {
    if (!(await env.CHAT_ROOM.getByName(input.id).remove(db.author))) throw chatNotFound();
    return { message: "Chat deleted successfully" };
  },
});

/** Line of the cart at the start of a chat, with the current price and stock (`onHandNow` with what is on hold, and `lowStock`, for staff). */
export interface ChatCartLineNow extends ChatCartLine {
  /** Address of the product with the choice. */
  path: string;
  stockNow: number | null;
  onHandNow: number | null;
  lowStock: number;
  priceCentsNow: number | null;
  /** Picture of the chosen colour, with the place of the words on it. */
  image: string | null;
  plate?: PicturePlate;
  /** CSS background of the chosen colour. */
  swatch: string | null;
}

const NO_PICTURE: ChosenPicture = { image: null };

/** Reads the cart at the start of a chat as it was, for a reader with access; no lines without one. */
export const readStoredCart = ({ env }: Pick<RequestContext, "env">, chatId: string) =>
  env.CHAT_ROOM.getByName(chatId).lines();

/**
 * Reads the cart at the start of a chat with the current prices and stock.
 *
 * @param chat as `readChatFor` returned it to a reader with access
 * @returns no lines when the chat has no cart
 */
export async function readCartNow(
  context: RequestContext,
  chat: ChatView,
): Promise<{ lines: ChatCartLineNow[] }> {
  return cartNow(context, await readStoredCart(context, chat.id));
}

/** Adds the current prices and stock to the lines of a cart. */
export async function cartNow(
  { db }: Pick<RequestContext, "db">,
  stored: ChatCartLine[],
): Promise<{ lines: ChatCartLineNow[] }> {
  const ids = stored.map(({ productId }) => productId);
  const cards = new Map(
    (stored.length ? await findStaffProducts(db, ids) : []).map((card) => [card.id, card]),
  );
  return { lines: stored.map((line) => lineNow(line, cards.get(line.productId))) };
}

/** Adds to a line what its product has now; a choice that has another name since is still that of its unit. */
function lineNow(stored: ChatCartLine, card: StaffProduct | undefined): ChatCartLineNow {
  const values = card?.units.find(({ id }) => id === stored.unitId)?.values ?? [];
  const line = values.length > 0 ? { ...stored, color: choiceText(values) } : stored;
  const now = card && (soldUnit(card, line.color ?? null) ?? card);
  const { image, plate } = card ? chosenPicture(card.image, offeredOptions(card), line) : NO_PICTURE;
  return {
    ...line,
    path: choiceUrl(line.productId, card?.options ?? [], values),
    stockNow: now?.stock ?? null,
    onHandNow: now?.onHand ?? null,
    lowStock: card?.lowStock ?? SHOP_LOW_STOCK,
    priceCentsNow: now?.priceCents ?? null,
    image,
    ...(plate && { plate }),
    swatch: swatchOf(line.color),
  };
}
