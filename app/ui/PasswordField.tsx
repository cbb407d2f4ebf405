import { type ComponentProps, useState } from "react";
import { describedBy, type Field, FieldNotes } from "./Field";
import { Icon } from "./Icon";

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
