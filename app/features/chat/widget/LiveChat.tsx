import { useNavigate, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { markSeen } from "../client/api";
import { lastSeq } from "../client/message-store";
import { clearStorage, storeChat } from "../client/storage";
import { moveTextToNewChat } from "../client/unsent-text";
import { ChatContent, useOtherUnread } from "./ChatPanel";
import { reportAnswers } from "./open-chat";
import { ChatHead, ConnectionNote, StaffNote } from "./Panel";
import { type CloseReason, useVisitorChat } from "./useVisitorChat";

/** Live chat on the chat's own page. */
export function LiveChat({ chatId }: { chatId: string }) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const onClosed = useCallback(
    (reason: CloseReason) => {
      if (reason === "forbidden") {
        clearStorage();
        return revalidate();
      }
      moveTextToNewChat(chatId);
      storeChat(null);
      navigate("/chat?ended", { replace: true });
    },
    [navigate, revalidate, chatId],
  );
  const chat = useVisitorChat(chatId, onClosed);
  const seen = lastSeq(chat.store);
  const unread = useOtherUnread(chatId);
  useEffect(() => reportAnswers(unread), [unread]);
  useEffect(() => {
    if (!seen) return;
    storeChat({ chatId, seen });
    void markSeen(chatId, seen);
  }, [chatId, seen]);
  return (
    <section className="chat-embedded" aria-label="Conversation">
      <ChatHead answerer={chat.answerer} state={chat.state} isOnline={chat.isOnline}>
        <h2 aria-live="polite">{availability(chat)}</h2>
      </ChatHead>
      <ConnectionNote state={chat.state} reconnect={chat.reconnect} />
      <StaffNote />
      <ChatContent chatId={chatId} chat={chat} />
    </section>
  );
}

function availability({
  state,
  isOnline,
}: Pick<ReturnType<typeof useVisitorChat>, "state" | "isOnline">): string {
  if (state === "reconnecting" || state === "disconnected") return "Not connected";
  return isOnline === false ? "We are away just now" : "We are at the counter";
}
