import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

interface SubmitButtonProps {
  intent: string;
  children: ReactNode;
  /** Label while the form is being sent, such as "Signing in...". */
  busy: string;
  className?: string;
  isDisabled?: boolean;
  /** Marks a request outside the router. */
  isBusy?: boolean;
}

/** Submit button: disabled, with a spinner, while its form is being sent. */
export function SubmitButton({
  intent,
  children,
  busy,
  className = "btn btn-act btn-wide",
  isDisabled = false,
  isBusy = false,
}: SubmitButtonProps) {
  const isSending = useIsSubmitting(intent) || isBusy;
  return (
    <button
      type="submit"
      name="intent"
      value={intent}
      className={className}
      disabled={isSending || isDisabled}
      aria-busy={isSending || undefined}
    >
      {isSending ? <span className="spinner" aria-hidden="true" /> : null}
      {isSending ? busy : children}
    </button>
  );
}

/** Tests whether the router is sending a form. */
export function useIsSubmitting(intent: string): boolean {
  const { state, formData } = useNavigation();
  return state !== "idle" && formData?.get("intent") === intent;
}
