import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type Squire from "squire-rte";
import { Icon } from "~/ui/Icon";

interface LinkToolProps {
  editor: Squire;
  /** Whether the place that is written at is a link already. */
  isLinked: boolean;
}

/** What is marked becomes a link: its address is asked for beside the tools. */
export function LinkEditor({ editor, isLinked }: LinkToolProps) {
  const [isAsking, setAsking] = useState(false);
  const make = (address: string) => {
    setAsking(false);
    editor.focus();
    editor.makeLink(address);
  };
  const cancel = () => {
    setAsking(false);
    editor.focus();
  };
  const press = () => {
    if (isLinked) editor.removeLink();
    else setAsking(!isAsking);
  };
  useLinkKey(editor, press);
  return (
    <>
      <button
        type="button"
        className="tool-button"
        aria-label="Link"
        title="Link (Ctrl+K)"
        aria-pressed={isLinked}
        aria-expanded={isAsking}
        onClick={press}
      >
        <Icon name="link-2" className="i s" />
      </button>
      {isAsking && <Address onMake={make} onCancel={cancel} />}
    </>
  );
}

/** Ctrl+K, or ⌘K, does what the button does. */
function useLinkKey(editor: Squire, press: () => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const onKey = (_: Squire, event: Event) => {
      event.preventDefault();
      latest.current();
    };
    for (const key of ["Ctrl-k", "Meta-k"]) editor.setKeyHandler(key, onKey);
  }, [editor]);
}

/**
 * What was typed as the address that a link may have; one without its beginning gets it.
 *
 * @returns null for what can't be one
 */
function linkAddress(text: string): string | null {
  if (/^(?:https:\/\/|mailto:)\S+$/i.test(text)) return text;
  if (/^[^\s@/:]+@[^\s@/:]+\.[a-z]{2,}$/i.test(text)) return `mailto:${text}`;
  const bare = text.replace(/^http:\/\//i, "");
  return /^[^\s/:@]+\.[a-z]{2,}(?:[/:?#]\S*)?$/i.test(bare) ? `https://${bare}` : null;
}

function Address({ onMake, onCancel }: { onMake: (address: string) => void; onCancel: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isWrong, setWrong] = useState(false);
  const take = () => {
    const address = linkAddress(input.current?.value.trim() ?? "");
    if (address !== null) return onMake(address);
    setWrong(true);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") take();
    else onCancel();
  };
  return (
    <>
      <input
        ref={input}
        className="input"
        type="text"
        inputMode="url"
        autoComplete="off"
        aria-label="Address of the link"
        placeholder="https://…"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? "link-error" : undefined}
        onInput={() => setWrong(false)}
        // biome-ignore lint/a11y/noAutofocus: the press that shows it asks for it
        autoFocus
        onKeyDown={onKeyDown}
      />
      <button type="button" className="btn" onClick={take}>
        Set link
      </button>
      {isWrong && <Wrong />}
    </>
  );
}

function Wrong() {
  return (
    <p className="error" id="link-error" role="alert">
      Must be a web address, such as https://example.com, or an e-mail address
    </p>
  );
}
