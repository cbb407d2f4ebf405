import type { SubmissionResult } from "@conform-to/react";
import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { localTo } from "~/domain/local-to";
import type { Question } from "~/features/chat/introduction";
import { MESSAGE_LIMIT } from "~/features/chat/limits";
import { type CardProduct, findPurchases, isAttached } from "~/features/chat/message-links";
import { askParams, type ProductSelection } from "~/features/chat/product-selection";
import type { ChatMessage, ChatView, QuotedMessage } from "~/features/chat/protocol";
import { quoteOf } from "~/features/chat/quotes";
import type { Answerer } from "~/features/chat/rooms";
import { answererOf, authorLabel } from "~/features/chat/staff-label";
import type { SaleCardsData } from "~/features/sales/cards/card-data";
import { FILE_LIMIT } from "~/features/storage/file-hint";
import { ACCEPTED_TYPES } from "~/features/storage/files";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { storeDetails, storedDetails, storedText, storeText } from "./client/unsent";
import { AskedProduct, ChangeOptions } from "./message-parts";
import type { CartSnapshot } from "./pages.server";
import { ReplyBar } from "./quote-parts";
import { Bubble, ClosedNote } from "./widget/Bubble";
import { QuestionForm } from "./widget/Introduction";
import type { LiveChat } from "./widget/LiveChat";
import { ChatHead } from "./widget/Panel";

interface ChatHereProps {
  chat: Pick<ChatView, "id" | "userName" | "userEmail" | "state">;
  /** Question of the introduction after the messages, where it is plain. */
  question: Question | null;
  /** `time` is in the shop's time zone. */
  messages: (ChatMessage & { time: string; state?: string | undefined })[];
  cart: CartSnapshot | null;
  sales: SaleCardsData | null;
  /** Products of the messages. */
  products: CardProduct[];
  /** Product that the next message is about. */
  asked: CardProduct | null;
  options: ProductSelection;
  /** First words of the next message; "" for none. */
  opening: string;
  /** Message to which the next one replies. */
  replyTo?: QuotedMessage | undefined;
  origin: string;
  /** Id of the next message, so that a form submitted twice is stored once. */
  draft: string;
  answerer: Answerer & { isOnline: boolean };
  lastResult?: SubmissionResult<string[]> | null | undefined;
}

/** Chat on its own page: a plain form without JavaScript, replaced by the live chat once it has loaded. */
export function ChatPage(props: ChatHereProps) {
  const [Live, setLive] = useState<ComponentType<ComponentProps<typeof LiveChat>> | null>(null);
  const { chat, opening, messages, answerer, products, cart, sales, replyTo } = props;
  const chatId = chat.id;
  useEffect(() => {
    // When loading fails, the plain form stays usable.
    import("./widget/LiveChat").then(
      ({ LiveChat }) => replacePlainForm(chatId, opening, () => setLive(() => LiveChat)),
      () => undefined,
    );
  }, [chatId, opening]);
  const loaded = { chat, messages, answerer, products, cart, sales, replyTo };
  return Live ? <Live {...loaded} /> : <PlainChat {...props} replyTo={replyTo ?? sentReply(props)} />;
}

/** Finds the message to which a message that was refused replies. */
function sentReply({ messages, lastResult }: ChatHereProps): QuotedMessage | undefined {
  const quoted = messages.find(({ id }) => id === lastResult?.initialValue?.replyTo);
  return quoted && quoteOf(quoted);
}

/** Replaces the plain forms, whose text and focus the live chat takes over. It stays while it holds files. */
function replacePlainForm(chatId: string, opening: string, replace: () => void): void {
  const asked = document.querySelector<HTMLInputElement>("#introduction");
  if (asked?.value) storeDetails({ ...storedDetails(), [asked.name]: asked.value });
  const form = document.querySelector(".chat-embedded .chat-write");
  const [field, files] = [
    form?.querySelector("textarea"),
    form?.querySelector<HTMLInputElement>("[type=file]"),
  ];
  if (files?.files?.length) return;
  const draft = field && draftWith(opening, field.value, storedText(chatId).draft);
  if (draft) storeText(chatId, { draft });
  const focused = field === document.activeElement ? field : null;
  flushSync(replace);
  const next = focused && document.querySelector<HTMLTextAreaElement>(".chat-embedded textarea");
  if (!next) return;
  next.focus();
  // The same text keeps its selection, which the next key may be about to replace.
  const end = next.value.length;
  const isSame = next.value === focused.value;
  next.setSelectionRange(isSame ? focused.selectionStart : end, isSame ? focused.selectionEnd : end);
}

/** Returns the draft of the live chat: what was written into the plain field, else the first words before an earlier draft. */
function draftWith(opening: string, written: string, draft: string): string {
  if (written !== opening) return written;
  return draft.startsWith(opening) ? draft : opening + draft;
}

function PlainChat(props: ChatHereProps) {
  const { chat, messages, cart, sales, products, asked, options, origin, answerer } = props;
  const purchases = findPurchases(messages);
  const byId = new Map(products.map((product) => [product.id, product]));
  const attachable = asked && !isAttached(messages, asked.id, options) ? asked : null;
  return (
    <section className="chat-embedded" id="latest" aria-label="Conversation">
      <ChatHead answerer={answererOf(answerer, messages)} isOnline={answerer.isOnline}>
        <h2>{answerer.isOnline ? "We are here" : answerer.back || "We are away just now"}</h2>
      </ChatHead>
      {asked && <AskedProduct product={asked} options={options} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container needs keyboard access */}
      <div className="chat-log chat-log-from-end" role="log" aria-label="Messages" tabIndex={0}>
        <div className="chat-log-items">
          {messages.map((message) => (
            <Bubble
              key={message.id}
              message={message}
              products={byId}
              origin={origin}
              cart={purchases.has(message) ? cart : null}
              sales={{ data: sales }}
              answerer={answerer}
              time={message.time}
              state={message.state}
            />
          ))}
          {chat.state === "closed" && <ClosedNote />}
          <PlainQuestion {...props} />
          <Refresh chatId={chat.id} />
        </div>
      </div>
      <PlainReply {...props} />
      <PlainComposer {...props} query={asked ? `?${askParams(asked.id, options)}` : ""}>
        {attachable && <AskedFields product={attachable} options={options} />}
      </PlainComposer>
    </section>
  );
}

