import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import type { Question, VisitorDetails } from "~/features/chat/introduction";
import { CHAT_START, START_FAILED } from "~/features/chat/open-chat";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { showToast } from "~/ui/Toasts";
import { createChat, errorMessage, isValidEmail } from "../client/api";
import {
  AttachmentFields,
  CharactersLeft,
  charactersLeft,
  keepFocus,
  sendOnEnter,
} from "../client/MessageFields";
import { storedAccount } from "../client/panel-storage";
import type { TypingNotifier } from "../client/typing";
import { forgetFiles, startOnce, storeDetails, storedDetails, storedText, storeText } from "../client/unsent";
import { type Attachment, useAttachments, useDropZone } from "../client/useAttachments";
import { AskedProductBar, type AskedState, FirstQuestions, useAskedProduct } from "./AskedProduct";
import { DETAIL_FIELDS } from "./useIntroduction";
import type { CloseReason } from "./useVisitorChat";

interface ComposerProps {
  /** Chat that the draft belongs to; "" for one that has not started. */
  chatId: string;
  placeholder: string;
  /** Sends a message. @returns true to clear the field, false to keep its text */
  onSend(text: string, files: Attachment[]): Promise<boolean> | boolean;
  typing?: TypingNotifier;
}

/** Message field with a stored draft: Enter sends, Shift+Enter starts a new line. */
export function Composer(props: ComposerProps) {
  const { chatId, placeholder, onSend, typing } = props;
  const form = useRef<HTMLFormElement>(null);
  const { onPaste, take, restore, ...attachments } = useAttachments(chatId);
  useDropZone(form, attachments.add);
  const [text, setText] = useDraft(chatId);
  const [isBusy, setBusy] = useState(false);
  const isEmpty = !text.trim() && attachments.items.length === 0;
  const left = charactersLeft(text);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isEmpty || left < 0) return;
    setBusy(true);
    const files = take();
    const sent = onSend(text.trim(), files);
    // Clearing without an await keeps what is typed next.
    if (sent === true || (await sent)) setText("");
    else restore(files);
    setBusy(false);
  };
  const onChange = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    setText(target.value);
    typing?.changed(target.value);
  };
  return (
    <form className="chat-write" onSubmit={submit} ref={form}>
      <AttachmentFields {...attachments} />
      <textarea
        {...fieldProps(placeholder)}
        aria-invalid={left < 0 || undefined}
        value={text}
        onKeyDown={sendOnEnter}
        onPaste={onPaste}
        onChange={onChange}
      />
      <SendButton isBusy={isBusy} isEmpty={isEmpty} />
      <CharactersLeft left={left} />
    </form>
  );
}

const fieldProps = (placeholder: string) => ({
  className: "chat-input",
  rows: 1,
  placeholder,
  "aria-label": placeholder.replace("...", ""),
});

/** Holds the text of the field, which survives the page. */
function useDraft(chatId: string) {
  const [text, set] = useState(() => storedText(chatId).draft);
  const setText = (draft: string) => {
    set(draft);
    storeText(chatId, { draft });
  };
  return [text, setText] as const;
}

function SendButton({ isBusy, isEmpty }: { isBusy: boolean; isEmpty: boolean }) {
  return (
    <button
      type="submit"
      className="chat-send"
      aria-label="Send"
      aria-busy={isBusy}
      // A button that is really disabled would take the focus from the field.
      aria-disabled={isEmpty}
      onMouseDown={keepFocus}
    >
      <Icon name="send-horizontal" />
    </button>
  );
}

const INVALID_EMAIL = "Please enter a valid email address";

interface StartDetailsProps {
  asked: AskedState;
  /** Shows the page behind the panel, where it is covered. */
  showPage(): void;
  /** Reason why the previous chat ended. */
  closeReason: CloseReason | null;
  /** null until it is known. */
  isOnline: boolean | null;
  /** Welcome message of the shop; "" for none, and until it is known. */
  greeting: string;
  onStarted(chatId: string, text: string, files: Attachment[]): void;
}

const DETAILS = ["userName", "userEmail"] as const;

