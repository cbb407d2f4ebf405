import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

interface SubmitButtonProps {
  /** What the form asks for, sent as `intent`. */
  intent: string;
  children: ReactNode;
  /** The words while it is being done, such as "Signing in...". */
  busy: string;
  className?: string;
}

/** A form's button: disabled, with a spinner, while what it asked for is being done. */
export function SubmitButton({
  intent,
  children,
  busy,
  className = "btn btn-act btn-wide",
}: SubmitButtonProps) {
  const navigation = useNavigation();
  const sending = navigation.state !== "idle" && navigation.formData?.get("intent") === intent;
  return (
    <button type="submit" name="intent" value={intent} className={className} disabled={sending}>
      {sending ? <span className="spin" aria-hidden="true" /> : null}
      {sending ? busy : children}
    </button>
  );
}
