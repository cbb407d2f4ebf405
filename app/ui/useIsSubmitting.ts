import { useNavigation } from "@remix-run/react";

/**
 * Whether what a form asked for is being done.
 *
 * @param intent the form's own
 */
export function useIsSubmitting(intent: string): boolean {
  const { state, formData } = useNavigation();
  return state !== "idle" && formData?.get("intent") === intent;
}
