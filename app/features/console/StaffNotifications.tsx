import { useEffect } from "react";
import { consoleUrl } from "~/features/chat/console-params";
import { NEW_CUSTOMER } from "~/features/chat/limits";
import type { ChatMessage, ChatView } from "~/features/chat/protocol";
import { useAdminRoom } from "~/features/conversation/client/useAdminRoom";
import { Link } from "~/ui/navigation";
import { dismissToast, showToast } from "~/ui/Toasts";
import type { Unread } from "~/ui/UnreadCount";

/** Milliseconds. */
const TOAST_DURATION = 8000;
const LOST = "No live updates just now. Reconnecting...";

interface StaffNotificationsProps {
  userId: string;
  setUnread: (unread: Unread) => void;
}

/** Connection of an admin page to the admin room: sound, toast, number of unread messages, and a notice without it. */
export function StaffNotifications({ userId, setUnread }: StaffNotificationsProps) {
  const { state, unread } = useAdminRoom({
    onMessage: ({ chat, message }) => showMessageToast(chat, message),
    onUpdate: (id, chat, assignedBy) => updateToasts(id, chat, assignedBy, userId),
  });
  useEffect(() => {
    if (unread !== null) setUnread(unread);
  }, [unread, setUnread]);
  // Offline, the page has a notice of its own.
  const isLost = state === "disconnected" && navigator.onLine;
  return (
    <div className="live-notice" role="status">
      {isLost && <p>{LOST}</p>}
    </div>
  );
}

/** Toasts of messages that stay apart; more chats share one that counts them. */
const MAX_TOASTS = 3;
/** Chats whose message is told, by the time at which their toast ends (epoch milliseconds). */
const told = new Map<string, number>();
const GROUP = "chats";

const toastId = (chatId: string) => `chat-${chatId}`;

/** Dismisses the toast of a chat that is read or deleted, and tells of a chat that a colleague has assigned to the user. */
export function updateToasts(
  chatId: string,
  chat: ChatView | null,
  assignedBy: string | undefined,
  userId: string,
): void {
  dismissReadToast(chatId, chat);
  showAssignmentToast(chat, assignedBy, userId);
}

function dismissReadToast(chatId: string, chat: ChatView | null): void {
  if (chat?.unreadCount) return;
  told.delete(chatId);
  void dismissToast(toastId(chatId));
}

/** Shows a visitor's message; the next one of the same chat replaces it, and those of many chats become one toast. */
export function showMessageToast({ id, userName }: ChatView, { message }: ChatMessage): void {
  const now = Date.now();
  for (const [chatId, end] of told) if (end < now) told.delete(chatId);
  told.set(id, now + TOAST_DURATION);
  if (told.size <= MAX_TOASTS) {
    showChatToast(toastId(id), consoleUrl({ chat: id }), userName || NEW_CUSTOMER, firstLine(message));
    return;
  }
  for (const chatId of told.keys()) void dismissToast(toastId(chatId));
  const title = `${told.size} chats with new messages`;
  showChatToast(GROUP, consoleUrl({ filter: "unanswered" }), title, `Latest: ${firstLine(message)}`);
}

const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";

/** Tells a member of staff that a colleague has assigned a chat to them. */
function showAssignmentToast(chat: ChatView | null, assignedBy: string | undefined, userId: string): void {
  if (!chat || !assignedBy || chat.assigneeId !== userId) return;
  const { id, userName, lastMessage } = chat;
  const text = `${userName || NEW_CUSTOMER}: ${firstLine(lastMessage)}`;
  showChatToast(`assigned-${id}`, consoleUrl({ chat: id }), `${assignedBy} assigned you a chat`, text);
}

function showChatToast(toast: string, to: string, title: string, text: string): void {
  const content = (
    <Link className="chat-toast" to={to} onClick={() => void dismissToast(toast)}>
      <b>{title}</b>
      <span>{text}</span>
    </Link>
  );
  void showToast("custom", content, { id: toast, duration: TOAST_DURATION });
}
