import type { FormEvent, SyntheticEvent } from "react";
import { ChosenOptions } from "~/features/catalogue/ChosenOptions";
import { EngravingField, Swatches } from "~/features/catalogue/OptionFields";
import productCss from "~/features/catalogue/product.css?url";
import { CartForm } from "./CartForm";
import type { CartLine } from "./view";

/** Options of a cart line in words, and below them the fields that change them. */
export function LineOptions({ line }: { line: CartLine }) {
  const { id, choices, chosen, swatch, color, engraving, note } = line;
  if (!choices)
    return (
      <p className="cart-line-options">
        <ChosenOptions chosen={chosen} swatch={swatch} />
      </p>
    );
  const missing = missingText(chosen, choices.label);
  const className = missing || note ? "cart-line-options is-incomplete" : "cart-line-options";
  return (
    <details className={className} onSubmit={closeFields} onToggle={showFields}>
      <Summary line={line} missing={missing} />
      <CartForm
        key={JSON.stringify([color, engraving])}
        intent="options"
        id={id}
        fields={{ wasColor: color, wasEngraving: engraving }}
      >
        {choices.colors.length > 1 && <Swatches {...choices} chosen={color} />}
        {choices.hasEngraving && <EngravingField defaultValue={engraving ?? ""} room={choices.room} />}
        <button type="submit" className="btn btn-line">
          Save
        </button>
      </CartForm>
      {/* For the drawer on a page without options. */}
      <link rel="stylesheet" href={productCss} />
    </details>
  );
}

interface SummaryProps {
  line: CartLine;
  missing: string | null;
}

function Summary({ line: { name, chosen, swatch, unavailable, note }, missing }: SummaryProps) {
  return (
    <summary>
      <span>
        {unavailable && `No longer offered: ${unavailable.join(", ")}. `}
        {missing ?? <ChosenOptions chosen={chosen} swatch={swatch} />}
        {note && `${missing ? "" : "."} ${note}`}
      </span>
      <span className="link">
        <span className="when-closed">{missing ? "Choose" : "Change"}</span>
        <span className="when-open">Close</span>
        <span className="visually-hidden"> options of {name}</span>
      </span>
    </summary>
  );
}

/** Scrolls to the fields that open. */
function showFields({ currentTarget }: SyntheticEvent<HTMLDetailsElement>) {
  if (currentTarget.open) currentTarget.scrollIntoView({ block: "nearest" });
}

/** Closes the fields as their form is sent. */
function closeFields({ currentTarget }: FormEvent<HTMLDetailsElement>) {
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}

/** Builds the note on a missing colour; null when none is missing, since engraving is optional. */
function missingText({ color, engraving }: CartLine["chosen"], label: string): string | null {
  if (color !== null) return null;
  const missing = `No ${label.toLowerCase()} chosen. We'll ask in the chat.`;
  return engraving ? `“${engraving}”. ${missing}` : missing;
}
