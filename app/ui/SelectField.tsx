import type { ComponentProps } from "react";
import { describedBy, FieldNotes } from "./Field";

interface SelectFieldProps extends Omit<ComponentProps<"select">, "id" | "className"> {
  id: string;
  label: string;
  options: { value: string; label: string }[];
  error?: string | undefined;
}

/** A labelled choice from a list, with its error beneath it. */
export function SelectField({ label, options, error, ...select }: SelectFieldProps) {
  return (
    <div className="field">
      <label htmlFor={select.id}>{label}</label>
      <select className="select" {...select} {...describedBy(select.id, error)}>
        {options.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <FieldNotes id={select.id} error={error} />
    </div>
  );
}
