import { dollars } from "~/domain/money";
import { itemText } from "~/features/catalogue/options";
import type { CartTotals } from "./view";

/** Writes the customer's message about the cart: available products with quantity and price, and the total. */
export function cartMessage({ lines, totalCents }: CartTotals): string {
  const products = lines
    .filter(({ quantity }) => quantity > 0)
    .map(
      (line) =>
        `${line.quantity} × ${itemText(line.name, line.chosen)}, ${dollars(line.priceCents * line.quantity)}`,
    );
  return ["I'm interested in buying:", ...products, `Total: ${dollars(totalCents)}`].join("\n");
}

/** Builds the link that opens the device's message app; iPhones read `&body`, others `?body`. */
export function smsUrl(cart: CartTotals, sellerNumber: string): string {
  return `sms:${sellerNumber}?&body=${encodeURIComponent(cartMessage(cart))}`;
}
