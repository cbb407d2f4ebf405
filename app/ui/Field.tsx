import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./Icon";

interface FieldProps extends Omit<ComponentProps<"input">, "id" | "className"> {
  id: string;
  label: ReactNode;
  /** What is wrong with it, if anything. */
  error?: string | undefined;
  /** What helps to fill it in. */
  hint?: ReactNode;
}

/** A labelled text field with its error beneath it (spec 5). */
export function Field({ label, error, hint, ...input }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={input.id}>{label}</label>
      <input className="input" type="text" {...input} {...describedBy(input.id, error, hint)} />
      <FieldNotes id={input.id} error={error} hint={hint} />
    </div>
  );
}

/** The aria attributes of a control whose notes are told by FieldNotes. */
export function describedBy(id: string, error: string | undefined, hint?: ReactNode) {
  const notes = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return { "aria-invalid": error ? true : undefined, "aria-describedby": notes || undefined };
}

/** Hint and error beneath a control. */
export function FieldNotes({
  id,
  error,
  hint,
}: {
  id: string;
  error?: string | undefined;
  hint?: ReactNode;
}) {
  return (
    <>
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="error" id={`${id}-error`}>
          <Icon name="circle-alert" />
          {error}
        </p>
      ) : null}
    </>
  );
}
