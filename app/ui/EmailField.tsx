import type { ComponentProps } from "react";
import { Field } from "./Field";

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
