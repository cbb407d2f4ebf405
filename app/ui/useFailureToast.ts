import { useEffect } from "react";
import { showToast } from "./Toasts";

/**
 * Says in a toast, too, why a form was refused; the words stand above the form as well (spec 8).
 *
 * @param refused what the page's action answered: another answer is another toast, even in the same words
 */
export function useFailureToast(refused: { failure: string | null } | undefined): void {
  useEffect(() => {
    if (refused?.failure) showToast("error", refused.failure);
  }, [refused]);
}
