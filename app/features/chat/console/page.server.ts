import { readPushSettings } from "~/features/push/operations.server";
import { asAppError, operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import {
  listAssignees,
  listConsoleChats,
  listResponses,
  markRead,
  readCartNow,
  readMessages,
  readSettings,
} from "../operations.server";
import type { ChatView } from "../protocol";
import { parseConsoleParams } from "./params";

/** Data of the console. */
export type ConsoleData = ResultOf<typeof readConsole>;

/** Reads the console at its URL; each part may fail by itself. Opening a chat marks it as read. */
export const readConsole = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const params = parseConsoleParams(new URL(input.url).searchParams);
    const { limit, q, filter } = params;
    const [opened, list, responses, settings, staff, push] = await Promise.all([
      params.chat ? openChat(context, params.chat, params.tab === "chats") : NO_CHAT,
      resultOrNull(listConsoleChats.execute(context, { limit, q, filter })),
      resultOrNull(listResponses.execute(context, {})),
      resultOrNull(readSettings.execute(context, {})),
      resultOrNull(listAssignees.execute(context, {})),
      params.tab === "settings" ? resultOrNull(readPushSettings.execute(context, {})) : null,
    ]);
    const { history, cart, isDeleted, failure } = opened;
    const failures = [
      list ? "" : "Failed to fetch chats",
      failure,
      responses ? "" : "Failed to fetch predefined responses",
      settings ? "" : "Failed to fetch chat settings",
    ].filter(Boolean);
    const readId = params.tab === "chats" ? history?.chat.id : undefined;
    const { now, settings: shop } = context;
    return {
      params,
      now,
      timezone: shop.timezone,
      chats: list && { rows: list.rows.map((chat) => asRead(chat, readId)), hasMore: list.hasMore },
      history,
      cart,
      isDeleted,
      responses: responses?.rows ?? null,
      settings,
      push,
      staff: staff ?? [],
      userId: context.user.id,
      // Client id of the reply form without JavaScript: repeating its POST stores the message once.
      replyId: crypto.randomUUID(),
      failures,
    };
  },
});

const asRead = (chat: ChatView, readId: string | undefined): ChatView =>
  chat.id === readId ? { ...chat, unreadCount: 0 } : chat;

const NO_CHAT = { history: null, cart: null, isDeleted: false, failure: "" };

/** @param isVisible false on the other tabs, which keep the chat open without reading it */
async function openChat(context: StaffContext, id: string, isVisible: boolean) {
  try {
    const history = await readMessages.execute(context, { id });
    const [isRead, cart] = await Promise.all([
      history.chat.unreadCount === 0 ||
        !isVisible ||
        resultOrNull(markRead.execute(context, { id, isAdmin: true })),
      resultOrNull(readCartNow(context, history.chat)),
    ]);
    return { history, cart, isDeleted: false, failure: isRead ? "" : "Failed to mark messages as read" };
  } catch (error) {
    const isDeleted = ["notFound", "invalid"].includes(asAppError(error).code);
    return { ...NO_CHAT, isDeleted, failure: isDeleted ? "" : "Failed to fetch chat messages" };
  }
}
