import { findFirstNames } from "~/features/accounts/queries.server";
import { chosenPicture } from "~/features/catalogue/options";
import { documentIn, openingIn } from "~/features/chat/document-question.server";
import { nextQuestion } from "~/features/chat/introduction";
import { type CardProduct, MAX_CARDS } from "~/features/chat/message-links";
import {
  chatIdentity,
  isContinued,
  isPageView,
  isVisit,
  latestChatId,
  visitorChats,
} from "~/features/chat/operations/access.server";
import { productsOf, readCardProducts } from "~/features/chat/operations/cards.server";
import { skippedQuestions } from "~/features/chat/operations/introduction.server";
import { openByLink, requireLink } from "~/features/chat/operations/mails.server";
import {
  type ChatCartLineNow,
  NO_MESSAGES,
  type OwnChat,
  ownChatView,
  readCartNow,
  readChatFor,
} from "~/features/chat/operations/messages.server";
import { readSettings } from "~/features/chat/operations/settings.server";
import { askParams, type ProductSelection, readOptions } from "~/features/chat/product-selection";
import type { ChatMessage, ChatView } from "~/features/chat/protocol";
import type { ChatRow } from "~/features/chat/queries.server";
import { quoteOf } from "~/features/chat/quotes";
import { lastRead } from "~/features/chat/read-marks";
import type { Answerer, ChatCartLine } from "~/features/chat/rooms";
import { staffLabel } from "~/features/chat/staff-label";
import { formatMessageTime } from "~/features/chat/time";
import { hasSaleCards } from "~/features/sales/cards/card-data";
import { readSaleCards } from "~/features/sales/cards/read-cards.server";
import { type ChatWaiting, waitingInChats } from "~/features/sales/waiting.server";
import { AppError } from "~/http/errors";
import { resultOrNull } from "~/http/page.server";
import { redirect } from "~/http/redirect.server";
import type { RequestContext } from "~/http/request-context.server";
import { outgoingHeaders } from "~/http/response-headers.server";
import { formatDate } from "~/ui/format";

/** Finds the reader's latest chat that still exists and that they may read. */
async function latestReadableChat(context: RequestContext): Promise<string | null> {
  const chatId = await latestChatId(context);
  if (!chatId) return null;
  try {
    await readChatFor(context, chatId, NO_MESSAGES);
    return chatId;
  } catch (error) {
    if (error instanceof AppError && ["notFound", "forbidden"].includes(error.code)) return null;
    throw error;
  }
}

/** Finds the chat in which the reader goes on to ask: the latest with a new answer, or open and of the last 30 days. */
export async function continuedChat(context: RequestContext): Promise<string | null> {
  for (const row of await visitorChats(context)) {
    const isWaiting = row.visitorUnread > 0;
    if (!isWaiting && !isContinued(row, context.now)) continue;
    // The row may be behind its room.
    const room = await resultOrNull(readChatFor(context, row.id, NO_MESSAGES));
    if (room && (isWaiting || room.chat.state === "open")) return row.id;
  }
  return null;
}

/** Cart at the start of a chat, as its visitor sees it. */
export interface CartSnapshot {
  /** `image` is the current one; `isListed` is false for a deleted product. */
  lines: (ChatCartLine &
    Pick<ChatCartLineNow, "image" | "plate" | "swatch" | "path"> & { isListed: boolean })[];
}

/**
 * Reads a chat's page. A mailed link (`?key=`) opens the chat in this browser and redirects to the plain URL, after a
 * confirmation if it would replace the reader's current chat.
 *
 * @returns null without access, whether or not the chat exists
 * @throws Response 303 for a link (403 for a prefetch or an embedding), and to a new chat for a deleted one
 */
export async function chatPage(context: RequestContext, request: Request, chatId: string) {
  const key = new URL(request.url).searchParams.get("key");
  if (key !== null) {
    if (await needsConfirmation(context, request, chatId, key)) return { link: { chatId, linkKey: key } };
    throw await followLink(context, request, chatId, key);
  }
  const opened = await readChatOrRedirect(context, chatId);
  if (!opened) return null;
  const { id, userName, userEmail, state } = opened.chat;
  if (opened.role === "visitor" && isPageView(context.request))
    await resultOrNull(context.env.CHAT_ROOM.getByName(id).markRead("visitor", undefined, true));
  const { timezone } = context.settings;
  const read = lastRead(opened.messages, "visitor", opened.reads);
  const messages = opened.messages.map((message) => ({
    ...message,
    time: formatMessageTime(message.timestamp.seconds, timezone),
    state: message.id === read?.id ? `seen ${formatMessageTime(read.seconds, timezone)}` : undefined,
  }));
  const { origin, searchParams } = new URL(request.url);
  const askedId = searchParams.get("product");
  const [cart, sales, products, answerer] = await Promise.all([
    cartSnapshot(context, opened.chat),
    hasSaleCards(messages) ? resultOrNull(readSaleCards.execute(context, { chatId: id })) : null,
    resultOrNull(productsOf(context, messages, origin, askedId)),
    readSettings.execute(context, {}),
  ]);
  const asked = products?.find((product) => product.id === askedId) ?? null;
  return {
    chat: { id, userName, userEmail, state },
    question: opened.role === "visitor" ? nextQuestion(opened.chat, skippedQuestions(context)) : null,
    messages,
    cart,
    sales,
    products: products ?? [],
    asked,
    ...questionIn(searchParams),
    replyTo: replyIn(searchParams, messages),
    ...{ origin, answerer },
  };
}

