import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { BUY_FORM } from "~/features/chat/open-chat";
import { listen } from "~/ui/listen";

/** Fields of a product's form that the page's entry in the history keeps. */
const KEPT = ["color", "engraving", "quantity"] as const;
type KeptOptions = Partial<Record<(typeof KEPT)[number], string | null>>;

export const keptOptions = (): KeptOptions => history.state?.options ?? {};

/** Keeps what was chosen with the page's entry in the history, and chooses it again when a reader comes back to it. */
export function useKeptOptions(): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: Back may lead from one entry of the page to another
  useEffect(() => {
    const form = document.getElementById(BUY_FORM) as HTMLFormElement;
    const { color, engraving } = keptOptions();
    for (const field of form.elements) {
      if (!(field instanceof HTMLInputElement)) continue;
      if (field.name === "color" && field.value === color) field.click();
      if (field.name !== "engraving" || !engraving || field.value) continue;
      field.value = engraving;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const keep = () => {
      if (!form.isConnected) return;
      const fields = new FormData(form);
      const options = Object.fromEntries(KEPT.map((name) => [name, fields.get(name)]));
      history.replaceState({ ...history.state, options }, "");
    };
    // After React has drawn what an event changes, such as the quantity by its buttons.
    const keepSoon = () => setTimeout(keep);
    return listen(form, ["input", "click"], keepSoon);
  }, [key]);
}
