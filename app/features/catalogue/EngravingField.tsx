import { useId, useState } from "react";
import { MAX_ENGRAVING } from "./engraving";
import type { OfferedOptions } from "./options";

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