/** Finds the message to which the next one replies. */
function replyIn(params: URLSearchParams, messages: ChatMessage[]) {
  const message = messages.find(({ id }) => id === params.get("reply"));
  return message && quoteOf(message);
}

/**
 * Detects a valid link from outside the shop that would replace the reader's current chat: another site could lead them
 * to write into a chat of its own.
 */
async function needsConfirmation(context: RequestContext, request: Request, chatId: string, key: string) {
  if (request.method !== "GET" || !isVisit(request)) return false;
  if (request.headers.get("Sec-Fetch-Site") === "same-origin" || (await chatIdentity(context, chatId)))
    return false;
  const isValid = await requireLink(context, chatId, key).then(
    () => true,
    () => false,
  );
  return isValid && (await latestReadableChat(context)) !== null;
}

/** Opens the link's chat and redirects to it; an expired link redirects to a notice unless the reader has access. */
async function followLink(
  context: RequestContext,
  request: Request,
  chatId: string,
  key: string,
): Promise<Response> {
  let page = `/chat/${encodeURIComponent(chatId)}`;
  if (request.method === "HEAD") return redirect(page, 303);
  if (!isVisit(request)) return new Response(null, { status: 403 });
  try {
    await openByLink.execute(context, { chatId, key });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "forbidden")) throw error;
    if (!(await chatIdentity(context, chatId))) page = "/chat?expired";
  }
  return redirect(page, { status: 303, headers: await outgoingHeaders(context) });
}

/** Notices on the start page after a redirect. */
const NOTICES = {
  ended: "That chat has ended. You can start a new one.",
  expired: "This link has expired. Please start a new chat.",
};

/**
 * Reads the page /chat.
 *
 * @returns the notice above the start form, and the reader's conversations
 * @throws Response redirect to the chat that is continued, for a question (`?ask`, `?product`)
 */
export async function startPage(context: RequestContext, request: Request): Promise<StartPageData> {
  const params = new URL(request.url).searchParams;
  const notice = params.has("ended") ? NOTICES.ended : params.has("expired") ? NOTICES.expired : null;
  const isAsking = params.has("ask") || params.has("product");
  if (isAsking) {
    const chatId = await continuedChat(context);
    const about = new URLSearchParams(
      params.has("product") ? askParams(params.get("product") ?? "", optionsIn(params)) : documentIn(params),
    );
    if (chatId) throw redirect(`/chat/${chatId}${about.size > 0 ? `?${about}` : ""}`);
  }
  const { origin } = new URL(request.url);
  const reading = readSettings.execute(context, {});
  const [{ listed: chats, hasOlder }, settings, products] = await Promise.all([
    listedChats(context, params.has("all"), reading),
    reading,
    resultOrNull(productsOf(context, [], origin, params.get("product"))),
  ]);
  const { isOnline, replySeconds, back, hours, welcomeMessage: greeting } = settings;
  const isNew = params.has("new");
  const isList = notice === null && !isAsking && !isNew && chats.length > 0;
  return {
    note: notice,
    isNew,
    greeting,
    isList,
    chats,
    hasOlder,
    answerer: { isOnline, replySeconds, back, hours },
    asked: products?.[0] ?? null,
    ...questionIn(params),
  };
}

/** Reads the options with which a product is asked about. */
const optionsIn = (params: URLSearchParams): ProductSelection => readOptions((name) => params.get(name));

/** Reads the options and the first words of a question. */
const questionIn = (params: URLSearchParams) => ({ options: optionsIn(params), opening: openingIn(params) });

/** Conversation in the list on /chat; `at` in epoch seconds, `time` in the shop's time zone. */
export interface ListedChat extends Pick<OwnChat, "id" | "lastMessage" | "unreadCount" | "state"> {
  /** Writer of the last message as the visitor reads it; "" for the shop by itself. */
  writer: string;
  time: string;
  at: number;
  /** Day on which it began, in words. */
  begun: string;
  /** First product asked for or about, after which it is named; null for none and a deleted one. */
  product: Pick<CardProduct, "name" | "image"> | null;
  /** Number of further products. */
  more: number;
  /** Open quote, active hold. */
  waiting: ChatWaiting[];
}