/** Open question of the introduction after the first message, with what was typed into it and refused. */
function PlainQuestion({ chat, messages, question, lastResult }: ChatHereProps) {
  if (!question || messages.every(({ isFromAdmin }) => isFromAdmin)) return null;
  const typed = lastResult?.initialValue?.[question];
  return (
    <QuestionForm
      chatId={chat.id}
      question={question}
      error={lastResult?.error?.[question]?.[0]}
      input={{ defaultValue: typeof typed === "string" ? typed : "" }}
    />
  );
}

/** Message to which the next one replies, with a link to the page without it. */
const PlainReply = ({ chat, answerer, replyTo }: ChatHereProps) =>
  replyTo && (
    <ReplyBar
      quoted={replyTo}
      by={authorLabel(replyTo, answerer)}
      back={localTo(`/chat/${chat.id}#latest`)}
    />
  );

const Refresh = ({ chatId }: { chatId: string }) => (
  <p className="chat-day">
    {/* Without a fragment, which would not load the page again. */}
    <a className="chat-link" href={localTo(`/chat/${chatId}`)}>
      <Icon name="refresh-cw" /> Refresh
    </a>
  </p>
);

/** Fields that attach a product to a message of a plain form. */
function AskedFields({ product, options }: { product: CardProduct; options: ProductSelection }) {
  return (
    <>
      <input type="hidden" name="productId" value={product.id} />
      <input type="hidden" name="about" value="1" />
      <ChangeOptions product={product} options={options} />
    </>
  );
}

interface PlainComposerProps
  extends Pick<ChatHereProps, "chat" | "draft" | "opening" | "lastResult" | "replyTo"> {
  /** Names the product that is asked about. */
  query: string;
  children: ReactNode;
}

/** Fields whose errors stand below the form. */
const FIELDS = ["message", "files", "color", "engraving", "quantity"];

function PlainComposer({ chat, query, draft, opening, lastResult, replyTo, children }: PlainComposerProps) {
  const { message: submitted, intent } = lastResult?.initialValue ?? {};
  const errors = lastResult?.error;
  // The reason why a file or the message was refused belongs to the form as a whole; too large a form has no fields.
  const isWriting = intent === "write" || intent === undefined;
  const [named] = FIELDS.flatMap((field) => errors?.[field] ?? []);
  const error = named ?? (isWriting ? errors?.[""]?.[0] : undefined);
  return (
    <form
      className="chat-write"
      method="post"
      encType="multipart/form-data"
      action={localTo(`/chat/${chat.id}${query}#latest`)}
    >
      <input type="hidden" name="id" value={draft} />
      <input type="hidden" name="senderName" value={chat.userName} />
      {replyTo && <input type="hidden" name="replyTo" value={replyTo.id} />}
      {children}
      <textarea
        className="chat-input"
        name="message"
        rows={2}
        placeholder="Type your message..."
        aria-label="Type your message"
        defaultValue={typeof submitted === "string" ? submitted : opening}
        {...describedBy("write", error, MESSAGE_LIMIT)}
      />
      <button type="submit" name="intent" value="write" className="chat-send" aria-label="Send">
        <Icon name="send-horizontal" />
      </button>
      <FileField id="write-files" />
      <FieldNotes id="write" error={error} />
      {!error && (
        <noscript>
          <FieldNotes id="write" hint={`${MESSAGE_LIMIT} ${FILE_LIMIT}`} />
        </noscript>
      )}
    </form>
  );
}

/** File field of a plain form. */
export function FileField({ id, error }: { id: string; error?: string | undefined }) {
  return (
    <>
      <input
        className="file-field"
        type="file"
        name="files"
        multiple
        accept={ACCEPTED_TYPES}
        aria-label="Attach pictures or PDF"
        {...describedBy(id, error)}
        id={id}
      />
      <FieldNotes id={id} error={error} />
    </>
  );
}

/** Page of a chat that is closed to the reader. */
export function ClosedChat() {
  return (
    <div className="wrap chat-page">
      <h1>Support Chat</h1>
      <p className="soft">
        This link no longer works. You can start a new chat; if this one was yours, it opens in the browser
        you began it in, or by the link in our latest mail.
      </p>
      <Link className="btn btn-talk" to="/chat?new">
        <Icon name="message-circle" /> Start a new chat
      </Link>
    </div>
  );
}

/** Confirmation before a mailed link replaces the reader's current chat. */
export function ConfirmLink({ chatId, linkKey }: { chatId: string; linkKey: string }) {
  return (
    <div className="wrap chat-page">
      <h1>Open another chat?</h1>
      <p className="soft">
        You already have a chat with us in this browser. This link opens a different one in its place. Open it
        only if it came from us and is meant for you.
      </p>
      <Form method="post" action={`/chat/${encodeURIComponent(chatId)}`} className="chat-form">
        <input type="hidden" name="key" value={linkKey} />
        <SubmitButton intent="open" busy="Opening..." className="btn btn-talk">
          <Icon name="message-circle" /> Open the other chat
        </SubmitButton>
      </Form>
      <Link className="link" to="/chat?ask">
        Keep my chat
      </Link>
    </div>
  );
}
