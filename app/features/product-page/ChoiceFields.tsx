import { localTo } from "~/domain/local-to";
import { choiceField, tileNotes, unitsIn } from "~/features/catalogue/unit-choice";
import type { ProductDetail } from "./BuyBox";

interface ChoiceFieldsProps {
  product: Pick<ProductDetail, "id" | "choices" | "gone">;
  chosen: string[];
  onChoose: (option: number, value: string) => void;
}

/** Options of a product, with a button that shows the price and stock of a choice without a script. */
export function ChoiceFields({ product: { id, choices, gone }, chosen, onChoose }: ChoiceFieldsProps) {
  const units = unitsIn(choices);
  return (
    <div className="choices">
      {gone && <p className="error">{gone}</p>}
      {choices.options?.map((option, index) => (
        <Tiles
          key={option.name}
          option={option}
          field={choiceField(index)}
          chosen={chosen[index]}
          notes={tileNotes(units, chosen, index, option.values)}
          onChoose={(value) => onChoose(index, value)}
        />
      ))}
      <noscript>
        <button
          type="submit"
          className="btn btn-line"
          formMethod="get"
          formAction={localTo(`/products/${id}`)}
          formNoValidate
        >
          Show price and stock of this choice
        </button>
      </noscript>
    </div>
  );
}

interface TilesProps {
  option: NonNullable<ProductDetail["choices"]["options"]>[number];
  /** Name of the form field. */
  field: string;
  chosen: string | undefined;
  /** Second lines of the tiles. */
  notes: ReturnType<typeof tileNotes>;
  onChoose: (value: string) => void;
}

/** Radio tiles of an option's values, with the price of each or what is left of it. */
function Tiles({ option: { name: legend, values }, field, chosen, notes, onChoose }: TilesProps) {
  return (
    <fieldset className="swatches">
      <legend>{legend}</legend>
      <div>
        {values.map(({ name, swatch }, i) => (
          <label className="swatch" key={name}>
            <input
              type="radio"
              name={field}
              value={name}
              checked={chosen === name}
              onChange={() => onChoose(name)}
            />
            {swatch && <span className="swatch-dot" style={{ background: swatch }} />}
            <span>
              {name} <small className={notes[i]?.isOut ? "error" : "soft"}>{notes[i]?.text}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
