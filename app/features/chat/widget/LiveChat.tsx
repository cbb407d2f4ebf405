import { useNavigate, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { markSeen } from "../client/api";
import { lastSeq } from "../client/message-store";
import { clearStorage, moveTextToNewChat, storeChat } from "../client/storage";
import { ChatContent } from "./ChatPanel";
import { ConnectionDot, ConnectionNote, StaffNote } from "./Panel";
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
  useEffect(() => {
    if (!seen) return;
    storeChat({ chatId, seen });
    void markSeen(chatId, seen);
  }, [chatId, seen]);
  return (
    <section className="chat-embedded" aria-label="Conversation">
      <div className="chat-head">
        <ConnectionDot state={chat.state} />
        <h2 aria-live="polite">{availability(chat)}</h2>
      </div>
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
