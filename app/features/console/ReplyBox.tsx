import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { localTo } from "~/domain/local-to";
import { consoleUrl } from "~/features/chat/console-params";
import { MESSAGE_LIMIT } from "~/features/chat/limits";
import type { ChatNote } from "~/features/chat/protocol";
import {
  AttachmentFields,
  CharactersLeft,
  charactersLeft,
  keepFocus,
  sendOnEnter,
} from "~/features/conversation/client/MessageFields";
import type { TypingNotifier } from "~/features/conversation/client/typing";
import { type Attachments, useAttachments, useDropZone } from "~/features/conversation/client/useAttachments";
import { type Conversation, sendAll } from "~/features/conversation/client/useConversation";
import { conversationKey } from "~/features/conversation/client/useFileSending";
import { ReplyBar } from "~/features/conversation/quote-parts";
import { FILE_LIMIT } from "~/features/storage/file-hint";
import { fieldError, refusedFor, typedValue } from "~/records/form-state";
import { storeDraft, storedDraft } from "~/ui/drafts";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { AttachButton, AttachedFields, AttachedProduct, type AttachedProductState } from "./AttachedProduct";
import type { Reply } from "./Conversation";
import { writerOf } from "./MessageStream";
import { NoteForm, NoteToggle } from "./Notes";
import type { ConsoleData } from "./page.server";
import { type QuickResponse, QuickResponses, QuickToggle } from "./QuickResponses";
import type { LostChange } from "./useNotes";

interface ReplyBoxProps extends Pick<Conversation, "send" | "sendFile"> {
  chatId: string;
  page: Pick<ConsoleData, "replyId" | "params" | "userId">;
  input: RefObject<HTMLTextAreaElement>;
  /** Active responses. */
  responses: QuickResponse[];
  isQuick: boolean;
  onQuickOpened: () => void;
  onQuickChosen: () => void;
  onQuickClosed: () => void;
  refused: RefusedForm | undefined;
  /** Product that the reply is about. */
  attached: AttachedProductState;
  /** Receives a note that was saved. */
  onNote: (note: ChatNote) => void;
  /** Change of a note that was taken back; its words become those of a new one. */
  lost: LostChange | null;
  /** Reports that the field of a note, with the text of a lost change, was closed. */
  onNoteClosed: () => void;
  reply: Reply;
  customerName: string;
  typing: TypingNotifier;
}

/** Reply field with the Quick Responses and the search for a product above it, or the field of a note for staff. */
export function ReplyBox(props: ReplyBoxProps) {
  const { chatId, input, responses, isQuick, onQuickChosen, onQuickClosed, attached, reply } = props;
  const { isNote, setNote, lost } = useOpenNote(props);
  const toggle = <NoteToggle chatId={chatId} isOpen={isNote} onToggle={() => setNote(!isNote)} />;
  if (isNote) return <NoteBox {...props} lost={lost} onClose={() => setNote(false)} toggle={toggle} />;
  const choose = (response: string) => {
    if (input.current) insertAtCursor(input.current, response);
    onQuickChosen();
  };
  return (
    <div className="reply">
      {isQuick && (
        <QuickResponses chatId={chatId} responses={responses} onChoose={choose} onClose={onQuickClosed} />
      )}
      <AttachedProduct chatId={chatId} attached={attached} />
      {reply.replyTo && (
        <ReplyBar
          quoted={reply.replyTo}
          by={writerOf(reply.replyTo, props.customerName)}
          back={localTo(consoleUrl({ chat: chatId }))}
          onCancel={reply.clear}
        />
      )}
      <ReplyForm {...props} />
      <div className="reply-tools">
        <AttachButton chatId={chatId} attached={attached} />
        <QuickToggle
          chatId={chatId}
          isQuick={isQuick}
          onQuick={isQuick ? onQuickClosed : props.onQuickOpened}
        />
        {toggle}
      </div>
    </div>
  );
}

/** Gives the focus to the reply when the form of a note, which had it, closes. */
function useReplyFocus(isNote: boolean, input: ReplyBoxProps["input"]) {
  const wasNote = useRef(isNote);
  useEffect(() => {
    if (wasNote.current && !isNote) input.current?.focus({ preventScroll: true });
    wasNote.current = isNote;
  }, [isNote, input]);
}

/** Opens and closes the field of a note. A lost change opens it, and is its text until it is closed. */
function useOpenNote({
  page,
  lost: latest,
  onNoteClosed,
  input,
}: Pick<ReplyBoxProps, "page" | "lost" | "onNoteClosed" | "input">) {
  const isOpen = latest !== null || page.params.isNoteOpen;
  const opened = { isNote: isOpen, seen: latest, lost: latest };
  const [state, set] = useState(opened);
  useReplyFocus(state.isNote, input);
  if (latest && state.seen !== latest) set(opened);
  const setNote = (isNote: boolean) => {
    set({ ...state, isNote, lost: null });
    if (!isNote) onNoteClosed();
  };
  return { isNote: state.isNote, lost: state.lost, setNote };
}

