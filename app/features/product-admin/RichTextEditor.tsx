import { useEffect, useRef, useState } from "react";
import type Squire from "squire-rte";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { LinkEditor } from "./LinkEditor";

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

interface Tool {
  label: string;
  icon: IconName;
  tag: string;
  on: (editor: Squire) => void;
  off: (editor: Squire) => void;
}

const TOOLS: Tool[] = [
  {
    label: "Bold",
    icon: "bold",
    tag: "B",
    on: (editor) => editor.bold(),
    off: (editor) => editor.removeBold(),
  },
  {
    label: "Italic",
    icon: "italic",
    tag: "I",
    on: (editor) => editor.italic(),
    off: (editor) => editor.removeItalic(),
  },
  {
    label: "Underline",
    icon: "underline",
    tag: "U",
    on: (editor) => editor.underline(),
    off: (editor) => editor.removeUnderline(),
  },
  {
    label: "List",
    icon: "list",
    tag: "UL",
    on: (editor) => editor.makeUnorderedList(),
    off: (editor) => editor.removeList(),
  },
  {
    label: "Numbered list",
    icon: "list-ordered",
    tag: "OL",
    on: (editor) => editor.makeOrderedList(),
    off: (editor) => editor.removeList(),
  },
];

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
          onClick={() => (isIn(tag) ? off : on)(editor)}
        >
          <Icon name={icon} className="i s" />
        </button>
      ))}
      <LinkEditor editor={editor} isLinked={isIn("A")} />
    </div>
  );
}
