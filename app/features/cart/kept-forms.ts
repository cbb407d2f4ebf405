import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { readEntry, writeEntry } from "~/ui/browser-storage";

const KEY = "emporia:cart";

/** Reads the forms that the shop has not answered, urlencoded, in the order of sending. */
function keptForms(): string[] {
  const { forms } = readEntry(KEY);
  return Array.isArray(forms) ? forms.filter((form) => typeof form === "string") : [];
}

/** Keeps a form until it is answered, also when the page is left before that. */
export function keepForm(form: string): void {
  writeEntry(KEY, { forms: [...keptForms(), form] });
}

export function forgetForm(form: string): void {
  writeEntry(KEY, { forms: keptForms().filter((kept) => kept !== form) });
}

/**
 * Sends the forms again that the previous page was left with; by its request's id, a repeated one adds nothing. Not by Remix,
 * which reloads the page when the script of the cart's page does not load.
 */
export function useKeptForms(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const forms = keptForms();
    if (forms.length === 0) return;
    import("./submit").then(({ sendAgain }) => sendAgain(forms)).then(revalidate, () => undefined);
  }, [revalidate]);
}
