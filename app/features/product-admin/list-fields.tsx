import { type KeyboardEvent, useRef, useState } from "react";
import { MAX_COLOR_LENGTH } from "~/features/catalogue/product";
import { splitList } from "~/records/cells";
import { isComposing } from "~/ui/composition";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";

interface ColorFieldProps {
  colors: string[];
  onChange: (colors: string[]) => void;
  error: string | undefined;
  /** Text from a refused form. */
  typed: string | undefined;
  /** Ticked checkboxes of a refused form; null without one. */
  ticked: string[] | null;
}

const INPUT_ID = "product-addColors";

/** Field of the colors of a product. Without JavaScript each one is kept by its checkbox. */
export function ColorField({ colors, onChange, error, typed, ticked }: ColorFieldProps) {
  const add = (text: string) => {
    const result = addColors(colors, splitList(text));
    if (typeof result === "string") return result;
    onChange(result);
    return null;
  };
  return (
    <fieldset className="field colors-field">
      <legend>Colors</legend>
      {colors.length > 0 && (
        <ul className="filter-chips">
          {colors.map((color) => (
            <Color
              key={color}
              color={color}
              isTicked={ticked?.includes(color) ?? true}
              onRemove={() => {
                onChange(colors.filter((other) => other !== color));
                document.getElementById(INPUT_ID)?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <AddEntry
        id={INPUT_ID}
        name="addColors"
        label="Add a color"
        item="color"
        placeholder="Walnut"
        defaultValue={typed}
        add={add}
      />
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

/** Adds colors to a list. @returns the list, or an error message */
function addColors(colors: string[], more: string[]): string[] | string {
  const all = [...colors];
  for (const color of more) {
    if (all.some((known) => known.toLowerCase() === color.toLowerCase()))
      return `${color} is already in the list`;
    if (color.length > MAX_COLOR_LENGTH) return `Must be at most ${MAX_COLOR_LENGTH} characters`;
    all.push(color);
  }
  return all;
}

function Color({ color, isTicked, onRemove }: { color: string; isTicked: boolean; onRemove: () => void }) {
  return (
    <li className="color-tag">
      <input type="hidden" name="color" value={color} />
      <label>
        <input
          className="without-script"
          type="checkbox"
          name="colors"
          value={color}
          defaultChecked={isTicked}
        />
        {color}
      </label>
      <button
        type="button"
        className="tool-button needs-script"
        aria-label={`Remove ${color}`}
        onClick={onRemove}
      >
        <Icon name="x" className="i s" />
      </button>
    </li>
  );
}

interface AddEntryProps {
  id: string;
  name: string;
  label: string;
  /** Item in the button's label, such as "color". */
  item: string;
  placeholder: string;
  /** Text from a refused form. */
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
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || isComposing(event.nativeEvent)) return;
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
