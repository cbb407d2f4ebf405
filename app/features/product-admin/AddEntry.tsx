import { type KeyboardEvent, useRef, useState } from "react";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";

interface AddLineProps {
  id: string;
  name: string;
  label: string;
  /** What its button adds, such as "color". */
  thing: string;
  placeholder: string;
  hint?: string;
  /** What was typed into a form that was refused. */
  typed?: string | undefined;
  /** Adds what was typed; says what is wrong with it, or null. */
  add: (text: string) => string | null;
}

/** A line whose text joins a list by Enter or its button (back office 5). Without a script it is sent with the form. */
export function AddEntry({ id, name, label, thing, placeholder, hint, typed, add }: AddLineProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const take = () => {
    if (!input.current?.value.trim()) return;
    const wrong = add(input.current.value);
    setProblem(wrong ?? undefined);
    if (wrong === null) input.current.value = "";
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    take();
  };
  return (
    <div className="add-line">
      <label htmlFor={id}>{label}</label>
      <span className="button-row">
        <input
          ref={input}
          id={id}
          className="input"
          type="text"
          name={name}
          placeholder={placeholder}
          defaultValue={typed}
          autoComplete="off"
          onKeyDown={onKeyDown}
          onInput={() => setProblem(undefined)}
          {...describedBy(id, problem, hint)}
        />
        <button type="button" className="btn needs-script" onClick={take} aria-label={`Add ${thing}`}>
          <Icon name="plus" className="i s" />
          Add
        </button>
      </span>
      <FieldNotes id={id} error={problem} hint={hint} />
    </div>
  );
}
