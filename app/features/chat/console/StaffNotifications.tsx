import { useEffect } from "react";
import { Link } from "~/ui/navigation";
import { dismissToast, showToast } from "~/ui/Toasts";
import { useAdminRoom } from "../client/useAdminRoom";
import { NEW_CUSTOMER } from "../limits";
import type { ChatMessage, ChatView } from "../protocol";
import { consoleUrl } from "./params";

/** Milliseconds. */
const TOAST_DURATION = 8000;
const LOST = "No live updates just now. Reconnecting...";

/** Connection of an admin page to the admin room: sound, toast, number of unread messages, and a notice without it. */
export function StaffNotifications({ setUnread }: { setUnread: (unread: number) => void }) {
  const { state, unread } = useAdminRoom({
    onMessage: ({ chat, message }) => showMessageToast(chat, message),
    onUpdate: dismissReadToast,
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

const toastId = (chatId: string) => `chat-${chatId}`;

/** Dismisses the toast of a chat that somebody has read or deleted. */
export function dismissReadToast(chatId: string, chat: ChatView | null): void {
  if (!chat?.unreadCount) void dismissToast(toastId(chatId));
}

/** Shows a visitor's message; the next one of the same chat replaces it. */
export function showMessageToast({ id, userName }: ChatView, { message }: ChatMessage): void {
  const toast = (
    <Link className="chat-toast" to={consoleUrl({ chat: id })} onClick={() => void dismissToast(toastId(id))}>
      <b>{userName || NEW_CUSTOMER}</b>
      <span>{message.split("\n", 1)[0]}</span>
    </Link>
  );
  void showToast("custom", toast, { id: toastId(id), duration: TOAST_DURATION });
}
