import { type Chosen, choiceField, tileNote } from "~/features/catalogue/unit-choice";
import type { ProductDetail } from "./BuyBox";

interface ChoiceFieldsProps {
  product: Pick<ProductDetail, "id" | "options" | "units" | "missing">;
  chosen: Chosen;
  onChoose: (option: number, value: string) => void;
}

/** Radio tiles of each option: a value with what it costs and what is left; the browser asks for a missing choice. */
export function ChoiceFields({ product, chosen, onChoose }: ChoiceFieldsProps) {
  const { id, options, units, missing } = product;
  return (
    <div className="choices">
      {options.map(({ name, values }, option) => (
        <fieldset className="swatches" key={name}>
          <legend>{name}</legend>
          {missing[option] && !chosen[option] && <p className="field-error">Choose one</p>}
          <div>
            {values.map((value) => {
              const { text, isOut } = tileNote(units, chosen, option, value.name);
              return (
                <label className={isOut ? "swatch is-out" : "swatch"} key={value.name}>
                  <input
                    type="radio"
                    name={choiceField(option)}
                    value={value.name}
                    defaultChecked={chosen[option] === value.name}
                    required
                    onChange={() => onChoose(option, value.name)}
                  />
                  {value.swatch && <span className="swatch-dot" style={{ background: value.swatch }} />}
                  <span>
                    {value.name} <small>{text}</small>
                  </span>
                </label>
              );
            })}
          </div>
        </fieldset>
      ))}
      <noscript>
        <button
          type="submit"
          className="btn btn-line"
          formMethod="get"
          formAction={`/products/${id}`}
          formNoValidate
        >
          Show price and stock of this choice
        </button>
      </noscript>
    </div>
  );
}
