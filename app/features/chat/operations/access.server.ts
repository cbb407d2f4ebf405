import { openDb, runBatch, type Statement } from "~/db/client.server";
import { deleteAnonymousSubscriptions } from "~/features/push/queries.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { type CurrentUser, isStaff } from "~/session/caller.server";
import { type ChatEntry, chatsCookies, type ListChange, visitCookies } from "~/session/cookies.server";
import { MAX_FILES_A_DAY } from "../files";
import { CONTINUED_SECONDS, SUPPORT_TEAM } from "../limits";
import {
  findAnswers,
  findAttachedAccount,
  findUnlistedChats,
  findVisitorChats,
  MAX_VISITOR_CHATS,
} from "../list.queries.server";
import { type ChatRow, chatsOfUser, findLatestChatOfUser, isChatOfUser } from "../queries.server";
import type { ConnectionIdentity, LimitReached } from "../rooms";
import { visitorName } from "../visitor-name.server";

/** Detects a request of a browser that expects a visit. */
const isPrefetch = (headers: Headers): boolean =>
  // Firefox: "X-moz: prefetch"
  headers.has("Sec-Purpose") || headers.has("Purpose") || headers.has("X-Moz");

const destination = (headers: Headers): string => headers.get("Sec-Fetch-Dest") ?? "document";

/** Detects a navigation by a person, as opposed to a prefetch or another site's image or frame. */
export const isVisit = ({ headers }: Request): boolean =>
  !isPrefetch(headers) && destination(headers) === "document";

/** Detects a request whose answer a person sees: a navigation, or one by the script ("empty") of an open page. */
export const isPageView = ({ method, headers }: Request): boolean =>
  method !== "HEAD" && !isPrefetch(headers) && ["document", "empty"].includes(destination(headers));

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
  const { caller, cookies, db } = context;
  const isListed = cookies.chats.some(({ id }) => id === chatId);
  const account = isListed || isStaff(caller.knownUser() ?? null) ? null : await caller.account();
  const isOwn = account === null ? null : isChatOfUser(db, chatId, account);
  // Nobody but a customer learns of its failure.
  isOwn?.catch(() => undefined);
  const staff = await staffIdentity(context);
  if (staff) return staff;
  const user = await caller.user();
  const isKnown = cookies.chats.some(belongsTo(user, chatId));
  if (!user) return isKnown ? { role: "visitor", userId: null, tokenHash: null } : null;
  if (!isKnown && !(await (isOwn ?? isChatOfUser(db, chatId, user.id)))) return null;
  return { role: "visitor", userId: user.id, tokenHash: await caller.tokenHash() };
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

/** Identifies the caller in a chat. @throws AppError forbidden (403), whether or not the chat exists */
export async function requireChatIdentity(
  context: RequestContext,
  chatId: string,
): Promise<ConnectionIdentity> {
  const identity = await chatIdentity(context, chatId);
  if (!identity) throw new AppError("forbidden", "You don't have permission to do this.");
  return identity;
}

export const chatNotFound = () => new AppError("notFound", "Chat not found");
export const productNotFound = () => new AppError("notFound", "Product not found");

/**
 * Finds the reader's latest chat: this browser's, else the customer's. Staff have none, since chats that they start to
 * try the widget are not theirs to continue.
 *
 * @returns null without one; a deleted chat may be returned
 */
export async function latestChatId({ cookies, caller, db }: RequestContext): Promise<string | null> {
  const account = await caller.account();
  const [user, latestOfAccount] = await Promise.all([
    caller.user(),
    account && findLatestChatOfUser(db, account),
  ]);
  const latest = cookies.chats.find(belongsTo(user));
  if (latest) return latest.id;
  return user && !isStaff(user) ? latestOfAccount : null;
}

/** Ids of this browser's chats, and of the customer, whose chats are listed as well; null for staff and strangers. */
export async function ownChats({ cookies, caller }: RequestContext) {
  const user = await caller.user();
  const ids = cookies.chats.filter(belongsTo(user)).map(({ id }) => id);
  return { ids, userId: user && !isStaff(user) ? user.id : null };
}

/**
 * Finds the reader's chats, latest first: this browser's, and the customer's. Staff have only this browser's.
 *
 * @param limit of the customer's
 * @returns rows of the list in D1, which may be behind the rooms
 */
