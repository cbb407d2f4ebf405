import type { ReactNode } from "react";
import { FieldNotes } from "./Field";

interface SegmentsProps {
  id: string;
  name: string;
  legend: string;
  options: { value: string; label: ReactNode }[];
  defaultValue: string;
  error?: string | undefined;
}

/** A choice of two or three, all in sight. */
export function Segments({ id, name, legend, options, defaultValue, error }: SegmentsProps) {
  return (
    <fieldset className="field" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{legend}</legend>
      <div className="segments">
        {options.map(({ value, label }, place) => (
          <label key={value}>
            <input
              id={place === 0 ? id : undefined}
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
            />
            {label}
          </label>
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  );
}
