import { type KeyboardEvent, useRef, useState } from "react";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";

interface AddEntryProps {
  id: string;
  name: string;
  label: string;
  /** Item in the button's label, such as "color". */
  item: string;
  placeholder: string;
  /** Text from a rejected form. */
  defaultValue?: string | undefined;
  /** Adds the typed text. @returns an error message or null */
  add: (text: string) => string | null;
}

/** Text field that adds to a list by Enter or its button. Without JavaScript it is sent with the form. */
export function AddEntry({ id, name, label, item, placeholder, defaultValue, add }: AddEntryProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    if (!input.current?.value.trim()) return;
    const error = add(input.current.value);
    setProblem(error ?? undefined);
    if (error === null) input.current.value = "";
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    submit();
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
          defaultValue={defaultValue}
          autoComplete="off"
          onKeyDown={onKeyDown}
          onInput={() => setProblem(undefined)}
          {...describedBy(id, problem)}
        />
        <button type="button" className="btn needs-script" onClick={submit} aria-label={`Add ${item}`}>
          <Icon name="plus" className="i s" />
          Add
        </button>
      </span>
      <FieldNotes id={id} error={problem} />
    </div>
  );
}