const TAKEN_BACK = "The note was taken back in the meantime. Save note writes it anew.";

/** Field of a note, with the button that leads back to the reply. */
function NoteBox({
  chatId,
  page,
  refused,
  lost,
  onNote,
  onClose,
  toggle,
}: ReplyBoxProps & { onClose: () => void; toggle: ReactNode }) {
  const save = (note: ChatNote) => {
    onNote(note);
    onClose();
  };
  const own = refusedFor(refused, "note");
  const problem = lost ? TAKEN_BACK : fieldError(own, "note");
  const text = lost?.text ?? typedValue(own, "note");
  return (
    <div className="reply">
      <NoteForm key={text} {...{ chatId, page, text, problem, onClose }} onSaved={save} />
      <div className="reply-tools">{toggle}</div>
    </div>
  );
}

/** Form of a reply with its product and files. */
function ReplyForm(props: ReplyBoxProps) {
  const { chatId, page, input, responses, refused, attached, typing, reply } = props;
  const form = useRef<HTMLFormElement>(null);
  const { onPaste, ...attachments } = useAttachments(conversationKey(chatId, true));
  useDropZone(form, attachments.add);
  const filled = responses.find(({ id }) => id === page.params.fill)?.response;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? "";
    if (charactersLeft(text) < 0) return;
    const { message, card } = attached.compose(text);
    const files = attachments.take();
    attached.clear();
    reply.clear();
    void sendAll(props, { message, card, files, replyTo: reply.replyTo });
  };
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      action={consoleUrl({ chat: chatId, product: attached.product?.id ?? null, reply: reply.replyTo?.id })}
      className="reply-form"
      onSubmit={submit}
      ref={form}
      data-queues
    >
      <input type="hidden" name="chatId" value={chatId} />
      <input type="hidden" name="id" value={page.replyId} />
      {reply.replyTo && <input type="hidden" name="replyTo" value={reply.replyTo.id} />}
      <AttachedFields attached={attached} />
      <AttachmentFields {...attachments} />
      <ReplyInput
        {...{ input, typing, onPaste }}
        draftKey={replyDraftKey(page.userId, chatId)}
        initial={typedValue(refused, "message", filled)}
        error={fieldError(refused, "message") ?? fieldError(refused, "files")}
      />
    </Form>
  );
}

/** Returns the key under which a seller's draft of a reply is kept. */
export const replyDraftKey = (userId: string, chatId: string) => `reply-${userId}-${chatId}`;

/** Inserts a response in place of the selection, apart from the words around it. */
function insertAtCursor(input: HTMLTextAreaElement, text: string) {
  const { selectionStart, selectionEnd, value } = input;
  const before = /\S$/.test(value.slice(0, selectionStart)) ? " " : "";
  const after = /^\w/.test(value.slice(selectionEnd)) ? " " : "";
  input.setRangeText(before + text + after, selectionStart, selectionEnd, "end");
  input.focus();
}

interface ReplyInputProps extends Pick<ReplyBoxProps, "input" | "typing">, Pick<Attachments, "onPaste"> {
  initial: string;
  error: string | undefined;
  draftKey: string;
}

/** Follows the text of the reply: characters left, and the draft of this tab. */
function useReplyText(input: ReplyBoxProps["input"], initial: string, draftKey: string) {
  const [left, setLeft] = useState(charactersLeft(initial));
  useEffect(() => {
    if (input.current?.value === "") input.current.value = storedDraft(draftKey);
  }, [input, draftKey]);
  const onChange = () => {
    const text = input.current?.value ?? "";
    setLeft(charactersLeft(text));
    storeDraft(draftKey, text);
  };
  // Quick responses and stored replies change the field without an input event.
  useEffect(onChange);
  return { left, onChange };
}

function ReplyInput({ input, initial, error, draftKey, typing, onPaste }: ReplyInputProps) {
  const { left, onChange } = useReplyText(input, initial, draftKey);
  return (
    <>
      <label className="grow">
        <span className="visually-hidden">Message</span>
        <textarea
          ref={input}
          className="input"
          name="message"
          rows={1}
          placeholder="Type your response..."
          defaultValue={initial}
          {...describedBy("reply", error)}
          aria-invalid={left < 0 || error !== undefined || undefined}
          onKeyDown={sendOnEnter}
          onPaste={onPaste}
          onInput={({ currentTarget }) => {
            onChange();
            typing.changed(currentTarget.value);
          }}
          data-reply
        />
      </label>
      <SendButton />
      <CharactersLeft left={left} />
      <FieldNotes id="reply" error={error} />
      {!error && (
        <noscript>
          <p className="hint">{`${MESSAGE_LIMIT} ${FILE_LIMIT}`}</p>
        </noscript>
      )}
    </>
  );
}

function SendButton() {
  return (
    <button
      type="submit"
      name="intent"
      value="send"
      className="btn primary"
      aria-label="Send"
      onMouseDown={keepFocus}
    >
      <Icon name="send-horizontal" />
    </button>
  );
}
