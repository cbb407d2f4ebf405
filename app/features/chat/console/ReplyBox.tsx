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
  send: (message: string) => Promise<void>;
  sendFile: (file: File) => Promise<void>;
  typing: TypingNotifier;
}

/** Reply field with the Quick Responses above it. */
export function ReplyBox(props: ReplyBoxProps) {
  const { chatId, input, responses, isQuick, onQuickChosen, onQuickClosed } = props;
  const choose = (response: string) => {
    if (input.current) fillIn(input.current, response);
    onQuickChosen();
  };
  return (
    <div className="reply">
      {isQuick && (
        <QuickResponses chatId={chatId} responses={responses} onChoose={choose} onClose={onQuickClosed} />
      )}
      <ReplyForm {...props} />
    </div>
  );
}

/** Form of a reply with its files. */
function ReplyForm(props: ReplyBoxProps) {
  const { chatId, replyId, input, responses, fill, rejected, send, sendFile, typing } = props;
  const form = useRef<HTMLFormElement>(null);
  const { onPaste, ...attachments } = useAttachments();
  useDropZone(form, attachments.add);
  const filled = responses.find(({ id }) => id === fill)?.response;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const message = input.current?.value.trim();
    if (message && charactersLeft(message) < 0) return;
    if (message) void send(message);
    for (const file of attachments.take()) void sendFile(file);
  };
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      action={consoleUrl({ chat: chatId })}
      className="reply-form"
      onSubmit={submit}
      ref={form}
    >
      <input type="hidden" name="chatId" value={chatId} />
      <input type="hidden" name="id" value={replyId} />
      <AttachmentFields {...attachments} />
      <ReplyInput
        {...{ input, typing, onPaste }}
        initial={typedValue(rejected, "message", filled)}
        error={fieldError(rejected, "message") ?? fieldError(rejected, "files")}
      />
    </Form>
  );
}

function fillIn(input: HTMLTextAreaElement, text: string) {
  input.value = text;
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
