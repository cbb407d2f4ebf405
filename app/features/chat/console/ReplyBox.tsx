import { Form } from "@remix-run/react";
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { CharactersLeft, charactersLeft } from "../CharactersLeft";
import { MESSAGE_LIMIT } from "../limits";
import type { Typing } from "../client/typing";
import { consoleAddress } from "./params";
import { type QuickResponse, QuickResponses } from "./QuickResponses";
import { type Refused, typed, wrong } from "./rejected-form";

interface ReplyBoxProps {
  chatId: string;
  input: RefObject<HTMLTextAreaElement>;
  /** The active ones. */
  responses: QuickResponse[];
  isQuick: boolean;
  onQuickChosen: () => void;
  onQuickClosed: () => void;
  /** The response that fills the input, without JavaScript. */
  fill: string | null;
  refused: Refused | undefined;
  send: (message: string) => Promise<boolean>;
  typing: Typing;
}

/** Quick Responses above the input; Enter sends, Shift and Enter begin a new line. */
export function ReplyBox({
  chatId,
  input,
  responses,
  isQuick,
  onQuickChosen,
  onQuickClosed,
  fill,
  refused,
  send,
  typing,
}: ReplyBoxProps) {
  const filled = responses.find(({ id }) => id === fill)?.response;
  const initial = typed(refused, "message", filled);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const message = input.current?.value.trim();
    if (message && charactersLeft(message) >= 0) void send(message);
  };
  const choose = (response: string) => {
    if (input.current) fillIn(input.current, response);
    onQuickChosen();
  };
  return (
    <div className="reply">
      {isQuick && (
        <QuickResponses chatId={chatId} responses={responses} onChoose={choose} onClose={onQuickClosed} />
      )}
      <Form method="post" action={consoleAddress({ chat: chatId })} className="reply-form" onSubmit={submit}>
        <input type="hidden" name="chatId" value={chatId} />
        <ReplyInput input={input} initial={initial} error={wrong(refused, "message")} typing={typing} />
      </Form>
    </div>
  );
}

function fillIn(input: HTMLTextAreaElement, text: string) {
  input.value = text;
  input.focus();
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

interface ReplyInputProps extends Pick<ReplyBoxProps, "input" | "typing"> {
  initial: string;
  /** What is wrong with what was sent. */
  error: string | undefined;
}

function ReplyInput({ input, initial, error, typing }: ReplyInputProps) {
  const [left, setLeft] = useState(charactersLeft(initial));
  const look = () => setLeft(charactersLeft(input.current?.value ?? ""));
  // The field is also filled by a quick response and emptied by a reply that was stored.
  useEffect(look);
  return (
    <>
      <label className="grow">
        <span className="visually-hidden">Message</span>
        <textarea
          ref={input}
          className="input"
          name="message"
          rows={1}
          required
          placeholder="Type your response..."
          defaultValue={initial}
          {...describedBy("reply", error)}
          aria-invalid={left < 0 || error !== undefined || undefined}
          onKeyDown={sendOnEnter}
          onInput={() => {
            look();
            typing.typed();
          }}
          data-reply
        />
      </label>
      <SendButton />
      <CharactersLeft left={left} />
      <FieldNotes id="reply" error={error} />
      {!error && (
        <noscript>
          <p className="hint">{MESSAGE_LIMIT}</p>
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
