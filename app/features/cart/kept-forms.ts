import { useRevalidator, useSubmit } from "@remix-run/react";
import { useEffect } from "react";
import { readEntry, writeEntry } from "~/ui/browser-storage";
import { pageLoadType } from "~/ui/page-load";
import { CART_PATH } from "./optimistic";

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

/** Forgets an answered form, and when it was answered, epoch ms. */
export function forgetForm(form: string): void {
  writeEntry(KEY, { forms: keptForms().filter((kept) => kept !== form), at: Date.now() });
}

/** Tells that a form was answered after this page was asked for, which has the cart of before. */
const isOlderThanAnswer = () => Number(readEntry(KEY).at) > performance.timeOrigin;

/**
 * Sends the forms again that the previous page was left with; by its request's id, a repeated one adds nothing. A reloaded
 * page sends them without Remix, which reloads the page when the script of the cart's page does not load. Reads the cart
 * again that another tab has changed, once this one is visible.
 */
export function useKeptForms(): void {
  const submit = useSubmit();
  const { revalidate } = useRevalidator();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on the page's load
  useEffect(() => {
    const forms = keptForms();
    if (forms.length === 0) return void (isOlderThanAnswer() && revalidate());
    if (pageLoadType() === "reload") {
      import("./submit").then(({ sendAgain }) => sendAgain(forms)).then(revalidate, () => undefined);
      return;
    }
    for (const form of forms)
      submit(new URLSearchParams(form), {
        method: "post",
        action: CART_PATH,
        navigate: false,
        fetcherKey: form,
      });
  }, []);
  useEffect(() => {
    let isBehind = false;
    const read = () => {
      if (!isBehind || document.hidden) return;
      isBehind = false;
      revalidate();
    };
    // Another tab has sent a form, or got its answer.
    const change = ({ key }: StorageEvent) => {
      isBehind ||= key === KEY;
      read();
    };
    window.addEventListener("storage", change);
    document.addEventListener("visibilitychange", read);
    return () => {
      window.removeEventListener("storage", change);
      document.removeEventListener("visibilitychange", read);
    };
  }, [revalidate]);
}
