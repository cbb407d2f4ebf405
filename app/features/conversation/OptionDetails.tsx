import type { ReactNode } from "react";
import { EngravingField, Swatches } from "~/features/catalogue/OptionFields";
import productCss from "~/features/catalogue/product.css?url";
import type { OptionProps } from "./message-parts";

/** Folded fields of what can be chosen of a product: colour, words to engrave and quantity. */
export default function OptionDetails({ product, options }: OptionProps): ReactNode {
  const { label = "Colour", colors = [], hasEngraving = false } = product.choices ?? {};
  return (
    <details className="chat-options-fields">
      <summary className="chat-link">
        Change<span className="visually-hidden"> what was chosen of {product.name}</span>
      </summary>
      {colors.length > 1 && <Swatches label={label} colors={colors} chosen={options.color} />}
      {hasEngraving && <EngravingField defaultValue={options.engraving ?? ""} room={product.choices?.room} />}
      <label className="chat-options-quantity">
        Quantity
        <input
          className="input num"
          type="number"
          inputMode="numeric"
          name="quantity"
          min={1}
          max={1_000_000}
          defaultValue={options.quantity}
        />
      </label>
      <link rel="stylesheet" href={productCss} />
    </details>
  );
}
