import type { ReactNode } from "react";
import { type Choices, MAX_ENGRAVING } from "./options";

interface SwatchesProps {
  colors: Choices["colors"];
  chosen?: string | null;
  onChoose?: (color: Choices["colors"][number]) => void;
}

/** Radio buttons of the colours: a word each, with a swatch where the colour is known. */
export function Swatches({ colors, chosen, onChoose }: SwatchesProps) {
  return (
    <fieldset className="swatches">
      <legend>Colour</legend>
      <div>
        {colors.map((color) => (
          <label className="swatch" key={color.name}>
            <input
              type="radio"
              name="color"
              value={color.name}
              defaultChecked={color.name === chosen}
              onChange={onChoose && (() => onChoose(color))}
            />
            {color.swatch && <span className="swatch-dot" style={{ background: color.swatch }} />}
            {color.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface EngravingFieldProps {
  defaultValue?: string;
  onText?: (text: string) => void;
  children?: ReactNode;
}

/** Field of the words to engrave. @param children follow its label */
export function EngravingField({ defaultValue, onText, children }: EngravingFieldProps) {
  return (
    <label className="engraving-field">
      <span className="engraving-label">
        Engraving <span className="soft">if you like, in the price</span>
        {children}
      </span>
      <input
        className="input"
        name="engraving"
        maxLength={MAX_ENGRAVING}
        defaultValue={defaultValue}
        placeholder="A name, a date, a line"
        autoComplete="off"
        dir="auto"
        onInput={onText && (({ currentTarget }) => onText(currentTarget.value))}
      />
    </label>
  );
}
