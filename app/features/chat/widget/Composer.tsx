import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Icon } from "~/ui/Icon";
import { CharactersLeft, charactersLeft } from "../CharactersLeft";
import type { Typing } from "../client/typing";
import { keepWords, wordsFor } from "../client/storage";

interface WriteProps {
  /** Whose draft it is; "" for the chat that hasn't begun. */
  chatId: string;
  placeholder: string;
  /** @returns whether the field is to be emptied; false keeps what was typed */
  onSend(text: string): Promise<boolean> | boolean;
  typing?: Typing;
  /** Nothing need be written. */
  optional?: boolean;
}

/** The field to write in: Enter sends, Shift+Enter begins a line (spec 2). What stands in it is kept. */
export function Write({ chatId, placeholder, onSend, typing, optional = false }: WriteProps) {
  const [text, set] = useState(() => wordsFor(chatId).draft);
  const [busy, setBusy] = useState(false);
  const left = charactersLeft(text);
  const setText = (draft: string) => {
    set(draft);
    keepWords(chatId, { draft });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || left < 0 || (!optional && !text.trim())) return;
    setBusy(true);
    const sent = onSend(text.trim());
    // A message stands in the log at once: the field is free for the next one.
    if (sent === true || (await sent)) setText("");
    setBusy(false);
  };
  return (
    <form className="chat-write" onSubmit={submit}>
      <textarea
        className="chat-input"
        rows={1}
        placeholder={placeholder}
        aria-label={placeholder.replace("...", "")}
        aria-invalid={left < 0 || undefined}
        value={text}
        onKeyDown={sendOnEnter}
        onChange={(event) => {
          setText(event.target.value);
          typing?.typed();
        }}
      />
      <button type="submit" className="chat-send" aria-label="Send" aria-busy={busy}>
        <Icon name="send-horizontal" />
      </button>
      <CharactersLeft left={left} />
    </form>
  );
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
