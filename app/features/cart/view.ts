import { dollars } from "~/ui/money";

export interface CartLine {
  id: string;
  name: string;
  priceCents: number;
  stock: number;
  /** At most `stock`; a line of 0 has sold out and can only be removed. */
  quantity: number;
  image: string | null;
  imageAlt: string | null;
}

export interface CartView {
  lines: CartLine[];
  totalCents: number;
  /** Sum of the quantities. */
  itemCount: number;
  /** Seller's phone number for `Send Message`. */
  sms: string;
}

/** Computes total and item count from the lines. @param sms seller's phone number */
export function cartView(lines: CartLine[], sms: string): CartView {
  return {
    lines,
    totalCents: lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0),
    itemCount: lines.reduce((sum, line) => sum + line.quantity, 0),
    sms,
  };
}

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
