import type { ComponentProps } from "react";
import { CURRENCY_SIGN } from "~/domain/currency";
import { describedBy, FieldNotes } from "./Field";
import { REPLACED_FIELD } from "./replaced-field";

interface AmountFieldProps extends Omit<ComponentProps<"input">, "id" | "type" | "className"> {
  id: string;
  label?: string;
  error?: string | undefined;
  hint?: string | undefined;
}

/** Edits an amount in dollars. Not a number input: that drops commas, and 1,50 would be stored as 150. */
export function AmountField({ label = "Amount", error, hint, ...input }: AmountFieldProps) {
  return (
    <div className="field">
      <label htmlFor={input.id}>{label}</label>
      <div className="input-prefix">
        <span aria-hidden="true">{CURRENCY_SIGN}</span>
        <input
          className="input"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          {...REPLACED_FIELD}
          {...input}
          {...describedBy(input.id, error, hint)}
        />
      </div>
      <FieldNotes id={input.id} error={error} hint={hint} />
    </div>
  );
}
