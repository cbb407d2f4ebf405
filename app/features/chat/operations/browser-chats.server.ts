import type { RequestContext } from "~/http/request-context.server";
import { type ChatEntry, chatsCookie, visitCookie } from "~/session/cookies.server";
import { findChatsOf } from "../queries.server";

/** The chats that a browser may open (docs/decisions/0019-chats-on-shared-browsers.md). */

/** Lets this browser into a chat from now on, for as long as the same account is signed in, or none. */
export async function rememberChat(context: RequestContext, chatId: string): Promise<void> {
  const userId = (await context.caller.user())?.id ?? null;
  const others = context.cookies.chats.filter((entry) => entry.id !== chatId || entry.userId !== userId);
  await setChats(context, [{ id: chatId, since: context.now, userId }, ...others]);
}

/** Notes that an anonymous visitor has written to a chat: it is the current visit's. */
export async function noteVisit(context: RequestContext, chatId: string): Promise<void> {
  if (context.cookies.visitChat === chatId || (await context.caller.user())) return;
  await setVisit(context, chatId);
}

/**
 * Hands a browser over to the account that has just signed in: the anonymous chat of the current visit becomes its own,
 * and what another account has left is dropped.
 */
export async function attachVisitChat(context: RequestContext, userId: string): Promise<void> {
  const { cookies, env } = context;
  const visit = cookies.chats.find((entry) => entry.userId === null && entry.id === cookies.visitChat);
  const isAttached = visit !== undefined && (await isTaken(env, visit.id, userId));
  const attached = isAttached ? [{ ...visit, userId }] : [];
  const kept = cookies.chats.filter(
    (entry) => (entry.userId === null && !(isAttached && entry === visit)) || entry.userId === userId,
  );
  if (isAttached || kept.length < cookies.chats.length) await setChats(context, [...attached, ...kept]);
  if (cookies.visitChat !== null) await setVisit(context, null);
}

/** Signing in doesn't wait for a chat that can't be reached: it stays the anonymous visitor's. */
async function isTaken(env: Env, chatId: string, userId: string): Promise<boolean> {
  try {
    return await env.CHAT_ROOM.getByName(chatId).attach(userId);
  } catch (error) {
    console.warn("The visit's chat could not be attached:", error);
    return false;
  }
}

/**
 * Drops every account's chats from this browser; an anonymous visitor's own stay.
 *
 * @param userId whose session ends; chats of theirs may stand in the cookie since before they signed in
 */
export async function dropAccountChats(context: RequestContext, userId: string | null): Promise<void> {
  const { cookies, db } = context;
  const anonymous = cookies.chats.filter((entry) => entry.userId === null);
  const ids = anonymous.map(({ id }) => id);
  const own = new Set(userId !== null && ids.length > 0 ? await findChatsOf(db, userId, ids) : []);
  const kept = anonymous.filter(({ id }) => !own.has(id));
  if (kept.length < cookies.chats.length) await setChats(context, kept);
  if (cookies.visitChat !== null && !kept.some(({ id }) => id === cookies.visitChat))
    await setVisit(context, null);
}

async function setChats({ env, headers, secure }: RequestContext, entries: ChatEntry[]): Promise<void> {
  headers.append("Set-Cookie", await chatsCookie(entries, env.COOKIE_SECRET, secure));
}

async function setVisit({ env, headers, secure }: RequestContext, chatId: string | null): Promise<void> {
  headers.append("Set-Cookie", await visitCookie(chatId, env.COOKIE_SECRET, secure));
}
