import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type Squire from "squire-rte";
import { isComposing } from "~/ui/composition";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { useLatest } from "~/ui/latest";

interface RichTextEditorProps {
  id: string;
  name: string;
  label: string;
  defaultValue: string;
  error?: string | undefined;
}

const PLAIN_TEXT_HINT = "Lines stay as they are typed, and simple HTML works: <b>, <i>, <ul><li>, <a>.";

/** Text field for a description, which becomes an editor once its script is loaded. */
export function RichTextEditor({ id, name, label, defaultValue, error }: RichTextEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const editor = useEditor(area, page);
  const isRich = editor !== null;
  return (
    <div className="field rich-field">
      <label htmlFor={isRich ? undefined : id} id={`${id}-label`}>
        {label}
      </label>
      {editor && <Toolbar editor={editor} />}
      <div
        ref={page}
        className="input area rich-text"
        hidden={!isRich}
        {...(isRich && {
          role: "textbox",
          "aria-multiline": true,
          "aria-labelledby": `${id}-label`,
          tabIndex: 0,
        })}
        {...describedBy(id, error)}
      />
      <textarea
        ref={area}
        id={id}
        name={name}
        className="input area"
        rows={4}
        maxLength={20_000}
        defaultValue={defaultValue}
        hidden={isRich}
        {...describedBy(id, error)}
      />
      <p className="without-script soft">{PLAIN_TEXT_HINT}</p>
      <FieldNotes id={id} error={error} />
    </div>
  );
}

/** Mounts an editor that writes to the text field; null until it is loaded. */
function useEditor(area: React.RefObject<HTMLTextAreaElement>, page: React.RefObject<HTMLDivElement>) {
  const [editor, setEditor] = useState<Squire | null>(null);
  useEffect(() => {
    let mounted: Squire | null = null;
    let isUnmounted = false;
    const mount = async () => {
      const { mountEditor } = await import("./editor.client");
      await whenLeft(area.current);
      if (isUnmounted || !page.current || !area.current) return;
      mounted = mountEditor(page.current, area.current);
      setEditor(mounted);
    };
    // The text field stays usable without the editor.
    void mount().catch(() => undefined);
    return () => {
      isUnmounted = true;
      mounted?.destroy();
    };
  }, [area, page]);
  return editor;
}

/** Waits while the field has the focus: replacing it would lose what is being typed. */
function whenLeft(field: HTMLElement | null): Promise<unknown> | undefined {
  if (field === null || field !== document.activeElement) return undefined;
  return new Promise((resolve) => field.addEventListener("blur", resolve, { once: true }));
}

const TOOLS = [
  { label: "Bold", icon: "bold", tag: "B", on: "bold", off: "removeBold" },
  { label: "Italic", icon: "italic", tag: "I", on: "italic", off: "removeItalic" },
  { label: "Underline", icon: "underline", tag: "U", on: "underline", off: "removeUnderline" },
  { label: "List", icon: "list", tag: "UL", on: "makeUnorderedList", off: "removeList" },
  { label: "Numbered list", icon: "list-ordered", tag: "OL", on: "makeOrderedList", off: "removeList" },
] as const;

function Toolbar({ editor }: { editor: Squire }) {
  const [path, setPath] = useState("");
  useEffect(() => {
    const update = () => setPath(editor.getPath());
    editor.addEventListener("pathChange", update);
    editor.addEventListener("select", update);
    return () => {
      editor.removeEventListener("pathChange", update);
      editor.removeEventListener("select", update);
    };
  }, [editor]);
  const isIn = (tag: string) => path.split(">").some((part) => part.split(/[.#[]/)[0] === tag);
  return (
    <div className="rich-tools" role="toolbar" aria-label="Text style">
      {TOOLS.map(({ label, icon, tag, on, off }) => (
        <button
          key={label}
          type="button"
          className="tool-button"
          aria-label={label}
          title={label}
          aria-pressed={isIn(tag)}
          onClick={() => editor[isIn(tag) ? off : on]()}
        >
          <Icon name={icon} className="i s" />
        </button>
      ))}
      <LinkEditor editor={editor} isLinked={isIn("A")} />
    </div>
  );
}

/** Toolbar button that turns the selection into a link, after a field for its URL. */
function LinkEditor({ editor, isLinked }: { editor: Squire; isLinked: boolean }) {
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
  const latest = useLatest(toggle);
  useEffect(() => {
    const onKey = (_: Squire, event: Event) => {
      event.preventDefault();
      latest.current();
    };
    for (const key of ["Ctrl-k", "Meta-k"]) editor.setKeyHandler(key, onKey);
  }, [editor, latest]);
}

/** Parses a typed URL or e-mail address; a missing scheme is added. @returns null for an invalid one */
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
    if ((event.key !== "Enter" && event.key !== "Escape") || isComposing(event.nativeEvent)) return;
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
      Must be a web address, such as https://example.com, or an email address
    </p>
  );
}
