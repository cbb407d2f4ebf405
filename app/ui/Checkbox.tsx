import type { ComponentProps } from "react";
import { describedBy, FieldNotes } from "./Field";

interface CheckboxProps extends Omit<ComponentProps<"input">, "id" | "type" | "className"> {
  id: string;
  error?: string | undefined;
}

/** A checkbox with its words beside it and its error beneath. */
export function Checkbox({ children, error, ...input }: CheckboxProps) {
  return (
    <div className="field">
      <label className="check" htmlFor={input.id}>
        <input type="checkbox" {...input} {...describedBy(input.id, error)} />
        <span>{children}</span>
      </label>
      <FieldNotes id={input.id} error={error} />
    </div>
  );
}
