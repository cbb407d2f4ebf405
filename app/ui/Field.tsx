import { type ComponentProps, type ReactNode, useState } from "react";
import { Icon } from "./Icon";

interface FieldProps extends Omit<ComponentProps<"input">, "id" | "className"> {
  id: string;
  label: ReactNode;
  error?: string | undefined;
  hint?: ReactNode;
}

export function Field({ label, error, hint, ...input }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={input.id}>{label}</label>
      <input className="input" type="text" {...input} {...describedBy(input.id, error, hint)} />
      <FieldNotes id={input.id} error={error} hint={hint} />
    </div>
  );
}

/** Returns the aria attributes of a control with FieldNotes. */
export function describedBy(id: string, error: string | undefined, hint?: ReactNode) {
  const notes = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return { "aria-invalid": error ? true : undefined, "aria-describedby": notes || undefined };
}

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

/** Field for the user's own e-mail address: autocompleted, without capitalisation and spell check. */
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

/** Password field with a button that shows and hides the password; the button needs JavaScript. */
export function PasswordField({
  label,
  error,
  hint,
  ...input
}: Omit<ComponentProps<typeof Field>, "type" | "defaultValue">) {
  const [isVisible, setVisible] = useState(false);
  return (
    <div className="field">
      <label htmlFor={input.id}>{label}</label>
      <div className="password-field">
        <input
          className="input"
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          type={isVisible ? "text" : "password"}
          {...describedBy(input.id, error, hint)}
        />
        <button
          type="button"
          className="icon-btn"
          aria-label={`Show ${typeof label === "string" ? label.toLowerCase() : "password"}`}
          aria-pressed={isVisible}
          aria-controls={input.id}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon name={isVisible ? "eye-off" : "eye"} />
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
  hint?: string | undefined;
}

export function TextArea({ label, error, hint, ...area }: TextAreaProps) {
  return (
    <div className="field">
      <label htmlFor={area.id}>{label}</label>
      <textarea className="input area" {...area} {...describedBy(area.id, error, hint)} />
      <FieldNotes id={area.id} error={error} hint={hint} />
    </div>
  );
}

interface SelectFieldProps extends Omit<ComponentProps<"select">, "id" | "className"> {
  id: string;
  label: string;
  options: { value: string; label: string }[];
  error?: string | undefined;
}

export function SelectField({ label, options, error, ...select }: SelectFieldProps) {
  return (
    <div className="field">
      <label htmlFor={select.id}>{label}</label>
      <select className="select" {...select} {...describedBy(select.id, error)}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
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

export function Checkbox({ children, error, ...input }: CheckboxProps) {
  return (
    <div className="field">
      <label className="check">
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

/** Radio buttons shown as one segmented control. */
export function Segments({ id, name, legend, options, defaultValue, error }: SegmentsProps) {
  return (
    <fieldset className="field" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{legend}</legend>
      <div className="segments">
        {options.map(({ value, label }, i) => (
          <label key={value}>
            <input
              id={i === 0 ? id : undefined}
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

interface FormErrorProps {
  message: string | null | undefined;
  /** Explanation after the message. */
  note?: ReactNode;
}

/** Error message above a form's fields; screen readers announce it, and it can be focused. */
export function FormError({ message, note }: FormErrorProps) {
  if (!message) return null;
  return (
    <p className="form-error" role="alert" tabIndex={-1}>
      <Icon name="circle-alert" />
      <span>
        {message}
        {note && <span className="note">{note}</span>}
      </span>
    </p>
  );
}
