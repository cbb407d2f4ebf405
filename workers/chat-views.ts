import type { Question, VisitorDetails } from "~/features/chat/introduction";
import { NEW_CUSTOMER } from "~/features/chat/limits";
import type { ChatMessage, ChatView } from "~/features/chat/protocol";
import type {
  ChatCartLine,
  ChatChanges,
  ChatUpdate,
  ConnectionIdentity,
  ContinuedChat,
  History,
} from "~/features/chat/rooms";
import { timestampMs } from "~/features/chat/time";
import { visitorName } from "~/features/chat/visitor-name.server";
import { emailKey } from "~/http/email-address";
import type { ChatLog } from "./chat-log";
import type { ChatRecord } from "./chat-log.schema";
import { keptReplies } from "./kept-replies";
import type { ReadMarkLog } from "./read-marks";

type Role = ConnectionIdentity["role"];

/** Builds the chat of API responses and live events. */
export function chatView(chat: Readonly<ChatRecord>): ChatView {
  return {
    id: chat.id,
    userName: chat.user_name,
    userEmail: chat.user_email,
    isAnonymous: chat.is_anonymous === 1,
    lastMessage: chat.last_message,
    lastMessageTime: timestampMs(chat.last_at),
    createdAt: { seconds: chat.created_at, nanoseconds: 0 },
    unreadCount: chat.unread,
    state: chat.state,
    assigneeId: chat.assignee_id,
    waitingSince: chat.waiting_since === null ? null : timestampMs(chat.waiting_since),
    lastSender: chat.last_sender,
    lastStaffId: chat.last_staff_id,
  };
}

/** Builds the row for the list of chats in D1. */
export function chatRow(chat: Readonly<ChatRecord>) {
  const subjectId = subjectsOf(chat)[0] ?? null;
  const lines = JSON.parse(chat.lines) as ChatCartLine[];
  return {
    id: chat.id,
    userName: chat.user_name,
    userEmail: chat.user_email,
    userId: chat.user_id,
    isAnonymous: chat.is_anonymous === 1,
    lastMessage: chat.last_message,
    lastMessageAt: chat.last_at,
    unreadCount: chat.unread,
    revision: chat.revision,
    createdAt: chat.created_at,
    state: chat.state,
    assigneeId: chat.assignee_id,
    waitingSince: chat.waiting_since,
    lastSender: chat.last_sender,
    visitorUnread: chat.visitor_unread,
    visitorId: chat.visitor_id,
    lastStaffId: chat.last_staff_id,
    productId: chat.product_id,
    subjectId,
    subjectColor: lines.find(({ productId }) => productId === subjectId)?.color ?? null,
    subjectCount: subjectsOf(chat).length,
  };
}

const subjectsOf = ({ subjects }: Readonly<ChatRecord>) => JSON.parse(subjects) as string[];
const MAX_SUBJECTS = 100;

/** Returns the column that further products change, which the visitor asks for or about; the first one stays. */
export function subjectColumns(
  chat: Readonly<ChatRecord>,
  productIds: (string | undefined)[],
): Partial<ChatRecord> {
  const all = new Set([...subjectsOf(chat), ...productIds.filter((id) => id !== undefined)]);
  return { subjects: JSON.stringify([...all].slice(0, MAX_SUBJECTS)) };
}

/**
 * Reads messages as a side sees them, as many as one answer takes; those that a visitor has seen are not mailed.
 *
 * @param after seq that the messages follow; null reads the latest
 */
export function readHistory(
  log: ChatLog,
  reads: ReadMarkLog,
  after: number | null,
  { role, isSeen }: { role: Role; isSeen: boolean },
): History {
  const messages = after === null ? log.latestAfter(0) : log.after(after);
  const last = messages.at(-1)?.seq ?? 0;
  if (isSeen && role === "visitor" && last > log.chat().mailed_seq) log.set({ mailed_seq: last });
  return {
    chat: chatFor(role, log.view()),
    messages: messages.map((message) => messageFor(role, message)),
    reads: reads.marks(),
  };
}

/** Returns the columns that staff change; a closed chat does not wait. */
export function changedColumns(
  env: Env,
  { revision, user_name }: Readonly<ChatRecord>,
  { userName, assigneeId, state, by, author }: ChatChanges,
): Partial<ChatRecord> {
  return {
    ...(userName !== undefined && { user_name: visitorName(keptReplies.shopName(env), userName, user_name) }),
    ...(assigneeId !== undefined && { assignee_id: assigneeId, assigned_by: by }),
    ...(state && { state, state_by: by }),
    ...(state === "closed" && { waiting_since: null }),
    ...(author && { author: JSON.stringify(author) }),
    revision: revision + 1,
  };
}

/** Tells whether a change assigns the chat to a colleague of who makes it. */
export const isAssignment = (
  { assignee_id }: Readonly<ChatRecord>,
  { assigneeId, author }: ChatChanges,
): boolean => Boolean(assigneeId) && assigneeId !== assignee_id && assigneeId !== author?.userId;

