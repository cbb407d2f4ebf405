import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { BUY_FORM } from "~/features/chat/open-chat";
import { listen } from "~/ui/listen";

/** Fields of a product's form that are saved in the browser's history entry. */
const SAVED_FIELDS = ["color", "engraving", "quantity"] as const;

export const savedOptions = (): Partial<Record<(typeof SAVED_FIELDS)[number], string | null>> =>
  history.state?.options ?? {};

/** Saves the chosen options in the page's history entry, and restores them when the visitor returns to it. */
export function useSavedOptions(): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: Back may lead from one entry of the page to another
  useEffect(() => {
    const form = document.getElementById(BUY_FORM) as HTMLFormElement;
    const { color, engraving } = savedOptions();
    for (const field of form.elements) {
      if (!(field instanceof HTMLInputElement)) continue;
      if (field.name === "color" && field.value === color) field.click();
      if (field.name !== "engraving" || !engraving || field.value) continue;
      field.value = engraving;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const save = () => {
      if (!form.isConnected) return;
      const fields = new FormData(form);
      const options = Object.fromEntries(SAVED_FIELDS.map((name) => [name, fields.get(name)]));
      history.replaceState({ ...history.state, options }, "");
    };
    // After React has rendered the event's changes, such as a button's of the quantity.
    return listen(form, ["input", "click"], () => setTimeout(save));
  }, [key]);
}
