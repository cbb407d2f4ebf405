import type { SubmissionResult } from "@conform-to/react";
import { Form, Link } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { describedBy, Field, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { SubmitButton } from "~/ui/SubmitButton";
import { FileField } from "./ChatPage";
import { CharactersLeft, charactersLeft } from "./client/MessageFields";
import { storedText, storeText } from "./client/storage";
import { MESSAGE_LIMIT } from "./limits";
import { type CardProduct, productLine } from "./message-links";
import { AskedProduct } from "./ProductCard";
import type { ListedChat } from "./pages.server";

/** Conversations of this browser and account, with their unread answers. */
export function ChatList({ chats }: { chats: ListedChat[] }) {
  return (
    <section className="chat-mine" aria-label="My conversations">
      <ul>
        {chats.map((chat) => (
          <li key={chat.id} className={chat.unreadCount > 0 ? "is-unread" : undefined}>
            <Link to={`/chat/${chat.id}`} prefetch="none">
              <span className="chat-mine-mark" aria-hidden="true">
                <Icon name="message-circle" />
              </span>
              <span className="chat-mine-last">
                <span className="truncate">{lastLine(chat)}</span>
              </span>
              <ChatState chat={chat} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const lastLine = ({ lastMessage, lastSender }: ListedChat) =>
  `${lastSender === "visitor" ? "You: " : ""}${lastMessage || "New conversation"}`;

function ChatState({ chat: { at, time, state, unreadCount } }: { chat: ListedChat }) {
  return (
    <span className="chat-mine-state">
      <time dateTime={new Date(at * 1000).toISOString()}>{time}</time>
      <span className={state}>{state === "open" ? "Open" : "Closed"}</span>
      {unreadCount > 0 && (
        <span className="chat-mine-count">
          {unreadCount}
          <span className="visually-hidden"> unread</span>
        </span>
      )}
    </span>
  );
}

interface StartFormProps {
  /** Starts a new chat instead of continuing the open one. */
  isNew: boolean;
  /** Product that the reader asks about. */
  asked: CardProduct | null;
  origin: string;
  /** Rejected submission. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
}

/** Form that starts a chat on its own page. */
export function StartForm({ isNew, asked, origin, lastResult }: StartFormProps) {
  const submitted = (name: string) => {
    const value = lastResult?.initialValue?.[name];
    return typeof value === "string" ? value : "";
  };
  const error = (name: string) => lastResult?.error?.[name]?.[0];
  const field = (name: string) => ({
    id: `start-${name}`,
    name,
    defaultValue: submitted(name),
    error: error(name),
  });
  return (
    <Form
      method="post"
      action="/chat?index"
      className="chat-form"
      encType="multipart/form-data"
      noValidate
      onSubmit={() => storeText("", { draft: "" })}
    >
      <input type="hidden" name="continue" value={String(!isNew)} />
      {asked && <AskedFields asked={asked} origin={origin} />}
      <p className="bubble bubble-soft">
        Welcome! Please enter your details to start chatting with our support team.
      </p>
      <Field {...field("userName")} label="Your name (optional)" autoComplete="name" maxLength={100} />
      <Field {...field("userEmail")} label="Your email (optional)" type="email" autoComplete="email" />
      <MessageField initial={submitted("initialMessage")} error={error("initialMessage")} />
      <div className="field">
        <FileField id="start-files" error={error("files")} />
      </div>
      <SubmitButton intent="start" busy="Starting chat..." className="btn btn-talk">
        <Icon name="message-circle" /> Start chat
      </SubmitButton>
    </Form>
  );
}

/** Product that the reader asks about, with its fields. */
function AskedFields({ asked, origin }: { asked: CardProduct; origin: string }) {
  return (
    <>
      <input type="hidden" name="productId" value={asked.id} />
      <input type="hidden" name="about" value={productLine(asked, origin)} />
      <AskedProduct product={asked} />
    </>
  );
}

function MessageField({ initial, error }: { initial: string; error: string | undefined }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [left, setLeft] = useState(charactersLeft(initial));
  const updateLeft = useCallback(() => setLeft(charactersLeft(text.current?.value ?? "")), []);
  useEffect(() => {
    // Unsent text of a chat that has ended.
    if (text.current && !text.current.value) text.current.value = storedText("").draft;
    updateLeft();
  }, [updateLeft]);
  return (
    <div className="field">
      <label htmlFor="start-message">Your message...</label>
      <textarea
        ref={text}
        className="input"
        name="initialMessage"
        rows={4}
        defaultValue={initial}
        {...describedBy("start-message", error)}
        onInput={updateLeft}
        id="start-message"
      />
      <CharactersLeft left={left} />
      <noscript>
        <p className="hint">{MESSAGE_LIMIT}</p>
      </noscript>
      <FieldNotes id="start-message" error={error} />
    </div>
  );
}
