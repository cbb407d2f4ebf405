import { splitList } from "~/features/catalogue/product-fields";
import { Icon } from "~/ui/Icon";
import { AddEntry } from "./AddEntry";

interface ColorFieldProps {
  colors: string[];
  onChange: (colors: string[]) => void;
  error: string | undefined;
  /** Text from a rejected form. */
  typed: string | undefined;
  /** Ticked checkboxes of a rejected form; null without one. */
  ticked: string[] | null;
}

const INPUT_ID = "product-addColors";

/** Distinct colors of a product. Without JavaScript each one is kept by its checkbox. */
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
    if (all.some((known) => known.toLowerCase() === color.toLowerCase())) return `${color} is already there`;
    if (color.length > 60) return "Must be at most 60 characters";
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
