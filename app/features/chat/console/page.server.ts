import { asAppError } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import {
  chatCart,
  listChats,
  listResponses,
  markRead,
  readMessages,
  readSettings,
} from "../operations.server";
import { readPlace } from "./place";

/** What the console shows. */
export type ConsolePage = Awaited<ReturnType<typeof consolePage>>;

/**
 * Reads what the console shows at an address; its parts fail apart from each other. Opening a chat marks it as read.
 * The caller must have made sure that a member of staff asks.
 */
export async function consolePage(context: RequestContext) {
  const place = readPlace(new URL(context.request.url).searchParams);
  const [opened, list, responses, settings, cart] = await Promise.all([
    place.chat ? openChat(context, place.chat) : NOT_OPENED,
    resultOrNull(listChats.execute(context, { limit: place.shown })),
    resultOrNull(listResponses.execute(context, {})),
    resultOrNull(readSettings.execute(context, {})),
    place.chat ? resultOrNull(chatCart(context, place.chat)) : null,
  ]);
  const failures = [
    list ? "" : "Failed to fetch chats",
    opened.failure,
    responses ? "" : "Failed to fetch predefined responses",
    settings ? "" : "Failed to fetch chat settings",
  ].filter((failure) => failure !== "");
  const { history, isGone } = opened;
  const chats = list && {
    rows: list.rows.map((chat) => (chat.id === history?.chat.id ? { ...chat, unreadCount: 0 } : chat)),
    total: list.total,
  };
  const { now, settings: shop } = context;
  return {
    place,
    now,
    timezone: shop.timezone,
    chats,
    history,
    isGone,
    cart,
    responses: responses?.rows ?? null,
    settings,
    failures,
  };
}

const NOT_OPENED = { history: null, isGone: false, failure: "" };

async function openChat(context: RequestContext, id: string) {
  try {
    const history = await readMessages.execute(context, { id });
    const isRead =
      history.chat.unreadCount === 0 ||
      (await resultOrNull(markRead.execute(context, { id, isAdmin: true })));
    return { history, isGone: false, failure: isRead ? "" : "Failed to mark messages as read" };
  } catch (error) {
    const isGone = ["notFound", "invalid"].includes(asAppError(error).code);
    return { history: null, isGone, failure: isGone ? "" : "Failed to fetch chat messages" };
  }
}
