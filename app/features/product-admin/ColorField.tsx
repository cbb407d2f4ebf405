import { splitList } from "~/features/product-import/draft";
import { Icon } from "~/ui/Icon";
import { AddEntry } from "./AddEntry";

interface ColorFieldProps {
  colors: string[];
  onChange: (colors: string[]) => void;
  error: string | undefined;
  /** What was typed into a form that was refused. */
  typed: string | undefined;
  /** The boxes that were ticked in it; null where none was refused. */
  ticked: string[] | null;
}

const LINE = "product-addColors";

/** The colors of a product: each is kept by its box, added by Enter, never there twice (back office 5). */
export function ColorField({ colors, onChange, error, typed, ticked }: ColorFieldProps) {
  const add = (text: string) => {
    const all = withColors(colors, splitList(text));
    if (typeof all === "string") return all;
    onChange(all);
    return null;
  };
  return (
    <fieldset className="field colors-field">
      <legend>Colors</legend>
      {colors.length > 0 && (
        <ul className="filter-chips">
          {colors.map((color) => (
            <Kept
              key={color}
              color={color}
              isTicked={ticked?.includes(color) ?? true}
              onRemove={() => {
                onChange(colors.filter((other) => other !== color));
                document.getElementById(LINE)?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <AddEntry
        id={LINE}
        name="addColors"
        label="Add a color"
        thing="color"
        placeholder="Walnut"
        typed={typed}
        add={add}
      />
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

/** @returns all of them, or what is wrong with one */
function withColors(colors: string[], more: string[]): string[] | string {
  const all = [...colors];
  for (const color of more) {
    if (all.some((known) => known.toLowerCase() === color.toLowerCase())) return `${color} is already there`;
    if (color.length > 60) return "Must be at most 60 characters";
    all.push(color);
  }
  return all;
}

interface KeptProps {
  color: string;
  isTicked: boolean;
  onRemove: () => void;
}

function Kept({ color, isTicked, onRemove }: KeptProps) {
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
