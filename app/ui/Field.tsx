import { type ComponentProps, type ReactNode, useState } from "react";
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

/** The field of a person's own e-mail address: filled in by the browser, never capitalised nor spell-checked. */
export function EmailField(props: Omit<ComponentProps<typeof Field>, "label" | "type">) {
  return (
    <Field
      label="Email"
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

/** A password's field with a button that shows and hides it; without JavaScript the button isn't there. */
export function PasswordField({
  label,
  error,
  hint,
  ...input
}: Omit<ComponentProps<typeof Field>, "type" | "defaultValue">) {
  const [shown, setShown] = useState(false);
  const icon = shown ? "eye-off" : "eye";
  return (
    <div className="field">
      <label htmlFor={input.id}>{label}</label>
      <div className="password-field">
        <input
          className="input"
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          type={shown ? "text" : "password"}
          {...describedBy(input.id, error, hint)}
        />
        <button
          type="button"
          className="icon-btn"
          aria-label={`Show ${typeof label === "string" ? label.toLowerCase() : "password"}`}
          aria-pressed={shown}
          aria-controls={input.id}
          onClick={() => setShown(!shown)}
        >
          <Icon name={icon} />
        </button>
      </div>
      <FieldNotes id={input.id} error={error} hint={hint} />
    </div>
  );
}

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
