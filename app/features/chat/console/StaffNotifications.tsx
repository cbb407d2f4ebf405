import { Link } from "@remix-run/react";
import { useEffect } from "react";
import { dismissToast, showToast } from "~/ui/Toasts";
import { useAdminRoom } from "../client/useAdminRoom";
import { NEW_CUSTOMER } from "../limits";
import type { ChatMessage, ChatView } from "../protocol";
import { consoleUrl } from "./params";

/** Milliseconds. */
const TOAST_DURATION = 8000;

/** Connection of an admin page to the admin room: sound, toast and number of unread messages. */
export function StaffNotifications({ setUnread }: { setUnread: (unread: number) => void }) {
  const { unread } = useAdminRoom({
    onMessage: ({ chat, message }) => showMessageToast(chat, message),
    onUpdate(chatId, chat) {
      if (!chat || chat.unreadCount === 0) void dismissToast(toastId(chatId));
    },
  });
  useEffect(() => {
    if (unread !== null) setUnread(unread);
  }, [unread, setUnread]);
  return null;
}

const toastId = (chatId: string) => `chat-${chatId}`;

/** Shows a visitor's message; the next one of the same chat replaces it. */
function showMessageToast({ id, userName }: ChatView, { message }: ChatMessage): void {
  const toast = (
    <Link className="chat-toast" to={consoleUrl({ chat: id })} onClick={() => void dismissToast(toastId(id))}>
      <b>{userName || NEW_CUSTOMER}</b>
      <span>{message.split("\n", 1)[0]}</span>
    </Link>
  );
  void showToast("custom", toast, { id: toastId(id), duration: TOAST_DURATION });
}
