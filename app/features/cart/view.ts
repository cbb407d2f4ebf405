/** One product in the cart. */
export interface CartLine {
  id: string;
  name: string;
  priceCents: number;
  stock: number;
  /** Never above `stock`: 0 for what has sold out since, which then can only be removed. */
  quantity: number;
  /** As stored. */
  image: string | null;
  imageAlt: string | null;
}

/** The cart as it is shown. */
export interface CartView {
  /** In the order in which they were added. */
  lines: CartLine[];
  totalCents: number;
  /** Sum of the quantities (spec 3, Cart item). */
  itemCount: number;
  /** The seller's number, for the message that 'Send Message' opens. */
  sms: string;
}

/**
 * Adds up a cart; total and item count follow from the lines after every change (spec 4).
 *
 * @param lines as they are shown
 * @param sms the seller's number
 */
export function cartView(lines: CartLine[], sms: string): CartView {
  return {
    lines,
    totalCents: lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0),
    itemCount: lines.reduce((sum, line) => sum + line.quantity, 0),
    sms,
  };
}
