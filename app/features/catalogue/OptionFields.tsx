import { type CSSProperties, type ReactNode, useId, useState } from "react";
import { MAX_ENGRAVING } from "./engraving";
import type { Choices } from "./options";

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
          optional, included in the price
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

interface OptionFieldsProps {
  choices: Choices;
  onPicture: (index: number) => void;
}

/** Fields for colour and engraving, with a preview; a single colour is shown as text. */
export function OptionFields({ choices: { colors, hasEngraving }, onPicture }: OptionFieldsProps) {
  const single = colors.length === 1 ? colors[0] : null;
  const [plate, setPlate] = useState(single?.swatch);
  const choose = ({ swatch, picture }: Choices["colors"][number]) => {
    setPlate(swatch);
    if (picture !== null) onPicture(picture);
  };
  return (
    <>
      {colors.length > 1 && <Swatches colors={colors} onChoose={choose} />}
      {single && (
        <p className="only-color">
          Colour{" "}
          <span className="chosen">
            {single.swatch && <i className="swatch-dot" style={{ background: single.swatch }} />}
            {single.name}
          </span>
        </p>
      )}
      {hasEngraving && <Engraving plate={plate ?? null} />}
    </>
  );
}

/** Lengths up to which words are drawn large and medium. */
const MAX_LARGE_LENGTH = 16;
const MAX_MEDIUM_LENGTH = 34;

/** Words to engrave, drawn as they are typed on a plate of the chosen colour. */
function Engraving({ plate }: { plate: string | null }) {
  const [text, setText] = useState("");
  const words = text.trim();
  const size =
    words.length > MAX_MEDIUM_LENGTH ? "small" : words.length > MAX_LARGE_LENGTH ? "medium" : "large";
  const isTwoTone = plate?.startsWith("linear") ?? false;
  return (
    <div className="engraving">
      <EngravingField onText={setText}>
        <span className="num needs-script">{`${text.length} / ${MAX_ENGRAVING}`}</span>
      </EngravingField>
      <div className="engraving-preview needs-script" aria-hidden="true">
        <span
          className={`${words ? size : "large unset"}${isTwoTone ? " two-tone" : ""}`}
          dir="auto"
          style={plate ? ({ "--plate": plate } as CSSProperties) : {}}
        >
          <span>{words || "Your words"}</span>
        </span>
      </div>
    </div>
  );
}
