import { Form } from "@remix-run/react";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { AttachmentFields } from "../client/AttachmentFields";
import type { TypingNotifier } from "../client/typing";
import { type Attachments, useAttachments, useDropZone } from "../client/useAttachments";
import { FILE_LIMIT } from "../files";
import { MESSAGE_LIMIT } from "../limits";
import { CharactersLeft, charactersLeft, sendOnEnter } from "../message-input";
import type { ProductCard } from "../protocol";
import { AttachButton, AttachedFields, AttachedProduct, type AttachedProductState } from "./AttachedProduct";
import { consoleUrl } from "./params";
import { type QuickResponse, QuickResponses } from "./QuickResponses";
import { fieldError, type RejectedForm, typedValue } from "./rejected-form";

interface ReplyBoxProps {
  chatId: string;
  /** Client id of the reply, for the form without JavaScript. */
  replyId: string;
  input: RefObject<HTMLTextAreaElement>;
  /** Active responses. */
  responses: QuickResponse[];
  isQuick: boolean;
  onQuickChosen: () => void;
  onQuickClosed: () => void;
  /** Id of the response that fills the input (without JavaScript). */
  fill: string | null;
  rejected: RejectedForm | undefined;
  /** Product that the reply is about. */
  attached: AttachedProductState;
  send: (message: string, card?: ProductCard) => Promise<void>;
  sendFile: (file: File) => Promise<void>;
  typing: TypingNotifier;
}

/** Reply field with the Quick Responses and the search for a product above it. */
export function ReplyBox(props: ReplyBoxProps) {
  const { chatId, input, responses, isQuick, onQuickChosen, onQuickClosed, attached } = props;
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
      <ReplyForm {...props} />
      <AttachButton chatId={chatId} attached={attached} />
    </div>
  );
}

/** Form of a reply with its product and files. */
function ReplyForm(props: ReplyBoxProps) {
  const { chatId, replyId, input, responses, fill, rejected, attached, typing } = props;
  const form = useRef<HTMLFormElement>(null);
  const { onPaste, ...attachments } = useAttachments();
  useDropZone(form, attachments.add);
  const filled = responses.find(({ id }) => id === fill)?.response;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? "";
    if (charactersLeft(text) < 0) return;
    const { message, card } = attached.compose(text);
    if (message) void props.send(message, card);
    for (const file of attachments.take()) void props.sendFile(file);
  };
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      action={consoleUrl({ chat: chatId, product: attached.product?.id ?? null })}
      className="reply-form"
      onSubmit={submit}
      ref={form}
    >
      <input type="hidden" name="chatId" value={chatId} />
      <input type="hidden" name="id" value={replyId} />
      <AttachedFields attached={attached} />
      <AttachmentFields {...attachments} />
      <ReplyInput
        {...{ input, typing, onPaste }}
        initial={typedValue(rejected, "message", filled)}
        error={fieldError(rejected, "message") ?? fieldError(rejected, "files")}
      />
    </Form>
  );
}

/** Inserts a response in place of the selection, apart from the word before it. */
function insertAtCursor(input: HTMLTextAreaElement, text: string) {
  const { selectionStart, selectionEnd, value } = input;
  const gap = /\S$/.test(value.slice(0, selectionStart)) ? " " : "";
  input.setRangeText(gap + text, selectionStart, selectionEnd, "end");
  input.focus();
}

interface ReplyInputProps extends Pick<ReplyBoxProps, "input" | "typing">, Pick<Attachments, "onPaste"> {
  initial: string;
  error: string | undefined;
}

function ReplyInput({ input, initial, error, typing, onPaste }: ReplyInputProps) {
  const [left, setLeft] = useState(charactersLeft(initial));
  const updateLeft = () => setLeft(charactersLeft(input.current?.value ?? ""));
  // Quick responses and stored replies change the field without an input event.
  useEffect(updateLeft);
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
          onInput={() => {
            updateLeft();
            typing.keyPressed();
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
    <button type="submit" name="intent" value="send" className="btn primary" aria-label="Send">
      <Icon name="send-horizontal" />
    </button>
  );
}
