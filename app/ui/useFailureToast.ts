import { useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { dismissToast, showToast } from "./Toasts";

/**
 * Says in a toast, too, why a form was refused; the words stand above the form as well (spec 8). The toast goes when
 * the form is sent once more, and with the form.
 *
 * @param refused what the page's action answered: another answer is another toast, even in the same words
 */
export function useFailureToast(refused: { failure: string | null } | undefined): void {
  const idle = useNavigation().state === "idle";
  useEffect(() => {
    if (!idle || !refused?.failure) return;
    const shown = showToast("error", refused.failure);
    return () => void shown.then(dismissToast);
  }, [refused, idle]);
}
