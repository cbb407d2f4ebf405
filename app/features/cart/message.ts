import { dollars } from "~/ui/money";
import type { CartView } from "./view";

/**
 * What a customer tells the seller about the cart: each thing with its quantity and price, and the total.
 *
 * @param cart lines without stock are left out
 */
export function cartMessage({ lines, totalCents }: CartView): string {
  const wanted = lines
    .filter(({ quantity }) => quantity > 0)
    .map(({ name, quantity, priceCents }) => `${quantity} × ${name}, ${dollars(priceCents * quantity)}`);
  return ["I'm interested in buying:", ...wanted, `Total: ${dollars(totalCents)}`].join("\n");
}

/**
 * The link that opens the device's message app (contract: Cart). `?&body=`, because iPhones read the one sign
 * and others the other.
 */
export function messageAddress(cart: CartView): string {
  return `sms:${cart.sms}?&body=${encodeURIComponent(cartMessage(cart))}`;
}
