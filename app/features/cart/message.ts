import { dollars } from "~/ui/money";
import type { CartView } from "./view";

/** Writes the customer's message about the cart: available products with quantity and price, and the total. */
export function cartMessage({ lines, totalCents }: CartView): string {
  const products = lines
    .filter(({ quantity }) => quantity > 0)
    .map(({ name, quantity, priceCents }) => `${quantity} × ${name}, ${dollars(priceCents * quantity)}`);
  return ["I'm interested in buying:", ...products, `Total: ${dollars(totalCents)}`].join("\n");
}

/** Builds the link that opens the device's message app; iPhones read `&body`, others `?body`. */
export function smsUrl(cart: CartView): string {
  return `sms:${cart.sms}?&body=${encodeURIComponent(cartMessage(cart))}`;
}
