import type { ComponentProps, FocusEvent } from "react";
import { described, FieldNotes } from "~/ui/Field";

/** What useCheckedForm knows of a field. */
export interface FieldValue {
  id: string;
  name: string;
  error?: string | undefined;
  defaultValue: string;
}

interface AmountFieldProps extends Omit<ComponentProps<"input">, "id" | "type" | "className"> {
  id: string;
  error?: string | undefined;
  hint?: string;
}

/** An amount in dollars, to the cent (back office 5). */
export function AmountField({ error, hint, ...input }: AmountFieldProps) {
  return (
    <div className="field">
      <label htmlFor={input.id}>Amount</label>
      <div className="affix">
        <span aria-hidden="true">$</span>
        <input
          className="input"
          type="number"
          step="0.01"
          min="0"
          max="99999999.99"
          onFocus={selectAll}
          {...input}
          {...described(input.id, error, hint)}
        />
      </div>
      <FieldNotes id={input.id} error={error} hint={hint} />
    </div>
  );
}

/** What stands there is replaced by what is typed. */
export const selectAll = ({ target }: FocusEvent<HTMLInputElement>) => target.select();

/** Cents as the field holds them. */
export const amountText = (cents: number) => (cents / 100).toFixed(2);
