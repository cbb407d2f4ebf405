import type { ReactNode } from "react";
import { Icon } from "./Icon";

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
