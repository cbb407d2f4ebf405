import { type ReactNode, useId } from "react";
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
  const id = useId();
  return (
    <div className="engraving-field">
      <div className="engraving-label">
        <label htmlFor={id}>Engraving</label>
        <span className="soft" id={`${id}note`}>
          if you like, in the price
        </span>
        {children}
      </div>
      <input
        className="input"
        id={id}
        name="engraving"
        aria-describedby={`${id}note`}
        maxLength={MAX_ENGRAVING}
        defaultValue={defaultValue}
        placeholder="A name, a date, a line"
        autoComplete="off"
        dir="auto"
        onInput={onText && (({ currentTarget }) => onText(currentTarget.value))}
      />
    </div>
  );
}
