import { useActionData } from "@remix-run/react";
import type { RefusedForm } from "./useCheckedForm";

/** Reads what was typed into a refused form, and its errors. */
export function useRefusedForm() {
  const answer = useActionData<RefusedForm>();
  const typed = answer?.lastResult.initialValue;
  return {
    failure: answer?.failure,
    /** Returns what was typed, else the proposed text; a field that was sent empty is missing. */
    value(name: string, initial = ""): string {
      const value: unknown = typed?.[name];
      if (!typed) return initial;
      return typeof value === "string" ? value : "";
    },
    error: (name: string) => answer?.lastResult.error?.[name]?.[0],
  };
}