export async function visitorChats(context: RequestContext, limit = MAX_VISITOR_CHATS): Promise<ChatRow[]> {
  const { caller, cookies, db } = context;
  const account = await caller.account();
  const listed = cookies.chats.map(({ id }) => id);
  if (listed.length === 0 && account === null) return [];
  const [rows, { ids, userId }] = await Promise.all([
    findVisitorChats(db, listed, account, limit),
    ownChats(context),
  ]);
  return rows.filter((row) => ids.includes(row.id) || (userId !== null && row.userId === userId));
}

/** Finds the unread answers in the same chats; a reader without any costs nothing. */
export async function visitorAnswers(context: RequestContext) {
  const { caller, cookies, db } = context;
  const account = await caller.account();
  const listed = cookies.chats.map(({ id }) => id);
  if (listed.length === 0 && account === null) return { hasChats: false, unread: [] };
  const [found, { ids, userId }] = await Promise.all([findAnswers(db, listed, account), ownChats(context)]);
  const ofBrowser = found.ofBrowser.filter(({ id }) => ids.includes(id));
  const own = userId === null ? ofBrowser : [...ofBrowser, ...found.ofAccount];
  const byId = new Map(own.map((chat) => [chat.id, chat]));
  return { hasChats: byId.size > 0 || (userId !== null && found.hasAny), unread: [...byId.values()] };
}

/** Detects an open chat with a message in the last 30 days, which its visitor continues. @param now epoch seconds */
export const isContinued = ({ state, lastMessageAt }: ChatRow, now: number): boolean =>
  state === "open" && lastMessageAt >= (now - CONTINUED_SECONDS) * 1000;

/** Chat cookies of a browser (docs/decisions/0019-chats-on-shared-browsers.md). */

/** Adds a chat to the cookie, for the signed-in account or for the anonymous visitor. */
export async function rememberChat(context: RequestContext, chatId: string): Promise<void> {
  const userId = (await context.caller.user())?.id ?? null;
  const others = context.cookies.chats.filter((entry) => entry.id !== chatId || entry.userId !== userId);
  const isNew = others.length === context.cookies.chats.length;
  await setChats(context, [{ id: chatId, since: context.now, userId }, ...others], {
    newId: isNew ? chatId : undefined,
    added: settledChats(context, "chats"),
  });
}

/** Records a chat that an anonymous visitor uses in the current visit. */
export async function rememberVisit(context: RequestContext, chatId: string): Promise<void> {
  const [latest, ...others] = context.cookies.visitChats;
  if (latest === chatId || (await context.caller.user())) return;
  const isNew = !others.includes(chatId);
  const visited = [chatId, ...(latest ? [latest] : []), ...others.filter((id) => id !== chatId)];
  await setVisit(context, visited, {
    newId: isNew ? chatId : undefined,
    added: settledChats(context, "visit"),
  });
}

/** Age at which no late answer to an earlier request replaces the list any more, s. */
const SETTLED_SECONDS = 600;
/** Chats that keep their own cookie for so long: a browser sends all of them with each request. */
const MAX_UNSETTLED = 8;

/** Lists the chats whose own cookies the list takes over. */
function settledChats({ cookies, now }: RequestContext, list: "chats" | "visit"): string[] {
  const unsettled = cookies.chats
    .filter(({ since }) => since > now - SETTLED_SECONDS)
    .sort((a, b) => b.since - a.since)
    .slice(0, MAX_UNSETTLED)
    .map(({ id }) => id);
  return cookies.added[list].filter((id) => !unsettled.includes(id));
}

type Account = Pick<CurrentUser, "id" | "firstName" | "lastName" | "email">;

/** Attaches the anonymous chats of the current visit to an account that signs in, and drops other accounts' chats. */
export async function attachVisitChats(context: RequestContext, user: Account): Promise<void> {
  const { cookies } = context;
  const userId = user.id;
  const visited = cookies.chats.filter(
    (entry) => entry.userId === null && cookies.visitChats.includes(entry.id),
  );
  const results = await Promise.all(visited.map(({ id }) => attachChat(context, id, user)));
  const attached = visited.filter((_, i) => results[i]);
  await attachUnlistedChats(context, attached, user);
  const remaining = cookies.chats.filter(
    (entry) => (entry.userId === null && !attached.includes(entry)) || entry.userId === userId,
  );
  if (attached.length > 0 || remaining.length < cookies.chats.length)
    await setChats(context, [...attached.map((entry) => ({ ...entry, userId })), ...remaining]);
  if (cookies.visitChats.length > 0) await setVisit(context, []);
}

/**
 * Attaches the chats that the visitor's other requests begin while they sign in. The cookies of this one don't list them
 * yet. A later one finds the account itself, see `followSignIn`.
 */