/** Form of a new chat: the first message, and of a visitor without an account optional name and e-mail address. */
export function StartDetails(props: StartDetailsProps) {
  const { asked: state, onStarted, showPage } = props;
  const { about, products: _, ...asked } = useAskedProduct(state);
  const { details, setDetails, error, start, isWaiting } = useStart(about, onStarted);
  const isKnown = storedAccount() !== "";
  return (
    <>
      <AskedProductBar {...asked} showPage={showPage} />
      <div className="chat-start">
        <Greeting {...props} isKnown={isKnown} />
        {isKnown ||
          DETAILS.map((name) => (
            <DetailField
              key={name}
              name={name}
              value={details[name]}
              onChange={({ target }) => setDetails({ ...details, [name]: target.value })}
              error={name === "userEmail" ? error : undefined}
            />
          ))}
        {isWaiting && (
          <p className="chat-day" role="status">
            Waits for the connection
          </p>
        )}
      </div>
      <div>
        <FirstQuestions {...asked} onAsk={(question) => void start(question, [])} />
        <Composer chatId="" placeholder="Your message..." onSend={start} />
      </div>
    </>
  );
}

/** Words of the shop above the form of a new chat; it asks what is wanted unless a product is asked about. */
function Greeting({
  asked,
  closeReason,
  isOnline,
  greeting,
  isKnown,
}: StartDetailsProps & { isKnown: boolean }) {
  return (
    <>
      {closeReason === "deleted" && <p className="chat-day">That chat has ended. You can start a new one.</p>}
      {!asked[0].id && greeting && <p className="chat-bubble">{greeting}</p>}
      {isKnown || (
        <p className="chat-bubble">
          Welcome! Please enter your details to start chatting with our support team, or just write.
        </p>
      )}
      {isOnline === false && (
        <p className="chat-bubble">
          We are away just now. {isKnown || "Leave your email, and the answer comes to you."}
        </p>
      )}
    </>
  );
}

function useStart(
  about: ReturnType<typeof useAskedProduct>["about"],
  onStarted: StartDetailsProps["onStarted"],
) {
  const [details, set] = useState(storedDetails);
  const [invalidEmail, setInvalidEmail] = useState<string | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const userName = details.userName.trim();
  const userEmail = details.userEmail.trim();
  const start = async (text: string, files: Attachment[]): Promise<boolean> => {
    if (userEmail !== "" && !isValidEmail(userEmail)) {
      setInvalidEmail(userEmail);
      document.querySelector<HTMLElement>(".chat-start [autocomplete=email]")?.focus();
      return fail(INVALID_EMAIL);
    }
    const visitor = { userName, userEmail, isAnonymous: userEmail === "" };
    setWaiting(!navigator.onLine);
    const { message: initialMessage, card } = about(await whenOnline(text), files.length > 0);
    setWaiting(false);
    const { type: _, ...product } = card ?? {};
    const first = { ...visitor, ...(initialMessage && { initialMessage }), ...product };
    try {
      const { chatId } = await startOnce(first, (key) => createChat({ ...first, key }));
      showToast("success", "Chat started successfully!", { subject: CHAT_START });
      onStarted(chatId, text, files);
      const ids = files.map(({ id }) => id);
      void forgetFiles("", ids);
      return true;
    } catch (error) {
      return fail(errorMessage(error, START_FAILED));
    }
  };
  const setDetails = (next: VisitorDetails) => {
    storeDetails(next);
    set(next);
  };
  const error = invalidEmail === userEmail ? INVALID_EMAIL : undefined;
  return { details, setDetails, start, isWaiting, error };
}

/** Waits for the connection. @returns the first message, as it then is */
async function whenOnline(text: string): Promise<string> {
  if (navigator.onLine) return text;
  await new Promise((resolve) => window.addEventListener("online", resolve, { once: true }));
  return storedText("").draft.trim() || text;
}

function fail(message: string): false {
  showToast("error", message, { subject: CHAT_START });
  return false;
}

interface DetailFieldProps {
  name: Question;
  value: string;
  onChange(event: ChangeEvent<HTMLInputElement>): void;
  error: string | undefined;
}

function DetailField({ name, error, ...input }: DetailFieldProps) {
  const id = `chat-${name}`;
  const label = `${DETAIL_FIELDS[name].placeholder} (optional)`;
  return (
    <div>
      <input
        className="chat-input"
        {...DETAIL_FIELDS[name]}
        {...input}
        placeholder={label}
        aria-label={label}
        {...describedBy(id, error)}
      />
      <FieldNotes id={id} error={error} />
    </div>
  );
}
