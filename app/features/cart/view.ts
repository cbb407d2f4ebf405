/** Product in the cart. */
export interface CartLine {
  id: string;
  name: string;
  priceCents: number;
  stock: number;
  /** At most `stock`; a line of 0 has sold out and can only be removed. */
  quantity: number;
  /** As stored. */
  image: string | null;
  imageAlt: string | null;
}

/** Displayed cart. */
export interface CartView {
  /** In the order of adding. */
  lines: CartLine[];
  totalCents: number;
  /** Sum of the quantities. */
  itemCount: number;
  /** Seller's phone number for `Send Message`. */
  sms: string;
}

/**
 * Computes total and item count from the lines.
 *
 * @param sms seller's phone number
 */
export function cartView(lines: CartLine[], sms: string): CartView {
  return {
    lines,
    totalCents: lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0),
    itemCount: lines.reduce((sum, line) => sum + line.quantity, 0),
    sms,
  };
}
