import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { lastSeq } from "./bubbles";
import { Dot } from "./Dot";
import { Messages } from "./Messages";
import { remember } from "./memory";
import { useConversation } from "./useConversation";
import { Write } from "./Write";

/** The conversation on a chat's own page, live. A chat that is gone shows the page's own 404. */
export function LiveChat({ chatId }: { chatId: string }) {
  const { revalidate } = useRevalidator();
  const onGone = useCallback(() => {
    remember(null);
    revalidate();
  }, [revalidate]);
  const conversation = useConversation(chatId, onGone);
  const seen = lastSeq(conversation.talk);
  useEffect(() => {
    if (seen) remember({ chatId, seen });
  }, [chatId, seen]);
  const send = (text: string) => {
    void conversation.send(text);
    return true;
  };
  return (
    <section className="chat-here" aria-label="Conversation">
      <div className="chat-head">
        <Dot line={conversation.line} />
        <h2>{conversation.online ? "We are at the counter" : "We are away just now"}</h2>
      </div>
      <Messages {...conversation} />
      <Write placeholder="Type your message..." onTyping={conversation.typing} onSend={send} />
    </section>
  );
}
