import type { ReactNode } from "react";
import { Icon } from "./Icon";

interface FormErrorProps {
  message: string | null | undefined;
  /** What has been done all the same, and what to do now. */
  note?: ReactNode;
}

/** Why a form was refused, above its fields; announced when it appears, and able to take the focus. */
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
