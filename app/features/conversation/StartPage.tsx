import type { SubmissionResult } from "@conform-to/react";
import { useRouteLoaderData } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { MESSAGE_LIMIT } from "~/features/chat/limits";
import type { CardProduct } from "~/features/chat/message-links";
import { askParams, type ProductSelection, readOptions } from "~/features/chat/product-selection";
import { formatMessageTime, formatReplyTime } from "~/features/chat/time";
import { describedBy, Field, FieldNotes } from "~/ui/Field";
import { useFreshPage } from "~/ui/fresh-page";
import { useHydrated } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import plinth from "~/ui/pictures/plinth-1000.webp?url";
import { SubmitButton } from "~/ui/SubmitButton";
import { FormKey } from "~/ui/site";
import { FileField } from "./ChatPage";
import { CharactersLeft, charactersLeft } from "./client/MessageFields";
import { storeDetails, storedDetails, storedText, storeText } from "./client/unsent";
import { AskedProduct, ChangeOptions } from "./message-parts";
import type { ListedChat, StartPageData } from "./pages.server";

/** Conversations of this browser and account, with their unread answers, read again now and then. */
export function ChatList({ chats }: Pick<StartPageData, "chats">) {
  useFreshPage();
  return (
    <section className="chat-mine" aria-label="My conversations">
      <ul>
        {chats.map((chat) => (
          <li key={chat.id} className={chat.unreadCount > 0 ? "is-unread" : undefined}>
            <Link to={`/chat/${chat.id}`} prefetch="none">
              <span className="chat-mine-mark" aria-hidden="true">
                {chat.product ? (
                  <Picture image={chat.product.image} alt="" sizes="56px" width={56} />
                ) : (
                  <Icon name="message-circle" />
                )}
              </span>
              <span className="chat-mine-last">
                <Subject {...chat} />
                <span className="truncate">
                  {chat.writer && <b>{chat.writer}: </b>}
                  {chat.lastMessage.split("\n", 1)[0] || "New conversation"}
                </span>
                {chat.waiting.map(({ kind, text }) => (
                  <span key={kind} className="chat-mine-waits">
                    <Icon name={kind === "quote" ? "pencil" : "package-check"} className="i s" />
                    {text}
                  </span>
                ))}
              </span>
              <ChatState chat={chat} />
            </Link>
          </li>
        ))}
      </ul>
      {chats.some(({ state }) => state === "closed") && (
        <p className="soft">A closed conversation opens again when you write in it.</p>
      )}
    </section>
  );
}

/** Names a conversation by the first product asked for, `Mushroom table lamp and 2 more`, else by what waits, else by its first day. */
function Subject({
  product,
  more,
  waiting,
  begun,
}: Pick<ListedChat, "product" | "more" | "waiting" | "begun">) {
  return (
    <b className="chat-mine-subject">
      <span className="truncate">{product?.name ?? waiting[0]?.about ?? `Conversation of ${begun}`}</span>
      {product && more > 0 && ` and ${more} more`}
    </b>
  );
}

/** Availability of the shop, how soon it usually answers, and its hours. */
export function AnswerNote({ answerer }: Pick<StartPageData, "answerer">) {
  const { isOnline, replySeconds, back, hours } = answerer;
  return (
    <p className="bubble bubble-soft chat-answers">
      {!isOnline
        ? "We are away just now. Write, and we'll answer as soon as we're back."
        : replySeconds === null
          ? "We are here."
          : `We are here, and usually answer within ${formatReplyTime(replySeconds)}.`}
      {(back || hours) && ` ${back || hours}.`}
    </p>
  );
}

/** Part beside the start form of a reader without conversations. */
export function Welcome({ answerer }: Pick<StartPageData, "answerer">) {
  return (
    <div className="chat-welcome-side">
      <img src={plinth} alt="" width={800} height={1000} />
      <AnswerNote answerer={answerer} />
      <p className="soft">Question and answer stay on this page, with the pictures that you send.</p>
      <Link className="btn btn-line" to="/shop">
        Look round the shop
      </Link>
    </div>
  );
}

