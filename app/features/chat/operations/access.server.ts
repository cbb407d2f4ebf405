import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { type CurrentUser, isStaff } from "~/session/caller.server";
import type { ChatEntry } from "~/session/cookies.server";
import { SUPPORT_TEAM } from "../limits";
import { findVisitorChats } from "../list.queries.server";
import { type ChatRow, findLatestChatOfUser, isChatOfUser } from "../queries.server";
import type { ConnectionIdentity } from "../rooms";

/**
 * Determines the identity under which the caller may read and write a chat. Staff may access any chat; an anonymous
 * visitor those in their signed cookie; a customer their own, and those in the cookie for their account.
 *
 * @returns null without access, whether or not the chat exists
 */
export async function chatIdentity(
  context: RequestContext,
  chatId: string,
): Promise<ConnectionIdentity | null> {
  const staff = await staffIdentity(context);
  if (staff) return staff;
  const user = await context.caller.user();
  const isKnown = context.cookies.chats.some(belongsTo(user, chatId));
  if (!user) return isKnown ? { role: "visitor", userId: null, tokenHash: null } : null;
  if (!isKnown && !(await isChatOfUser(context.db, chatId, user.id))) return null;
  return { role: "visitor", userId: user.id, tokenHash: await context.caller.tokenHash() };
}

/** Returns the id of the latest chat of this browser; null without one. */
export async function latestBrowserChat({ cookies, caller }: RequestContext): Promise<string | null> {
  return cookies.chats.find(belongsTo(await caller.user()))?.id ?? null;
}

/** Matches cookie entries of the signed-in user, or of an anonymous visitor. */
const belongsTo = (user: CurrentUser | null, chatId?: string) => (entry: ChatEntry) =>
  entry.userId === (user?.id ?? null) && (chatId === undefined || entry.id === chatId);

/** Returns a staff member's identity, null for everybody else. */
export async function staffIdentity({ caller }: RequestContext): Promise<ConnectionIdentity | null> {
  const user = await caller.user();
  if (!user || !isStaff(user)) return null;
  return {
    role: "staff",
    userId: user.id,
    tokenHash: await caller.tokenHash(),
    staffName: staffNameOf(user),
  };
}

/** Returns the name by which colleagues see a member of staff. */
export const staffNameOf = ({ firstName }: Pick<CurrentUser, "firstName">) => firstName || SUPPORT_TEAM;

/** @throws AppError forbidden (403), whether or not the chat exists */
export async function requireChatIdentity(
  context: RequestContext,
  chatId: string,
): Promise<ConnectionIdentity> {
  const identity = await chatIdentity(context, chatId);
  if (!identity) throw new AppError("forbidden", "You don't have permission to do this.");
  return identity;
}

export const chatNotFound = () => new AppError("notFound", "Chat not found");

/**
 * Finds the reader's latest chat: this browser's, else the customer's. Staff have none, since chats that they start to
 * try the widget are not theirs to continue.
 *
 * @returns null without one; a deleted chat may be returned
 */
export async function latestChatId({ cookies, caller, db }: RequestContext): Promise<string | null> {
  const user = await caller.user();
  const latest = cookies.chats.find(belongsTo(user));
  if (latest) return latest.id;
  return user && !isStaff(user) ? findLatestChatOfUser(db, user.id) : null;
}

/**
 * Finds the reader's chats, latest first: this browser's, and the customer's. Staff have only this browser's.
 *
 * @returns rows of the list in D1, which may be behind the rooms
 */
export async function visitorChats({ cookies, caller, db }: RequestContext): Promise<ChatRow[]> {
  const user = await caller.user();
  const ids = cookies.chats.filter(belongsTo(user)).map(({ id }) => id);
  const userId = user && !isStaff(user) ? user.id : null;
  return ids.length === 0 && userId === null ? [] : findVisitorChats(db, ids, userId);
}

/**
 * Closes the live connections that a user has lost the right to, after a change of session, role or account was
 * stored. A failure is logged only: rooms check the sessions themselves while messages are sent.
 */
export async function endLiveConnections(
  { env }: Pick<RequestContext, "env">,
  userId: string | null | undefined,
): Promise<void> {
  if (!userId) return;
  await env.ADMIN_ROOM.getByName("admin")
    .sessionEnded(userId)
    .catch((error: unknown) => console.warn("Live connections could not be closed:", error));
}
