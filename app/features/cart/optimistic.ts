import { useFetchers } from "@remix-run/react";
import { type CartView, cartView } from "./view";

/** Where every act on the cart is posted. */
export const CART_PATH = "/cart";

/**
 * The cart as it will be once the server has said yes to what is under way: shown at once.
 *
 * @param cart as the server last told it
 */
export function useOptimisticCart(cart: CartView): CartView {
  const forms = useFetchers().flatMap(({ formAction, formData }) =>
    formAction === CART_PATH && formData ? [formData] : [],
  );
  return forms.reduce(applyPending, cart);
}

/**
 * What a form will make of the cart. A product that isn't in it yet counts, but has no line until the server
 * has told its name and price.
 *
 * @param cart before
 * @param form intent, id, quantity, step
 */
export function applyPending(cart: CartView, form: FormData): CartView {
  const id = form.get("id");
  const number = Number(form.get("quantity") ?? 1);
  const change = (to: (quantity: number) => number) => {
    const lines = cart.lines.map((line) =>
      line.id === id ? { ...line, quantity: Math.min(line.stock, to(line.quantity)) } : line,
    );
    return cartView(
      lines.filter((line) => line.id !== id || line.quantity > 0),
      cart.sms,
    );
  };
  switch (form.get("intent")) {
    case "add":
      return cart.lines.some((line) => line.id === id)
        ? change((quantity) => quantity + number)
        : { ...cart, itemCount: cart.itemCount + number };
    case "set":
      return change(() => number + Number(form.get("step") ?? 0));
    case "remove":
      return change(() => 0);
    case "clear":
      return cartView([], cart.sms);
    default:
      return cart;
  }
}
