import type { ComponentProps } from "react";
import { describedBy, FieldNotes } from "./Field";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "id" | "className"> {
  id: string;
  label: string;
  error?: string | undefined;
}

/** A labelled field for more than a line, with its error beneath it. */
export function TextArea({ label, error, ...area }: TextAreaProps) {
  return (
    <div className="field">
      <label htmlFor={area.id}>{label}</label>
      <textarea className="input area" {...area} {...describedBy(area.id, error)} />
      <FieldNotes id={area.id} error={error} />
    </div>
  );
}
