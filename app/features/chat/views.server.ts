import { timestamp } from "~/http/fields";
import type { ChatView } from "./protocol";
import type { ChatRow, ResponseRow } from "./queries.server";
import { timestampMs } from "./timestamps";

/** A chat's row as the API tells it. */
export function chatView(row: ChatRow): ChatView {
  return {
    id: row.id,
    userName: row.userName,
    userEmail: row.userEmail,
    isAnonymous: row.isAnonymous,
    lastMessage: row.lastMessage,
    lastMessageTime: timestampMs(row.lastMessageAt),
    createdAt: timestamp(row.createdAt),
    unreadCount: row.unreadCount,
  };
}

/** A predefined response as the API tells it (back office 3). */
export function responseView({ id, trigger, response, category, isActive }: ResponseRow) {
  return { id, trigger, response, category, isActive };
}
