import { Form } from "@remix-run/react";
import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { MAX_MESSAGE } from "../limits";
import { type Refused, typed } from "./refused";

interface QuickResponse {
  id: string;
  trigger: string;
  response: string;
}

interface ReplyBoxProps {
  chatId: string;
  /** The active ones. */
  responses: QuickResponse[];
  isQuick: boolean;
  onChosen: () => void;
  /** The response that fills the input, without JavaScript. */
  fill: string | null;
  refused: Refused | undefined;
  send: (message: string) => Promise<boolean>;
}

/** Quick Responses above the input; Enter sends, Shift and Enter begin a new line. */
export function ReplyBox({ chatId, responses, isQuick, onChosen, fill, refused, send }: ReplyBoxProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const filled = responses.find(({ id }) => id === fill)?.response ?? "";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (input.current) void sendFrom(input.current, send);
  };
  const choose = (response: string) => {
    if (input.current) input.current.value = response;
    input.current?.focus();
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
            defaultValue={typed(refused, "message", filled)}
            onKeyDown={sendOnEnter}
            data-reply
          />
        </label>
        <SendButton />
      </Form>
    </div>
  );
}

/** The input clears once its message was stored, unless something else stands there by then. */
async function sendFrom(input: HTMLTextAreaElement, send: ReplyBoxProps["send"]) {
  const message = input.value.trim();
  if (message && (await send(message)) && input.value.trim() === message) input.value = "";
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
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
