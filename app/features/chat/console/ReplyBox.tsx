import { Form } from "@remix-run/react";
import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { MAX_MESSAGE } from "../limits";
import type { Typing } from "../typing";
import { type Refused, typed } from "./refused";

interface QuickResponse {
  id: string;
  trigger: string;
  response: string;
}

interface ReplyBoxProps {
  chatId: string;
  input: RefObject<HTMLTextAreaElement>;
  /** The active ones. */
  responses: QuickResponse[];
  isQuick: boolean;
  onChosen: () => void;
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
  onChosen,
  fill,
  refused,
  send,
  typing,
}: ReplyBoxProps) {
  const filled = responses.find(({ id }) => id === fill)?.response;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const message = input.current?.value.trim();
    if (message) void send(message);
  };
  const choose = (response: string) => {
    if (input.current) fillIn(input.current, response);
    onChosen();
  };
  return (
    <div className="reply">
      {isQuick && <QuickResponses chatId={chatId} responses={responses} onChoose={choose} />}
      <Form
        method="post"
        action={`/admin/chat?chat=${encodeURIComponent(chatId)}`}
        className="compose"
        onSubmit={submit}
      >
        <input type="hidden" name="chatId" value={chatId} />
        <ReplyInput input={input} initial={typed(refused, "message", filled)} typing={typing} />
        <SendButton />
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
}

function ReplyInput({ input, initial, typing }: ReplyInputProps) {
  return (
    <label className="grow">
      <span className="sr">Message</span>
      <textarea
        ref={input}
        className="input"
        name="message"
        rows={1}
        maxLength={MAX_MESSAGE}
        required
        placeholder="Type your response..."
        defaultValue={initial}
        onKeyDown={sendOnEnter}
        onInput={typing.typed}
        data-reply
      />
    </label>
  );
}

function SendButton() {
  return (
    <button type="submit" name="intent" value="send" className="btn act" aria-label="Send">
      <SendHorizontal className="i" aria-hidden="true" />
    </button>
  );
}

interface QuickResponsesProps {
  chatId: string;
  responses: QuickResponse[];
  onChoose: (response: string) => void;
}

function QuickResponses({ chatId, responses, onChoose }: QuickResponsesProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <Form method="get" action="/admin/chat" className="quick" id="quick" aria-label="Quick Responses">
      <input type="hidden" name="chat" value={chatId} />
      {responses.length === 0 && <p className="hint-box">No active responses yet.</p>}
      {responses.map(({ id, trigger, response }, i) => (
        <button
          key={id}
          ref={i === 0 ? first : null}
          type="submit"
          name="fill"
          value={id}
          onClick={(event) => {
            event.preventDefault();
            onChoose(response);
          }}
        >
          <b className="cut">{trigger}</b>
          <span className="cut">{response}</span>
        </button>
      ))}
    </Form>
  );
}
