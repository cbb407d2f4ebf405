import { type FormIntent, intent } from "~/http/form-action.server";
import { setStock } from "./set-stock.server";

/** What the inventory's forms may ask for. One that a script sends behind the page (`quietly`) leads nowhere. */
export const STOCK_FORMS: Record<string, FormIntent<unknown>> = {
  setStock: intent(setStock, {
    done: ({ name, stock }, form) =>
      form.quietly === "1"
        ? { stay: true }
        : { toast: `${name}: stock is ${stock.toLocaleString("en")} now` },
    failed: ({ details, message }) => `Stock not saved: ${details?.[0]?.message ?? message}`,
  }),
};