function ChatState({ chat: { at, time, state, unreadCount } }: { chat: ListedChat }) {
  // By the clock of the reader, as in the conversation.
  const isHydrated = useHydrated();
  return (
    <span className="chat-mine-state">
      <time dateTime={new Date(at * 1000).toISOString()}>{isHydrated ? formatMessageTime(at) : time}</time>
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
  greeting: string;
  /** Product that the reader asks about. */
  asked: CardProduct | null;
  options: ProductSelection;
  /** First words of the message; "" for none. */
  opening: string;
  /** Refused submission. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
}

/** Form that starts a chat on its own page. */
export function StartForm(props: StartFormProps) {
  const { isNew, greeting, asked, options: proposed, opening, lastResult } = props;
  const submitted = submittedValues(lastResult);
  const options = lastResult ? readOptions(submitted) : proposed;
  const error = (name: string) => lastResult?.error?.[name]?.[0];
  const message = lastResult ? submitted("initialMessage") : opening;
  const details = useDetails();
  const field = (name: string) => ({
    id: `start-${name}`,
    name,
    defaultValue: submitted(name),
    error: error(name),
  });
  return (
    <Form
      method="post"
      action={startUrl(asked, proposed)}
      className="chat-form"
      encType="multipart/form-data"
      noValidate
      ref={details.form}
      onSubmit={details.store}
    >
      <FormKey />
      <input type="hidden" name="continue" value={String(!isNew)} />
      {asked && <AskedFields asked={asked} options={options} error={error} />}
      <Introduction greeting={asked ? "" : greeting} field={field} />
      <MessageField initial={message} error={error("initialMessage")} />
      <div className="field">
        <FileField id="start-files" error={error("files")} />
      </div>
      {asked && <FirstQuestions asked={asked} />}
      <SubmitButton intent="start" busy="Starting chat..." className="btn btn-talk">
        <Icon name="message-circle" /> Start chat
      </SubmitButton>
    </Form>
  );
}

/** Reads the text fields of a refused form; "" without one. */
const submittedValues = (refused: StartFormProps["lastResult"]) => (name: string) => {
  const value = refused?.initialValue?.[name];
  return typeof value === "string" ? value : "";
};

interface IntroductionProps {
  /** "" for none, as where the product that is wanted is known. */
  greeting: string;
  field(name: string): { id: string; name: string; defaultValue: string; error: string | undefined };
}

/** Words of the shop above the form, and the visitor's details; the shop adds those of an account. */
function Introduction({ greeting, field }: IntroductionProps) {
  const isKnown = Boolean(useRouteLoaderData<{ user: object | null }>("routes/_shop")?.user);
  return (
    <>
      {greeting && <p className="bubble bubble-soft">{greeting}</p>}
      {!isKnown && (
        <>
          <p className="bubble bubble-soft">
            Welcome! Please enter your details to start chatting with our support team, or just write.
          </p>
          <Field {...field("userName")} label="Your name (optional)" autoComplete="name" maxLength={100} />
          <Field {...field("userEmail")} label="Your email (optional)" type="email" autoComplete="email" />
        </>
      )}
    </>
  );
}

/** Buttons that send a first question; their field stands after that of the message, which they replace. */
const FirstQuestions = ({ asked }: { asked: CardProduct }) => (
  // biome-ignore lint/a11y/useSemanticElements: a group of acts, not of fields
  <div className="chat-first" role="group" aria-label="First questions">
    {asked.questions?.map((question) => (
      <button key={question} type="submit" name="initialMessage" value={question}>
        {question}
      </button>
    ))}
  </div>
);

/** Address of the form, to which a refused one comes back with its product. */
const startUrl = (asked: CardProduct | null, options: ProductSelection) =>
  `/chat?index${asked ? `&${askParams(asked.id, options)}` : ""}`;

const DETAILS = ["userName", "userEmail"] as const;

/**
 * Proposes the name and address that were last entered in this browser, and remembers those that are sent
 * in place of the draft.
 */
function useDetails() {
  const form = useRef<HTMLFormElement>(null);
  const fieldNamed = (name: (typeof DETAILS)[number]) => {
    const found = form.current?.elements.namedItem(name);
    return found instanceof HTMLInputElement ? found : null;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before anybody types
  useEffect(() => {
    const known = storedDetails();
    for (const name of DETAILS) {
      const input = fieldNamed(name);
      if (input && !input.value) input.value = known[name];
    }
  }, []);
  const store = () => {
    storeText("", { draft: "" });
    const [userName, userEmail] = DETAILS.map((name) => fieldNamed(name)?.value);
    if (userName !== undefined && userEmail !== undefined) storeDetails({ userName, userEmail });
  };
  return { form, store };
}

interface AskedFieldsProps {
  asked: CardProduct;
  options: ProductSelection;
  /** Returns the error of a field. */
  error(name: string): string | undefined;
}

/** Product that the reader asks about, with its fields. */
function AskedFields({ asked, options, error }: AskedFieldsProps) {
  return (
    <>
      <input type="hidden" name="productId" value={asked.id} />
      <input type="hidden" name="about" value="1" />
      <AskedProduct product={asked} options={options}>
        <ChangeOptions product={asked} options={options} />
      </AskedProduct>
      <FieldNotes id="start-options" error={error("color") ?? error("engraving") ?? error("quantity")} />
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
