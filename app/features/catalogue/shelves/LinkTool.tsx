import { Link2 } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type Squire from "squire-rte";

interface LinkToolProps {
  editor: Squire;
  /** Whether the place that is written at is a link already. */
  isLinked: boolean;
}

/** What is marked becomes a link: its address is asked for beside the tools. */
export function LinkTool({ editor, isLinked }: LinkToolProps) {
  const [isAsking, setAsking] = useState(false);
  const make = (address: string) => {
    setAsking(false);
    editor.focus();
    editor.makeLink(address);
  };
  const press = () => {
    if (isLinked) editor.removeLink();
    else setAsking(!isAsking);
  };
  return (
    <>
      <button
        type="button"
        className="ico"
        aria-label="Link"
        title="Link"
        aria-pressed={isLinked}
        aria-expanded={isAsking}
        onClick={press}
      >
        <Link2 className="i s" aria-hidden="true" />
      </button>
      {isAsking && <Address onMake={make} onCancel={() => setAsking(false)} />}
    </>
  );
}

function Address({ onMake, onCancel }: { onMake: (address: string) => void; onCancel: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const take = () => {
    const address = input.current?.value.trim() ?? "";
    if (/^(?:https:\/\/|mailto:)\S+$/.test(address)) onMake(address);
    else input.current?.focus();
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
        type="url"
        aria-label="Address of the link, beginning with https://"
        placeholder="https://…"
        // biome-ignore lint/a11y/noAutofocus: the press that shows it asks for it
        autoFocus
        onKeyDown={onKeyDown}
      />
      <button type="button" className="btn" onClick={take}>
        Set link
      </button>
    </>
  );
}
