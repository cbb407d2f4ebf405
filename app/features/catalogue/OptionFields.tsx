import { lazy, Suspense, useId, useState } from "react";
import { loadStyles } from "~/ui/load-styles";
import { MAX_ENGRAVING } from "./engraving";
import onDemandCss from "./on-demand.css?url";
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

interface EngravingFieldProps extends Pick<OfferedOptions, "room"> {
  defaultValue?: string;
  onText?: (text: string) => void;
}

/** Field of the words to engrave, which says when it is full. */
export function EngravingField({ defaultValue = "", onText, room }: EngravingFieldProps) {
  const id = useId();
  const [isFull, setFull] = useState(defaultValue.length === MAX_ENGRAVING);
  return (
    <div className="engraving-field">
      <div className="engraving-label">
        <label htmlFor={id}>Engraving</label>
        <span className="soft" id={`${id}note`}>
          optional, included in the price{room && `, ${room}`}
        </span>
        <span className="num needs-script" role="status">
          {isFull && `${MAX_ENGRAVING} / ${MAX_ENGRAVING}, full`}
        </span>
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
        onInput={({ currentTarget: { value } }) => {
          setFull(value.length === MAX_ENGRAVING);
          onText?.(value);
        }}
      />
    </div>
  );
}

/** Loaded with the first words: most visits need none. */
const EngravingPreview = lazy(() =>
  Promise.all([import("./EngravingPreview"), loadStyles(onDemandCss)])
    .then(([preview]) => preview)
    .catch(() => ({ default: () => null })),
);

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
      {hasEngraving && <Engraving choices={choices} color={chosen} />}
    </>
  );
}

/** Words to engrave, drawn on the product as they are typed. */
function Engraving(props: { choices: OfferedOptions; color: OfferedOptions["colors"][number] | null }) {
  const [text, setText] = useState("");
  const words = text.trim();
  return (
    <div className="engraving">
      <EngravingField onText={setText} room={props.choices.room} />
      {words && (
        <Suspense>
          <EngravingPreview {...props} words={words} />
        </Suspense>
      )}
    </div>
  );
}
