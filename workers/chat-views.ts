import type { ChatMessage, ChatView } from "~/features/chat/protocol";
import type { IncomingMessage } from "~/features/chat/rooms";
import { timestampMs } from "~/features/chat/time";
import type { ChatRecord } from "./chat-log.schema";

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
  };
}

/** Builds the row for the list of chats in D1. */
export function chatRow(chat: Readonly<ChatRecord>) {
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
  };
}

/** Characters of a message's summary. */
const MAX_SUMMARY = 200;

/** Shortens a message for the list of chats. */
export function summaryOf(message: string): string {
  const letters = [...message];
  return letters.length > MAX_SUMMARY ? `${letters.slice(0, MAX_SUMMARY - 1).join("")}…` : message;
}

/** Compares a stored message with one that has its id. */
export const isSameMessage = (known: ChatMessage, { message, isFromAdmin }: IncomingMessage) =>
  known.message === message && known.isFromAdmin === isFromAdmin;
