import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type Squire from "squire-rte";
import { Icon } from "~/ui/Icon";

interface LinkEditorProps {
  editor: Squire;
  /** True when the cursor is in a link. */
  isLinked: boolean;
}

/** Toolbar button that turns the selection into a link, after a field for its URL. */
export function LinkEditor({ editor, isLinked }: LinkEditorProps) {
  const [isOpen, setOpen] = useState(false);
  const makeLink = (url: string) => {
    setOpen(false);
    editor.focus();
    editor.makeLink(url);
  };
  const cancel = () => {
    setOpen(false);
    editor.focus();
  };
  const toggle = () => {
    if (isLinked) editor.removeLink();
    else setOpen(!isOpen);
  };
  useLinkKey(editor, toggle);
  return (
    <>
      <button
        type="button"
        className="tool-button"
        aria-label="Link"
        title="Link (Ctrl+K)"
        aria-pressed={isLinked}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <Icon name="link-2" className="i s" />
      </button>
      {isOpen && <UrlField onSubmit={makeLink} onCancel={cancel} />}
    </>
  );
}

/** Binds Ctrl+K and ⌘K to the button. */
function useLinkKey(editor: Squire, toggle: () => void): void {
  const latest = useRef(toggle);
  latest.current = toggle;
  useEffect(() => {
    const onKey = (_: Squire, event: Event) => {
      event.preventDefault();
      latest.current();
    };
    for (const key of ["Ctrl-k", "Meta-k"]) editor.setKeyHandler(key, onKey);
  }, [editor]);
}

/**
 * Parses a typed URL or e-mail address; a missing scheme is added.
 *
 * @returns null for an invalid one
 */
function parseLinkUrl(text: string): string | null {
  if (/^(?:https:\/\/|mailto:)\S+$/i.test(text)) return text;
  if (/^[^\s@/:]+@[^\s@/:]+\.[a-z]{2,}$/i.test(text)) return `mailto:${text}`;
  const bare = text.replace(/^http:\/\//i, "");
  return /^[^\s/:@]+\.[a-z]{2,}(?:[/:?#]\S*)?$/i.test(bare) ? `https://${bare}` : null;
}

function UrlField({ onSubmit, onCancel }: { onSubmit: (url: string) => void; onCancel: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isInvalid, setInvalid] = useState(false);
  const submit = () => {
    const url = parseLinkUrl(input.current?.value.trim() ?? "");
    if (url !== null) return onSubmit(url);
    setInvalid(true);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") submit();
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
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? "link-error" : undefined}
        onInput={() => setInvalid(false)}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened it
        autoFocus
        onKeyDown={onKeyDown}
      />
      <button type="button" className="btn" onClick={submit}>
        Set link
      </button>
      {isInvalid && <UrlError />}
    </>
  );
}

function UrlError() {
  return (
    <p className="error" id="link-error" role="alert">
      Must be a web address, such as https://example.com, or an e-mail address
    </p>
  );
}
