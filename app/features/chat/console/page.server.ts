import { listProducts } from "~/features/catalogue/operations.server";
import { readPushSettings } from "~/features/push/operations.server";
import { readConversationSales } from "~/features/sales/cards/conversation.server";
import { asAppError, operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import type { CardProduct } from "../message-links";
import {
  listAssignees,
  listConsoleChats,
  listResponses,
  markRead,
  productsOf,
  readCartNow,
  readChatVisitor,
  readMessages,
  readSettings,
} from "../operations.server";
import type { ChatView } from "../protocol";
import { asCardProducts, MAX_FOUND_PRODUCTS } from "./found-products";
import { type ConsoleParams, parseConsoleParams } from "./params";

/** Data of the console. */
export type ConsoleData = ResultOf<typeof readConsole>;

/** Reads the console at its URL; each part may fail by itself. Opening a chat marks it as read. */
export const readConsole = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { origin, searchParams } = new URL(input.url);
    const params = parseConsoleParams(searchParams);
    const [opened, attachable, list, responses, settings, staff, push] = await Promise.all([
      params.chat ? openChat(context, params.chat, params, origin) : NO_CHAT,
      findAttachable(context, params.attach),
      resultOrNull(listConsoleChats.execute(context, listInput(params))),
      resultOrNull(listResponses.execute(context, {})),
      resultOrNull(readSettings.execute(context, {})),
      resultOrNull(listAssignees.execute(context, {})),
      params.tab === "settings" ? resultOrNull(readPushSettings.execute(context, {})) : null,
    ]);
    const { history, cart, sales, products, visitor, isDeleted, failure } = opened;
    const readId = params.tab === "chats" ? history?.chat.id : undefined;
    const { now, settings: shop } = context;
    return {
      params,
      now,
      timezone: shop.timezone,
      pickup: shop.pickup,
      chats: list && { rows: list.rows.map((chat) => asRead(chat, readId)), hasMore: list.hasMore },
      history,
      cart,
      sales,
      products,
      visitor,
      attachable,
      origin,
      isDeleted,
      responses: responses?.rows ?? null,
      settings,
      push,
      staff: staff ?? [],
      userId: context.user.id,
      // Client id of the reply form without JavaScript: repeating its POST stores the message once.
      replyId: crypto.randomUUID(),
      failures: failuresOf({ list, responses, settings }, failure),
    };
  },
});

/** Picks what chooses the listed chats. */
const listInput = ({ limit, q, filter, report }: ConsoleParams) => ({
  limit,
  q,
  filter,
  report: report?.kind,
  ...report?.scope,
});

/** Lists the messages of the parts that could not be read. */
const failuresOf = (parts: Record<"list" | "responses" | "settings", unknown>, chatFailure: string) =>
  [
    parts.list ? "" : "Failed to fetch chats",
    chatFailure,
    parts.responses ? "" : "Failed to fetch predefined responses",
    parts.settings ? "" : "Failed to fetch chat settings",
  ].filter(Boolean);

const asRead = (chat: ChatView, readId: string | undefined): ChatView =>
  chat.id === readId ? { ...chat, unreadCount: 0 } : chat;

/** @param search of the page without JavaScript; null while the search is closed */
async function findAttachable(context: StaffContext, search: string | null) {
  if (search === null) return null;
  const input = { search, raw: "1", limit: MAX_FOUND_PRODUCTS };
  return asCardProducts((await resultOrNull(listProducts.execute(context, input)))?.rows ?? []);
}

/** Products of messages in the first view, which bounds the rows read; the browser reads older ones. */
const MAX_FIRST_CARDS = 10;

const NO_PRODUCTS: CardProduct[] = [];
const NO_CHAT = {
  history: null,
  cart: null,
  sales: null,
  products: NO_PRODUCTS,
  visitor: null,
  isDeleted: false,
  failure: "",
};

/** Reads the open chat; the other tabs keep it open without marking it as read. */
async function openChat(context: StaffContext, id: string, { tab, product }: ConsoleParams, origin: string) {
  const isVisible = tab === "chats";
  try {
    const history = await readMessages.execute(context, { id });
    const [isRead, cart, products, visitor] = await Promise.all([
      history.chat.unreadCount === 0 ||
        !isVisible ||
        resultOrNull(markRead.execute(context, { id, isAdmin: true })),
      resultOrNull(readCartNow(context, history.chat)),
      resultOrNull(productsOf(context, history.messages, origin, product, MAX_FIRST_CARDS)),
      resultOrNull(readChatVisitor.execute(context, { id })),
    ]);
    const sales = await resultOrNull(readConversationSales(context, history.chat, cart?.lines ?? []));
    return {
      history,
      cart,
      sales,
      products: products ?? NO_PRODUCTS,
      visitor,
      isDeleted: false,
      failure: isRead ? "" : "Failed to mark messages as read",
    };
  } catch (error) {
    const isDeleted = ["notFound", "invalid"].includes(asAppError(error).code);
    return { ...NO_CHAT, isDeleted, failure: isDeleted ? "" : "Failed to fetch chat messages" };
  }
}
