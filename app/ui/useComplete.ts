import { useEffect, useState } from "react";

/**
 * Whether a form may be sent: looked at while it is being filled in. Without a script, and before it has run, it may.
 *
 * @param formId of the form
 * @param isComplete by what its fields hold
 * @param answer what the form was answered: looked at anew
 */
export function useComplete(
  formId: string,
  isComplete: (fields: FormData) => boolean,
  answer?: unknown,
): boolean {
  const [complete, setComplete] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rule is the same each time
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const look = () => setComplete(isComplete(new FormData(form)));
    look();
    form.addEventListener("input", look);
    return () => form.removeEventListener("input", look);
  }, [formId, answer]);
  return complete;
}
