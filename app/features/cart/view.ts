import type { LabelledOptions, OfferedOptions, SelectedOptions } from "~/features/catalogue/options";
import type { PicturePlate } from "~/features/catalogue/plates";

/** Line of the cart; its options identify it beside its product. */
export interface CartLine extends SelectedOptions {
  /** Of the product. */
  id: string;
  /** Missing for a product of one unit, and while the choice is open. */
  unitId?: string;
  name: string;
  /** Address of the product with the choice. */
  path: string;
  priceCents: number;
  /** Pieces that the other lines of the unit leave. */
  stock: number;
  /** At most `stock`; a line of 0 has sold out and can only be removed. */
  quantity: number;
  image: string | null;
  imageAlt: string | null;
  /** Place of the words on the picture. */
  plate?: PicturePlate;
  chosen: LabelledOptions;
  /** CSS background of the chosen colour; null without one, and for an unknown one. */
  swatch: string | null;
  /** Null where the product leaves nothing to choose. */
  choices: OfferedOptions | null;
  /** Page on which to ask to be told when it is back; missing while pieces are left. */
  restockUrl?: string;
  /** Says that the words exceed the plate. */
  note?: string;
  /** Options that the product no longer offers. */
  unavailable?: string[];
}

export interface CartView {
  lines: CartLine[];
  totalCents: number;
  /** Sum of the quantities. */
  itemCount: number;
  /** Link of `Send Message`; "" for an empty cart. */
  smsUrl: string;
  /** `Open today until 18:00`; "" for an empty cart. */
  opening: string;
  /** Tax in the total, and that nothing is charged; "" for an empty cart. */
  terms: string;
  /** Says which products are no longer offered. */
  gone?: string;
  /** Ids of the latest requests that added to the cart. */
  requests?: string[];
}

/** Message of a removed line. */
export const ITEM_REMOVED = "Item removed from cart";

export type CartTotals = Omit<CartView, "smsUrl" | "opening" | "terms" | "requests" | "gone">;

/** Computes total and item count from the lines. */
export function cartTotals(lines: CartLine[]): CartTotals {
  return {
    lines,
    totalCents: lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0),
    itemCount: lines.reduce((sum, line) => sum + line.quantity, 0),
  };
}
