import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import type { ChatEntry } from "~/session/cookies.server";
import type { CurrentUser } from "~/session/current-user";
import { findLatestChatOf, isChatOf } from "../queries.server";
import type { Seat } from "../rooms";

/**
 * On whose behalf the caller may read and write a chat: staff any; an anonymous visitor the chats that their signed
 * cookie names; a signed-in customer their own, and those that the cookie names for their account. A typed e-mail
 * address proves nothing.
 *
 * @returns null when they may not, whether or not the chat exists
 */
export async function seatIn(context: RequestContext, chatId: string): Promise<Seat | null> {
  const staff = await staffSeat(context);
  if (staff) return staff;
  const user = await context.caller.user();
  const isKnown = context.cookies.chats.some(isOf(user, chatId));
  if (!user) return isKnown ? { role: "visitor", userId: null, tokenHash: null } : null;
  if (!isKnown && !(await isChatOf(context.db, chatId, user.id))) return null;
  return { role: "visitor", userId: user.id, tokenHash: await context.caller.tokenHash() };
}

/** Tells the cookie's entries that count for who is signed in, or for nobody being so. */
const isOf = (user: CurrentUser | null, chatId?: string) => (entry: ChatEntry) =>
  entry.userId === (user?.id ?? null) && (chatId === undefined || entry.id === chatId);

/** The same, for staff alone. */
export async function staffSeat({ caller }: RequestContext): Promise<Seat | null> {
  const user = await caller.user();
  if (!user || !isStaff(user)) return null;
  return { role: "staff", userId: user.id, tokenHash: await caller.tokenHash() };
}

const isStaff = ({ isAdmin, isManager }: CurrentUser) => isAdmin || isManager;

/**
 * The caller's seat.
 *
 * @throws AppError forbidden (403), the same for chats that exist and chats that don't
 */
export async function requireSeat(context: RequestContext, chatId: string): Promise<Seat> {
  const seat = await seatIn(context, chatId);
  if (!seat) throw new AppError("forbidden", "You don't have permission to do this.");
  return seat;
}

/** What stands for a chat that was deleted, or never was, to someone who may ask. */
export const noSuchChat = () => new AppError("notFound", "Chat not found");

/**
 * The chat that this reader used last, for the widget to take up again: this browser's, else a signed-in customer's.
 * What the seller's people once tried out isn't a customer's: their chats are in the console.
 *
 * @returns null when they have none; it may have been deleted since
 */
export async function latestChatId({ cookies, caller, db }: RequestContext): Promise<string | null> {
  const user = await caller.user();
  const latest = cookies.chats.find(isOf(user));
  if (latest) return latest.id;
  return user && !isStaff(user) ? findLatestChatOf(db, user.id) : null;
}