async function attachUnlistedChats(
  context: RequestContext,
  attached: ChatEntry[],
  user: Account,
): Promise<void> {
  const { cookies, env, now } = context;
  if (attached.length === 0) return;
  const unlisted = await findUnlistedChats(openDb(env.DB).db, {
    visited: attached.map(({ id }) => id),
    listed: cookies.chats.map(({ id }) => id),
    since: now - SETTLED_SECONDS,
  });
  await Promise.all(unlisted.map((id) => attachChat(context, id, user)));
}

/**
 * Attaches an anonymous chat that has just begun to the account that the visitor has signed in to meanwhile: the request
 * was sent with the cookies from before.
 *
 * @param previous chat that the browser had used last
 */
export async function followSignIn(context: RequestContext, chatId: string, previous: string): Promise<void> {
  const { cookies, env, now } = context;
  if (!cookies.visitChats.includes(previous)) return;
  // Read anew, behind the row of the chat: the sign-in finds that row, or this finds the sign-in.
  const user = await findAttachedAccount(openDb(env.DB).db, previous, now - SETTLED_SECONDS);
  if (user) await attachChat(context, chatId, user);
}

/**
 * Attaches a chat to an account.
 *
 * @returns false when the room cannot be reached: signing in goes on, and the chat stays anonymous
 */
async function attachChat(
  context: Pick<RequestContext, "db" | "env">,
  chatId: string,
  { id: userId, firstName, lastName, email: userEmail }: Account,
): Promise<boolean> {
  try {
    const { name: shopName } = await shopSettings(context);
    const userName = visitorName(shopName, `${firstName} ${lastName}`);
    return await context.env.CHAT_ROOM.getByName(chatId).attach({ userId, userName, userEmail });
  } catch (error) {
    console.warn("A chat of the visit could not be attached:", error);
    return false;
  }
}

/**
 * Drops all accounts' chats from the cookie; those of the anonymous visitor stay.
 *
 * @param userId account whose session ends; the cookie may hold its chats from before the sign-in
 * @param alongside statements of the same round trip
 */
export async function dropAccountChats(
  context: RequestContext,
  userId: string | null,
  alongside: Statement[] = [],
): Promise<void> {
  const { cookies, db } = context;
  const anonymous = cookies.chats.filter((entry) => entry.userId === null);
  const others = cookies.chats.filter((entry) => entry.userId !== null).map(({ id }) => id);
  const own = chatsOfUser(
    db,
    userId ?? "",
    anonymous.map(({ id }) => id),
  );
  // Subscriptions from before the sign-in have no session to end with.
  const statements = cookies.chats.length > 0 ? [own, deleteAnonymousSubscriptions(db, others, own)] : [];
  const [found = []] =
    [...statements, ...alongside].length > 0 ? await runBatch(db, [...statements, ...alongside]) : [];
  const ids = new Set(statements.length > 0 ? found.map(({ id }) => id) : []);
  const remaining = anonymous.filter(({ id }) => !ids.has(id));
  if (remaining.length < cookies.chats.length) await setChats(context, remaining);
  const visited = cookies.visitChats.filter((visit) => remaining.some(({ id }) => id === visit));
  if (visited.length < cookies.visitChats.length) await setVisit(context, visited);
}

type Added = Pick<ListChange, "newId" | "added">;

/** Stores the list of chats. @param change without it, the list takes over all own cookies */
async function setChats(context: RequestContext, entries: ChatEntry[], change?: Added): Promise<void> {
  const { chats: added } = context.cookies.added;
  appendCookies(context, await chatsCookies(entries, { ...signingOf(context), added, ...change }));
}

async function setVisit(context: RequestContext, chatIds: string[], change?: Added): Promise<void> {
  const { visit: added } = context.cookies.added;
  appendCookies(context, await visitCookies(chatIds, { ...signingOf(context), added, ...change }));
}

const signingOf = ({ env, secure }: RequestContext) => ({ secret: env.COOKIE_SECRET, secure });

function appendCookies({ headers }: RequestContext, cookies: string[]): void {
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
}

const MESSAGE_RATE_LIMIT = "You are writing very fast. Please wait a moment.";
const DAILY_FILE_LIMIT = `At most ${MAX_FILES_A_DAY} files a day can be sent in a chat.`;

/** Returns the error of a message that a limit rejects. */
export function limitError({ rejected, retryAfter }: LimitReached): AppError {
  const reason = rejected === "tooManyFiles" ? DAILY_FILE_LIMIT : MESSAGE_RATE_LIMIT;
  return new AppError("rateLimited", reason, { headers: { "Retry-After": String(retryAfter) } });
}
