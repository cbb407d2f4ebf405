import type { SubmissionResult } from "@conform-to/react";
import { type ComponentType, useEffect, useState } from "react";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { MESSAGE_LIMIT } from "./limits";
import type { Snapshot } from "./pages.server";
import type { ChatMessage } from "./protocol";
import { Bubble } from "./widget/Bubble";

interface ChatHereProps {
  chat: { id: string; userName: string };
  /** `time` is the shop's. */
  messages: (ChatMessage & { time: string })[];
  cart: Snapshot | null;
  /** The next message's id: a form sent twice is stored once. */
  draft: string;
  lastResult?: SubmissionResult<string[]> | null | undefined;
}

/** A chat on a page of its own: plain, and live as soon as a script can make it so. */
export function ChatHere(props: ChatHereProps) {
  const [Live, setLive] = useState<ComponentType<{ chatId: string }> | null>(null);
  useEffect(() => {
    // Where it doesn't load, the plain page does all of it.
    import("./widget/LiveChat").then(
      ({ LiveChat }) => setLive(() => LiveChat),
      () => undefined,
    );
  }, []);
  return Live ? <Live chatId={props.chat.id} /> : <PlainChat {...props} />;
}

function PlainChat({ chat, messages, cart, ...form }: ChatHereProps) {
  const first = messages.find(({ isFromAdmin }) => !isFromAdmin);
  return (
    <section className="chat-embedded" aria-label="Conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
      <div className="chat-log chat-log-from-end" role="log" aria-label="Messages" tabIndex={0}>
        <div className="chat-log-items">
          {messages.map((message) => (
            <Bubble
              key={message.id}
              message={message}
              cart={message === first ? cart : null}
              time={message.time}
            />
          ))}
          <p className="chat-day" id="latest">
            <a className="chat-link" href={`/chat/${chat.id}#latest`}>
              <Icon name="refresh-cw" /> Refresh
            </a>
          </p>
        </div>
      </div>
      <PlainWrite chat={chat} {...form} />
    </section>
  );
}

function PlainWrite({ chat, draft, lastResult }: Pick<ChatHereProps, "chat" | "draft" | "lastResult">) {
  const typed = lastResult?.initialValue?.message;
  const error = lastResult?.error?.message?.[0];
  return (
    <form className="chat-write" method="post" action={`/chat/${chat.id}#latest`}>
      <input type="hidden" name="id" value={draft} />
      <input type="hidden" name="senderName" value={chat.userName} />
      <textarea
        className="chat-input"
        name="message"
        rows={2}
        required
        placeholder="Type your message..."
        aria-label="Type your message"
        defaultValue={typeof typed === "string" ? typed : ""}
        {...describedBy("write", error, MESSAGE_LIMIT)}
      />
      <button type="submit" name="intent" value="write" className="chat-send" aria-label="Send">
        <Icon name="send-horizontal" />
      </button>
      <FieldNotes id="write" error={error} />
      {!error && (
        <noscript>
          <FieldNotes id="write" hint={MESSAGE_LIMIT} />
        </noscript>
      )}
    </form>
  );
}
