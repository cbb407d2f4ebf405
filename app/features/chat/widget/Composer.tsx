import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { Icon } from "~/ui/Icon";
import { AttachmentFields } from "../client/AttachmentFields";
import { storedText, storeText } from "../client/storage";
import type { TypingNotifier } from "../client/typing";
import { useAttachments, useDropZone } from "../client/useAttachments";
import { CharactersLeft, charactersLeft, sendOnEnter } from "../message-input";

interface ComposerProps {
  /** Chat that the draft belongs to; "" for one that has not started. */
  chatId: string;
  placeholder: string;
  /** @returns true to clear the field, false to keep its text */
  onSend(text: string, files: File[]): Promise<boolean> | boolean;
  typing?: TypingNotifier;
  /** The text may be empty. */
  optional?: boolean;
}

/** Message field with a stored draft: Enter sends, Shift+Enter starts a new line. */
export function Composer(props: ComposerProps) {
  const { chatId, placeholder, onSend, typing, optional } = props;
  const form = useRef<HTMLFormElement>(null);
  const { onPaste, take, restore, ...attachments } = useAttachments();
  useDropZone(form, attachments.add);
  const [text, setText] = useDraft(chatId);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = !optional && !text.trim() && attachments.items.length === 0;
    if (isBusy || isEmpty || charactersLeft(text) < 0) return;
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
    typing?.keyPressed();
  };
  return (
    <form className="chat-write" onSubmit={submit} ref={form}>
      <AttachmentFields {...attachments} />
      <textarea
        {...fieldProps(placeholder)}
        aria-invalid={charactersLeft(text) < 0 || undefined}
        value={text}
        onKeyDown={sendOnEnter}
        onPaste={onPaste}
        onChange={onChange}
      />
      <SendButton isBusy={isBusy} />
      <CharactersLeft left={charactersLeft(text)} />
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

function SendButton({ isBusy }: { isBusy: boolean }) {
  return (
    <button type="submit" className="chat-send" aria-label="Send" aria-busy={isBusy}>
      <Icon name="send-horizontal" />
    </button>
  );
}
