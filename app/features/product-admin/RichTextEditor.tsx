import { useEffect, useRef, useState } from "react";
import type Squire from "squire-rte";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { LinkEditor } from "./LinkEditor";

interface RichTextProps {
  id: string;
  name: string;
  label: string;
  defaultValue: string;
  error?: string | undefined;
}

const BY_HAND = "Lines stay as they are typed, and simple HTML works: <b>, <i>, <ul><li>, <a>.";

/** A description: a plain text field, which becomes an editor once its script is there. It is loaded for this form alone. */
export function RichTextEditor({ id, name, label, defaultValue, error }: RichTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const editor = useEditor(area, page);
  const isRich = editor !== null;
  return (
    <div className="field rich-field">
      <label htmlFor={isRich ? undefined : id} id={`${id}-label`}>
        {label}
      </label>
      {editor && <Tools editor={editor} />}
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
      <p className="without-script soft">{BY_HAND}</p>
      <FieldNotes id={id} error={error} />
    </div>
  );
}

/** The editor over the text field, whose value it keeps; null until it is loaded, and where it can't be. */
function useEditor(area: React.RefObject<HTMLTextAreaElement>, page: React.RefObject<HTMLDivElement>) {
  const [editor, setEditor] = useState<Squire | null>(null);
  useEffect(() => {
    let made: Squire | null = null;
    let gone = false;
    const begin = async () => {
      const { mountEditor } = await import("./editor.client");
      if (gone || !page.current || !area.current) return;
      made = mountEditor(page.current, area.current);
      setEditor(made);
    };
    // Without the editor the text field does.
    void begin().catch(() => undefined);
    return () => {
      gone = true;
      made?.destroy();
    };
  }, [area, page]);
  return editor;
}

interface Tool {
  word: string;
  icon: IconName;
  tag: string;
  on: (editor: Squire) => void;
  off: (editor: Squire) => void;
}

const TOOLS: Tool[] = [
  {
    word: "Bold",
    icon: "bold",
    tag: "B",
    on: (editor) => editor.bold(),
    off: (editor) => editor.removeBold(),
  },
  {
    word: "Italic",
    icon: "italic",
    tag: "I",
    on: (editor) => editor.italic(),
    off: (editor) => editor.removeItalic(),
  },
  {
    word: "Underline",
    icon: "underline",
    tag: "U",
    on: (editor) => editor.underline(),
    off: (editor) => editor.removeUnderline(),
  },
  {
    word: "List",
    icon: "list",
    tag: "UL",
    on: (editor) => editor.makeUnorderedList(),
    off: (editor) => editor.removeList(),
  },
  {
    word: "Numbered list",
    icon: "list-ordered",
    tag: "OL",
    on: (editor) => editor.makeOrderedList(),
    off: (editor) => editor.removeList(),
  },
];

function Tools({ editor }: { editor: Squire }) {
  const [path, setPath] = useState("");
  useEffect(() => {
    const look = () => setPath(editor.getPath());
    editor.addEventListener("pathChange", look);
    editor.addEventListener("select", look);
    return () => {
      editor.removeEventListener("pathChange", look);
      editor.removeEventListener("select", look);
    };
  }, [editor]);
  const isIn = (tag: string) => path.split(">").some((part) => part.split(/[.#[]/)[0] === tag);
  return (
    <div className="rich-tools" role="toolbar" aria-label="Text style">
      {TOOLS.map(({ word, icon, tag, on, off }) => (
        <button
          key={word}
          type="button"
          className="tool-button"
          aria-label={word}
          title={word}
          aria-pressed={isIn(tag)}
          onClick={() => (isIn(tag) ? off : on)(editor)}
        >
          <Icon name={icon} className="i s" />
        </button>
      ))}
      <LinkEditor editor={editor} isLinked={isIn("A")} />
    </div>
  );
}
