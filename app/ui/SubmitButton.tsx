import type { ReactNode } from "react";
import { useIsSubmitting } from "./useIsSubmitting";

interface SubmitButtonProps {
  /** What the form asks for, sent as `intent`. */
  intent: string;
  children: ReactNode;
  /** The words while it is being done, such as "Signing in...". */
  busy: string;
  className?: string;
  /** Something is still missing. */
  isDisabled?: boolean;
  /** It is being done by a script of its own. */
  isBusy?: boolean;
}

/** A form's button: disabled, with a spinner, while what it asked for is being done. */
export function SubmitButton({
  intent,
  children,
  busy,
  className = "btn btn-act btn-wide",
  isDisabled = false,
  isBusy = false,
}: SubmitButtonProps) {
  const sending = useIsSubmitting(intent) || isBusy;
  return (
    <button
      type="submit"
      name="intent"
      value={intent}
      className={className}
      disabled={sending || isDisabled}
      aria-busy={sending || undefined}
    >
      {sending ? <span className="spinner" aria-hidden="true" /> : null}
      {sending ? busy : children}
    </button>
  );
}
