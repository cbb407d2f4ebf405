import { type MouseEvent, useEffect, useRef, useState } from "react";
import type { Snapshot } from "../pages.server";
import { Bubble } from "./Bubble";
import type { Unsent } from "../client/message-store";
import { readCart } from "../client/api";
import type { Conversation } from "../client/useConversation";

/** How the message of a chat begins that was begun by Buy Now or Chat with Seller (spec 7, chat/create). */
const BUYING = /^I'm interested in buying /;

/** What was said, what is on its way, and who is writing. */
export function Messages({ talk, name, typist, line, send }: Conversation) {
  const { messages, unsent } = talk;
  const log = useRef<HTMLDivElement>(null);
  const first = messages.find(({ isFromAdmin }) => !isFromAdmin);
  const cart = useCart(first && BUYING.test(first.message) ? first.chatId : null);
  const last = messages.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is at the bottom (spec 4)
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [talk, typist, line, cart]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
    <div className="chat-log" role="log" aria-label="Messages" tabIndex={0} ref={log}>
      {messages.map((message) => (
        <Bubble
          key={message.id}
          message={message}
          cart={message === first ? cart : null}
          state={message === last && !message.isFromAdmin ? "sent" : undefined}
        />
      ))}
      {unsent.map((one) => (
        <Waiting key={one.id} unsent={one} name={name} onRetry={() => send(one.message, one.id)} />
      ))}
      {typist !== null && <Typing name={typist} />}
    </div>
  );
}

/** Without it the message says in words what was in the cart. */
function useCart(chatId: string | null): Snapshot | null {
  const [cart, setCart] = useState<Snapshot | null>(null);
  useEffect(() => {
    if (chatId) readCart(chatId).then(setCart, () => undefined);
  }, [chatId]);
  return cart;
}

function Waiting({ unsent, name, onRetry }: { unsent: Unsent; name: string; onRetry: () => void }) {
  const retry = ({ currentTarget }: MouseEvent) => {
    // This button goes: the next thing to do is to write.
    currentTarget.closest("section")?.querySelector("textarea")?.focus();
    onRetry();
  };
  return (
    <div className="chat-msg me">
      <span className="chat-author">
        {name}, {unsent.failed ? "not sent" : "sending..."}
      </span>
      <p className={unsent.failed ? "chat-bubble chat-bubble-failed" : "chat-bubble chat-bubble-sending"}>
        {unsent.message}
      </p>
      {unsent.failed && (
        <button type="button" className="chat-link" onClick={retry}>
          Send again
        </button>
      )}
    </div>
  );
}

function Typing({ name }: { name: string }) {
  const words = `${name || "Someone"} is writing`;
  return (
    <div className="chat-msg">
      <span className="chat-author">{words}</span>
      <p className="chat-bubble chat-bubble-typing" aria-hidden="true">
        <i />
        <i />
        <i />
      </p>
    </div>
  );
}
