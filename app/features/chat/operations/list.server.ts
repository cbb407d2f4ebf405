import { z } from "zod";
import type { Db } from "~/db/client.server";
import { addDays, instantAt, localDay } from "~/domain/days";
import { type PeriodName, resolvePeriod } from "~/domain/periods";
import { findStaff, isStaffMember } from "~/features/accounts/queries.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { notifyStaff } from "~/features/push/operations.server";
import { findPreferences } from "~/features/push/queries.server";
import { AppError, fieldError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { Listing, operation, type StaffContext } from "~/http/operation.server";
import {
  countChats,
  findChats,
  findChatVisitor,
  findFilterCounts,
  searchChats,
} from "../list.queries.server";
import { ChatView } from "../protocol";
import type { ChatRow } from "../queries.server";
import type { ReportQuery, ReportSpan } from "../reports.queries.server";
import type { ChatUpdate } from "../rooms";
import { ChatChangesInput, ChatInput, ChatListInput, EmptyInput } from "../schema";
import { timestampMs } from "../time";
import { chatNotFound, staffNameOf } from "./access.server";
import { mailAssignee } from "./mails.server";

/** Lists chats, latest first, with their total number. */
export const listChats = operation({
  route: "GET chat",
  summary: "List chats, latest first",
  answer: z.array(ChatView),
  isList: true,
  access: "staff",
  input: ChatListInput,
  async run({ input, ...context }) {
    const { db, user } = context;
    const query = { ...input, userId: user.id, report: reportQuery(context, input) };
    const { rows, total } = input.q
      ? await searchChats(db, { ...query, q: input.q })
      : await chatPage(db, query);
    return new Listing(rows.map(chatView), total);
  },
});

async function chatPage(db: Db, query: Parameters<typeof findChats>[1]) {
  const [rows, total] = await Promise.all([findChats(db, query), countChats(db, query)]);
  return { rows, total };
}

/** Matches of a search that the console reads; it displays no more chats. */
const MAX_MATCHES = 1000;

/** Chat in the console's list; `found` is the line of an earlier message or, with `isNote`, of a note that a search found. */
export type ListedChat = ChatView & { found?: string; isNote?: boolean };

/** Lists the chats of the console, with the number of chats of each filter. */
export const listConsoleChats = operation({
  access: "staff",
  input: ChatListInput.required({ limit: true }),
  async run({ input, ...context }) {
    const { db, user } = context;
    const limit = input.limit + 1;
    const report = reportQuery(context, input);
    const [rows, counts] = await Promise.all([
      findChats(db, { ...input, report, limit, userId: user.id, maxMatches: MAX_MATCHES }),
      findFilterCounts(db, user.id),
    ]);
    const listed = rows.slice(0, input.limit).map(
      ({ found, isNote = false, ...row }): ListedChat => ({
        ...chatView(row),
        ...(found && { found, isNote }),
      }),
    );
    return { rows: listed, hasMore: rows.length === limit, counts };
  },
});

function reportQuery(
  context: StaffContext,
  { report, business, period = "all" }: z.output<typeof ChatListInput>,
): ReportQuery | undefined {
  return report && { kind: report, business: business ?? null, span: reportSpan(context, period) };
}

/** Returns the period in which chats are counted, with its instants; of all time, this month. */
export function reportSpan(
  { now, settings: { timezone } }: Pick<StaffContext, "now" | "settings">,
  period: PeriodName,
): ReportSpan {
  const { days, months, slug } = resolvePeriod(
    period === "all" ? "this-month" : period,
    localDay(now, timezone),
  );
  if (!days || !months) throw new Error("A period of whole months has days");
  return {
    name: slug,
    days,
    months,
    from: instantAt(`${days.from}T00:00:00`, timezone),
    until: instantAt(`${addDays(days.to, 1)}T00:00:00`, timezone),
  };
}

function chatView(row: ChatRow): ChatView {
  return {
    id: row.id,
    userName: row.userName,
    userEmail: row.userEmail,
    isAnonymous: row.isAnonymous,
    lastMessage: row.lastMessage,
    lastMessageTime: timestampMs(row.lastMessageAt),
    createdAt: timestamp(row.createdAt),
    unreadCount: row.unreadCount,
    state: row.state,
    assigneeId: row.assigneeId,
    waitingSince: row.waitingSince === null ? null : timestampMs(row.waitingSince),
    lastSender: row.lastSender,
    lastStaffId: row.lastStaffId,
  };
}

/** Reads the account of a chat's visitor, and their other chats, latest first. */
export const readChatVisitor = operation({
  access: "staff",
  input: ChatInput,
  async run({ db, input }) {
    const { account, earlier } = await findChatVisitor(db, input.id);
    return { account, earlier: earlier.map(chatView) };
  },
});

/** Lists the staff to whom a chat can be assigned, by name. */
export const listAssignees = operation({
  access: "staff",
  input: EmptyInput,
  async run({ db }) {
    const staff = (await findStaff(db)).map(({ id, firstName, email }) => ({ id, name: firstName || email }));
    return staff.sort((a, b) => a.name.localeCompare(b.name));
  },
});

/**
 * Renames, assigns, closes or reopens a chat.
 *
 * @throws AppError notFound; invalid for an assignee who is not active staff; conflict when `was` is outdated
 */
export const updateChat = operation({
  route: "PATCH chat/:id",
  summary: "Rename, assign, close or reopen a chat",
  answer: ChatView,
  errors: [409],
  access: "staff",
  forbidsVisitors: true,
  input: ChatChangesInput,
  async run({ env, db, input, user, waitUntil }): Promise<ChatView> {
    const { id, ...changes }: z.output<typeof ChatChangesInput> = input;
    if (changes.assigneeId && !(await isStaffMember(db, changes.assigneeId)))
      throw fieldError("invalid", "assigneeId", "Must be an active member of staff");
    const update = await env.CHAT_ROOM.getByName(id).update({
      ...changes,
      by: staffNameOf(user),
      author: db.author,
    });
    if ("chat" in update && !("rejected" in update)) {
      if (update.isAssigned) waitUntil(notifyAssignee(env, db, update.chat, staffNameOf(user)));
      return update.chat;
    }
    if (update.rejected === "notFound") throw chatNotFound();
    const staff = await findStaff(db);
    const name = staff.find((one) => one.id === update.chat.assigneeId)?.firstName;
    throw new AppError("conflict", conflictMessage(update, name || "somebody else"));
  },
});

/** Notifies the assignee's browsers of an assignment, or mails them without any. @param by name of the colleague */
async function notifyAssignee(env: Env, db: Db, chat: ChatView, by: string): Promise<void> {
  const assignee = (await findStaff(db)).find(({ id }) => id === chat.assigneeId);
  if (!assignee) return;
  const notified = await notifyStaff(env, "assigned", assignee.id, (hasPreview) => ({
    type: "message",
    tag: `assigned-${chat.id}`,
    title: `${by} assigned you a chat`,
    body: hasPreview
      ? `${chat.userName}: ${chat.lastMessage}`.slice(0, 200).toWellFormed()
      : "Open it to read it.",
    url: `/admin/chat?chat=${encodeURIComponent(chat.id)}`,
  }));
  if (notified > 0 || !(await findPreferences(db, assignee.id)).assignedMail) return;
  await mailAssignee(env, assignee, chat, by).catch((error) =>
    recordFailure(env, { kind: "mail", place: "Assignment of a chat" }, error),
  );
}

/** Tells who changed the chat first. @param assignee name of whom the chat is assigned to now */
function conflictMessage(
  { field, by, chat }: Extract<ChatUpdate, { rejected: "changed" }>,
  assignee: string,
): string {
  const person = by ?? "Somebody else";
  if (field === "assigneeId")
    return chat.assigneeId === null
      ? `${person} has just unassigned this chat.`
      : `${person} has just assigned this chat to ${assignee}.`;
  if (chat.state === "closed") return `${person} has just closed this chat.`;
  return by
    ? `${by} has just reopened this chat.`
    : "The visitor has just written, which reopened this chat.";
}
