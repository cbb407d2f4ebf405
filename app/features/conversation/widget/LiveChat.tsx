import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { reportAnswers } from "~/features/chat/open-chat";
import { useNavigate } from "~/ui/navigation";
import { markSeen } from "../client/api";
import { lastSeq } from "../client/message-store";
import { clearStorage, storeChat } from "../client/panel-storage";
import { moveTextToNewChat } from "../client/unsent";
import { useAskedInUrl } from "./AskedProduct";
import { ChatContent } from "./ChatPanel";
import type { LoadedContent } from "./Messages";
import { ChatHead, ConnectionNote, StaffNote } from "./Panel";
import { useSingleClicks } from "./single-clicks";
import { type CloseReason, type LoadedChat, useOtherUnread, useVisitorChat } from "./useVisitorChat";

interface LiveChatProps extends LoadedContent, LoadedChat {
  chat: LoadedChat["chat"] & { id: string };
}

/** Live chat on the chat's own page, which begins with what the page came with. */
export function LiveChat({ products, cart, sales, replyTo, ...loaded }: LiveChatProps) {
  const chatId = loaded.chat.id;
  const asked = useAskedInUrl();
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
  const chat = useVisitorChat(chatId, onClosed, { loaded });
  useSingleClicks();
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
      <ChatHead answerer={chat.person} state={chat.state} isOnline={chat.isOnline}>
        <h2 aria-live="polite">{availability(chat)}</h2>
      </ChatHead>
      <ConnectionNote state={chat.state} reconnect={chat.reconnect} />
      <StaffNote />
      <ChatContent chatId={chatId} chat={chat} asked={asked} loaded={{ products, cart, sales, replyTo }} />
    </section>
  );
}

function availability({
  state,
  isOnline,
  answerer,
}: Pick<ReturnType<typeof useVisitorChat>, "state" | "isOnline" | "answerer">): string {
  if (state === "reconnecting" || state === "disconnected") return "Not connected";
  return isOnline === false ? answerer?.back || "We are away just now" : "We are here";
}