/** Conversations of the list at first; all that it can have are the latest MAX_VISITOR_CHATS. */
const FIRST_CHATS = 10;

type SettingsRead = ReturnType<typeof readSettings.execute>;

/** Lists the reader's conversations with their products. @param isWhole all of them, instead of the latest */
async function listedChats(context: RequestContext, isWhole: boolean, reading: SettingsRead) {
  const found = await visitorChats(context, isWhole ? undefined : FIRST_CHATS + 1);
  const rows = isWhole ? found : found.slice(0, FIRST_CHATS);
  const subjectIdOf = ({ subjectId, productId }: (typeof rows)[number]) => subjectId ?? productId ?? "";
  const ids = [...new Set(rows.map(subjectIdOf))].filter(Boolean).slice(0, MAX_CARDS);
  const [read, writers, waiting] = await Promise.all([
    resultOrNull(readCardProducts.execute(context, { ids: ids.join() })),
    lastWriters(context, rows, reading),
    resultOrNull(
      waitingInChats(
        context,
        rows.map(({ id }) => id),
      ),
    ),
  ]);
  const byId = new Map(read?.products.map((product) => [product.id, product]));
  const listed = rows.map((row, i) => {
    const { lastMessageAt, lastSender: __, productId: _, ...chat } = ownChatView(row);
    const product = byId.get(subjectIdOf(row));
    return {
      ...chat,
      writer: writers[i] ?? "",
      time: formatMessageTime(lastMessageAt.seconds, context.settings.timezone),
      at: lastMessageAt.seconds,
      begun: formatDate(row.createdAt, context.settings.timezone),
      product: product ? { name: product.name, image: pictureOf(product, row.subjectColor) } : null,
      more: Math.max(0, row.subjectCount - 1),
      waiting: waiting?.get(row.id) ?? [],
    };
  });
  return { listed, hasOlder: found.length > rows.length };
}

/** Names the writers of the last messages as the visitor reads them; "" for the shop by itself. */
async function lastWriters({ db }: RequestContext, rows: ChatRow[], reading: SettingsRead) {
  const ids = rows.flatMap(({ lastStaffId }) => lastStaffId ?? []);
  const [settings, names] = await Promise.all([reading, findFirstNames(db, ids)]);
  return rows.map(({ lastSender, lastStaffId }) => {
    const staff = staffLabel(settings, names.get(lastStaffId ?? ""));
    return { visitor: "You", staff, auto: "" }[lastSender];
  });
}

/** Returns the picture of a product in a color. */
const pictureOf = ({ image, choices }: CardProduct, color: string | null) =>
  chosenPicture(image, choices, { color }).image;

export interface StartPageData {
  note: string | null;
  /** The reader asked for a new chat. */
  isNew: boolean;
  /** Welcome message of the shop; "" for none. */
  greeting: string;
  /** The reader asked for their conversations and has some. */
  isList: boolean;
  /** The latest. */
  chats: ListedChat[];
  hasOlder: boolean;
  /** Availability, and how soon the shop answers. */
  answerer: Pick<Answerer, "replySeconds" | "back" | "hours"> & { isOnline: boolean };
  /** Product that the reader asks about (`?product=`). */
  asked: CardProduct | null;
  options: ProductSelection;
  /** First words of the message; "" for none. */
  opening: string;
}

async function readChatOrRedirect(context: RequestContext, chatId: string) {
  try {
    return await readChatFor(context, chatId);
  } catch (error) {
    if (error instanceof AppError && error.code === "notFound") throw redirect("/chat?ended", 303);
    if (error instanceof AppError && error.code === "forbidden") return null;
    throw error;
  }
}

/**
 * Reads the cart at the start of a chat.
 *
 * @throws AppError notFound, forbidden
 */
export async function readChatCart(context: RequestContext, chatId: string): Promise<CartSnapshot | null> {
  const { chat } = await readChatFor(context, chatId, NO_MESSAGES);
  return cartSnapshot(context, chat);
}

/** Reads the cart of a chat; null without one, and on failure: the chat is readable without it. */
async function cartSnapshot(context: RequestContext, chat: ChatView): Promise<CartSnapshot | null> {
  const cart = await resultOrNull(readCartNow(context, chat));
  if (!cart?.lines.length) return null;
  const lines = cart.lines.map(({ stockNow, onHandNow: _, lowStock: ___, priceCentsNow: __, ...line }) => ({
    ...line,
    isListed: stockNow !== null,
  }));
  return { lines };
}