/** Rejects a change of a value that was changed since the caller saw it; null without a conflict. */
export function changeConflict(
  chat: Readonly<ChatRecord>,
  { userName, assigneeId, state, was = {} }: ChatChanges,
): ChatUpdate | null {
  const isStale = (change: unknown, seen: unknown, stored: unknown) =>
    change !== undefined && seen !== undefined && seen !== stored;
  const rejection = { rejected: "changed", chat: chatView(chat) } as const;
  if (isStale(userName, was.userName, chat.user_name)) return { ...rejection, field: "userName", by: null };
  if (isStale(assigneeId, was.assigneeId, chat.assignee_id))
    return { ...rejection, field: "assigneeId", by: chat.assigned_by };
  if (isStale(state, was.state, chat.state)) return { ...rejection, field: "state", by: chat.state_by };
  return null;
}

/**
 * Returns the columns that the details of a continued chat change; a name and an e-mail address that are known stay.
 *
 * @param at epoch milliseconds
 */
export function detailColumns(
  chat: Readonly<ChatRecord>,
  { userName, userEmail, isAnonymous, lines, productId }: Omit<ContinuedChat, "initialMessage" | "since">,
  at = Date.now(),
): Partial<ChatRecord> {
  return {
    ...(chat.user_name === NEW_CUSTOMER && userName && { user_name: userName }),
    ...(chat.user_email === "" && { user_email: userEmail, is_anonymous: Number(isAnonymous) }),
    ...subjectColumns(chat, [productId]),
    ...(productId !== undefined && { product_id: productId }),
    ...lineColumns(chat, lines, at),
    revision: chat.revision + 1,
  };
}

/** Finds a detail that is known by another value than the visitor gives now. */
export function knownDetail(
  { user_name, user_email }: Readonly<ChatRecord>,
  { userName, userEmail }: VisitorDetails,
): Question | null {
  const isOtherAddress =
    userEmail !== "" && user_email !== "" && emailKey(userEmail) !== emailKey(user_email);
  if (isOtherAddress) return "userEmail";
  return userName !== "" && ![NEW_CUSTOMER, userName].includes(user_name) ? "userName" : null;
}

/** Returns the columns that further lines change. @param at epoch milliseconds */
export function lineColumns(
  chat: Readonly<ChatRecord>,
  lines: ChatCartLine[],
  at = Date.now(),
): Partial<ChatRecord> {
  if (!lines[0]) return {};
  const merged = mergedLines(JSON.parse(chat.lines) as ChatCartLine[], lines, at);
  const asked = lines.map(({ productId }) => productId);
  return { lines: JSON.stringify(merged), product_id: lines[0].productId, ...subjectColumns(chat, asked) };
}

const MAX_LINES = 100;
const lineKey = ({ productId, color, engraving }: ChatCartLine) =>
  JSON.stringify([productId, color, engraving]);

/**
 * Adds what a visitor asks for to what they asked for before, newest first; a cart replaces the cart before it. A product is
 * in question once, and no more once it is asked for.
 */
function mergedLines(before: ChatCartLine[], asked: ChatCartLine[], at: number): ChatCartLine[] {
  const added = asked.filter((line) => !isUndecided(line) || !before.some(isOfSameProduct(line)));
  const isCart = added.some(({ inCart }) => inCart);
  const wereInCart = new Set(before.filter(({ inCart }) => inCart !== false).map(lineKey));
  const again = new Set(added.map(lineKey));
  const wereRequested = new Set(before.filter(({ isQuestion }) => !isQuestion).map(lineKey));
  const kept = before.filter(
    (line) =>
      !again.has(lineKey(line)) &&
      !(isCart && line.inCart !== false) &&
      !(line.isQuestion && added.some(isOfSameProduct(line))),
  );
  const newest = added.map(({ isQuestion, ...line }) => ({
    ...line,
    inCart: isCart || wereInCart.has(lineKey(line)),
    requestedAt: Math.floor(at / 1000),
    ...(isQuestion && !wereRequested.has(lineKey(line)) && { isQuestion }),
  }));
  return [...newest, ...kept].slice(0, MAX_LINES);
}

const isOfSameProduct =
  ({ productId }: ChatCartLine) =>
  (other: ChatCartLine) =>
    other.productId === productId;

/** Detects a question about a product before anything is chosen: it changes nothing about a product that is known. */
const isUndecided = ({ isQuestion, quantity, color, engraving }: ChatCartLine) =>
  isQuestion === true && quantity === 1 && !color && !engraving;

/** Characters of a message's summary. */
const MAX_SUMMARY = 200;

/** Shortens a message for the list of chats. */
export function summaryOf(message: string): string {
  const letters = [...message];
  return letters.length > MAX_SUMMARY ? `${letters.slice(0, MAX_SUMMARY - 1).join("")}…` : message;
}

/** Returns a chat as a side sees it: visitors don't see who looks after it and who writes. */
export const chatFor = (role: Role, chat: ChatView): ChatView =>
  role === "staff" ? chat : { ...chat, assigneeId: null, lastStaffId: null };

/** Returns a message as a side sees it: to visitors, staff are the shop. */
export function messageFor(role: Role, { staffName, ...message }: ChatMessage): ChatMessage {
  return role === "staff" && staffName !== undefined ? { ...message, staffName } : message;
}
