import { useFetchers } from "@remix-run/react";
import { type CartLine, type CartView, cartTotals } from "./view";

/** Path that cart actions are posted to. */
export const CART_PATH = "/cart";

const OPTIONS = ["color", "engraving"] as const;

/** Option of a line whose form names none: its product's only colour, which is always chosen. */
const defaultOf = ({ choices, color }: CartLine, name: (typeof OPTIONS)[number]): string =>
  name === "color" && !choices?.colors[1] ? (color ?? "") : "";

/** Applies pending cart actions, so that their result is visible at once. */
export function useOptimisticCart(cart: CartView): CartView {
  const forms = useFetchers().flatMap(({ formAction, formData }) =>
    formAction === CART_PATH && formData ? [formData] : [],
  );
  return forms.reduce(applyPending, cart);
}

/**
 * Applies one form to the cart. A new product raises the item count; its line follows when the server has
 * returned its name and price.
 *
 * @param form with intent, id, color, engraving, quantity and step
 */
export function applyPending(cart: CartView, form: Pick<FormData, "get">): CartView {
  const { requests } = cart;
  // Sent again after a page that was left: the cart has it.
  if (requests?.includes(String(form.get("request")))) return cart;
  const quantity = Number(form.get("quantity") ?? 1);
  const isNamed = (line: CartLine) =>
    line.id === form.get("id") &&
    OPTIONS.every((name) => (line[name] ?? "") === (form.get(name) ?? defaultOf(line, name)));
  const updateLine = (compute: (current: number) => number) => {
    const lines = cart.lines.flatMap((line) => {
      if (!isNamed(line)) return line;
      const quantity = Math.min(line.stock, compute(line.quantity));
      return quantity > 0 ? { ...line, quantity } : [];
    });
    return { ...cart, ...cartTotals(lines) };
  };
  switch (form.get("intent")) {
    case "add":
      return cart.lines.some(isNamed)
        ? updateLine((current) => current + quantity)
        : { ...cart, itemCount: cart.itemCount + quantity };
    case "set":
      return updateLine(() => quantity + Number(form.get("step") ?? 0));
    case "remove":
      return updateLine(() => 0);
    case "clear":
      return { ...cart, ...cartTotals([]) };
    default:
      return cart;
  }
}
