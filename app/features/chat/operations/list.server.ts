import type { z } from "zod";
import { fieldError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { Listing, operation } from "~/http/operation.server";
import { countChats, findChats, findStaff, isStaffMember } from "../list.queries.server";
import type { ChatView } from "../protocol";
import type { ChatRow } from "../queries.server";
import { ChatChangesInput, ChatListInput, EmptyInput } from "../schema";
import { timestampMs } from "../time";
import { chatNotFound } from "./access.server";

/** Lists chats, latest first, with their total number. */
export const listChats = operation({
  access: "staff",
  input: ChatListInput,
  async run({ db, input, user }) {
    const query = { ...input, userId: user.id };
    const [rows, total] = await Promise.all([findChats(db, query), countChats(db, query)]);
    return new Listing(rows.map(chatView), total);
  },
});

/** Lists the chats of the console without counting them all. */
export const listConsoleChats = operation({
  access: "staff",
  input: ChatListInput.required({ limit: true }),
  async run({ db, input, user }) {
    const limit = input.limit + 1;
    const rows = await findChats(db, { ...input, limit, userId: user.id });
    return { rows: rows.slice(0, input.limit).map(chatView), hasMore: rows.length === limit };
  },
});

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
  };
}

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
 * @throws AppError notFound; invalid for an assignee who is not active staff
 */
export const updateChat = operation({
  access: "staff",
  input: ChatChangesInput,
  async run({ env, db, input }): Promise<ChatView> {
    const { id, ...changes }: z.output<typeof ChatChangesInput> = input;
    if (changes.assigneeId && !(await isStaffMember(db, changes.assigneeId)))
      throw fieldError("invalid", "assigneeId", "Must be an active member of staff");
    const chat = await env.CHAT_ROOM.getByName(id).update(changes);
    if (!chat) throw chatNotFound();
    return chat;
  },
});
