import { deleteAnonymousSubscriptions } from "~/features/push/queries.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ChatEntry, chatsCookie, visitCookie } from "~/session/cookies.server";
import { filterChatsOfUser } from "../queries.server";

/** Chat cookies of a browser (docs/decisions/0019-chats-on-shared-browsers.md). */

/** Adds a chat to the cookie, for the signed-in account or for the anonymous visitor. */
export async function rememberChat(context: RequestContext, chatId: string): Promise<void> {
  const userId = (await context.caller.user())?.id ?? null;
  const others = context.cookies.chats.filter((entry) => entry.id !== chatId || entry.userId !== userId);
  await setChats(context, [{ id: chatId, since: context.now, userId }, ...others]);
}

/** Records the chat that an anonymous visitor used last in the current visit. */
export async function rememberVisit(context: RequestContext, chatId: string): Promise<void> {
  if (context.cookies.visitChat === chatId || (await context.caller.user())) return;
  await setVisit(context, chatId);
}

/** Attaches the anonymous chat of the current visit to an account that signs in, and drops other accounts' chats. */
export async function attachVisitChat(context: RequestContext, userId: string): Promise<void> {
  const { cookies, env } = context;
  const visit = cookies.chats.find((entry) => entry.userId === null && entry.id === cookies.visitChat);
  const isAttached = visit !== undefined && (await attachChat(env, visit.id, userId));
  const attached = isAttached ? [{ ...visit, userId }] : [];
  const remaining = cookies.chats.filter(
    (entry) => (entry.userId === null && !(isAttached && entry === visit)) || entry.userId === userId,
  );
  if (isAttached || remaining.length < cookies.chats.length)
    await setChats(context, [...attached, ...remaining]);
  if (cookies.visitChat !== null) await setVisit(context, null);
}

/** @returns false when the room cannot be reached: signing in goes on, and the chat stays anonymous */
async function attachChat(env: Env, chatId: string, userId: string): Promise<boolean> {
  try {
    return await env.CHAT_ROOM.getByName(chatId).attach(userId);
  } catch (error) {
    console.warn("The visit's chat could not be attached:", error);
    return false;
  }
}

/**
 * Drops all accounts' chats from the cookie; those of the anonymous visitor stay.
 *
 * @param userId account whose session ends; the cookie may hold its chats from before the sign-in
 */
export async function dropAccountChats(context: RequestContext, userId: string | null): Promise<void> {
  const { cookies, db } = context;
  const anonymous = cookies.chats.filter((entry) => entry.userId === null);
  const ids = anonymous.map(({ id }) => id);
  const own = new Set(userId !== null && ids.length > 0 ? await filterChatsOfUser(db, userId, ids) : []);
  const remaining = anonymous.filter(({ id }) => !own.has(id));
  const dropped = cookies.chats.filter((entry) => !remaining.includes(entry)).map(({ id }) => id);
  if (dropped.length > 0) {
    await setChats(context, remaining);
    // Subscriptions from before the sign-in have no session to end with.
    await deleteAnonymousSubscriptions(db, dropped);
  }
  if (cookies.visitChat !== null && !remaining.some(({ id }) => id === cookies.visitChat))
    await setVisit(context, null);
}

async function setChats({ env, headers, secure }: RequestContext, entries: ChatEntry[]): Promise<void> {
  headers.append("Set-Cookie", await chatsCookie(entries, env.COOKIE_SECRET, secure));
}

async function setVisit({ env, headers, secure }: RequestContext, chatId: string | null): Promise<void> {
  headers.append("Set-Cookie", await visitCookie(chatId, env.COOKIE_SECRET, secure));
}
