import { lazy, Suspense, useState } from "react";
import type { OfferedOptions } from "./options";

interface SwatchesProps extends Pick<OfferedOptions, "label"> {
  colors: OfferedOptions["colors"];
  chosen?: string | null;
  onChoose?: (color: OfferedOptions["colors"][number]) => void;
  /** Says that nothing has to be chosen. */
  isOptional?: boolean;
}

/** Radio buttons of the colours: a word each, with a swatch where the colour is known. */
export function Swatches({ label, colors, chosen, onChoose, isOptional }: SwatchesProps) {
  return (
    <fieldset className="swatches">
      <legend>
        {label}
        {isOptional && <span className="soft"> optional, we'll ask in the chat</span>}
      </legend>
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

/** Loaded with a product that is engraved: most are not. */
const Engraving = lazy(() => import("./EngravingPart"));

interface OptionFieldsProps {
  choices: OfferedOptions;
  onPicture: (index: number) => void;
}

/** Fields for colour and engraving, with a preview; a single colour is shown as text. */
export function OptionFields({ choices, onPicture }: OptionFieldsProps) {
  const { label, colors, hasEngraving } = choices;
  const single = colors.length === 1 ? (colors[0] ?? null) : null;
  const [chosen, setChosen] = useState(single);
  const choose = (color: OfferedOptions["colors"][number]) => {
    setChosen(color);
    if (color.picture !== null) onPicture(color.picture);
  };
  return (
    <>
      {colors.length > 1 && <Swatches label={label} colors={colors} onChoose={choose} isOptional />}
      {single && (
        <p className="only-color">
          {label}{" "}
          <span className="chosen">
            {single.swatch && <i className="swatch-dot" style={{ background: single.swatch }} />}
            {single.name}
          </span>
        </p>
      )}
      {hasEngraving && (
        <Suspense>
          <Engraving choices={choices} color={chosen} />
        </Suspense>
      )}
    </>
  );
}
