import { useNavigate, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { lastSeq } from "../client/message-store";
import { Talk } from "./ChatPanel";
import { Dot, LineNote } from "./Line";
import { forgetAll, moveWords, remember } from "../client/storage";
import { SellerNote } from "./SellerNote";
import { type Gone, useConversation } from "../client/useConversation";

/** The conversation on a chat's own page, live. */
export function LiveChat({ chatId }: { chatId: string }) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const onGone = useCallback(
    (why: Gone) => {
      if (why === "foreign") {
        // The page, read anew, says that the chat is closed to this reader.
        forgetAll();
        return revalidate();
      }
      moveWords(chatId);
      remember(null);
      navigate("/chat?ended", { replace: true });
    },
    [navigate, revalidate, chatId],
  );
  const conversation = useConversation(chatId, onGone);
  const { talk, line, online, reconnect } = conversation;
  const seen = lastSeq(talk);
  useEffect(() => {
    if (seen) remember({ chatId, seen });
  }, [chatId, seen]);
  return (
    <section className="chat-embedded" aria-label="Conversation">
      <div className="chat-head">
        <Dot line={line} />
        <h2 aria-live="polite">{online === false ? "We are away just now" : "We are at the counter"}</h2>
      </div>
      <LineNote line={line} reconnect={reconnect} />
      <SellerNote />
      <Talk chatId={chatId} conversation={conversation} />
    </section>
  );
}
