import type { ComponentProps, FocusEvent } from "react";
import { describedBy, Field, FieldNotes } from "~/ui/Field";

/** What useCheckedForm knows of a field. */
export interface FieldValue {
  id: string;
  name: string;
  error?: string | undefined;
  defaultValue: string;
}

/** What was sold or bought. */
export function DescriptionField(field: FieldValue) {
  return (
    <div className="col-6">
      <Field label="Description" maxLength={500} autoComplete="off" data-first="" {...field} />
    </div>
  );
}

/** A day of the years that the books have (contract: Dates). */
export function DayField({ label, ...field }: FieldValue & { label: string }) {
  return <Field label={label} type="date" min="2000-01-01" max="2099-12-31" {...field} />;
}

interface AmountFieldProps extends Omit<ComponentProps<"input">, "id" | "type" | "className"> {
  id: string;
  error?: string | undefined;
  hint?: string;
}

/**
 * An amount in dollars, to the cent (back office 5). Not a number field: those drop what isn't a digit or a point, and
 * 1,50 would be booked as 150.
 */
export function AmountField({ error, hint, ...input }: AmountFieldProps) {
  return (
    <div className="field">
      <label htmlFor={input.id}>Amount</label>
      <div className="input-prefix">
        <span aria-hidden="true">$</span>
        <input
          className="input"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          onFocus={selectAll}
          {...input}
          {...describedBy(input.id, error, hint)}
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
