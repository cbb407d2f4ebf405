import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { MAX_MESSAGE } from "../limits";

interface WriteProps {
  placeholder: string;
  /** @returns whether the field is to be emptied; false keeps what was typed */
  onSend(text: string): Promise<boolean> | boolean;
  onTyping?(isTyping: boolean): void;
  /** Nothing need be written. */
  optional?: boolean;
}

/** The field to write in: Enter sends, Shift+Enter begins a line (spec 2). */
export function Write({ placeholder, onSend, onTyping, optional = false }: WriteProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || (!optional && !text.trim())) return;
    setBusy(true);
    onTyping?.(false);
    const sent = onSend(text.trim());
    // A message stands in the log at once: the field is free for the next one.
    if (sent === true || (await sent)) setText("");
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <form className="write" onSubmit={submit}>
      <textarea
        className="input"
        rows={1}
        placeholder={placeholder}
        aria-label={placeholder.replace("...", "")}
        maxLength={MAX_MESSAGE}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          onTyping?.(true);
        }}
      />
      <button type="submit" className="btn btn-act" aria-label="Send" aria-busy={busy}>
        <SendHorizontal className="i" aria-hidden="true" />
      </button>
    </form>
  );
}
