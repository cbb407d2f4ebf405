import type { LabelledOptions, SelectedOptions } from "~/features/catalogue/options";
import type { ProductCard } from "./protocol";

/** Quantity and options with which a visitor asks about a product. */
export interface ProductSelection extends SelectedOptions {
  quantity: number;
}

/** Options of a product before anything is selected. */
export const NOTHING_SELECTED: ProductSelection = { quantity: 1, color: null, engraving: null };

/** Reads the options of a card. */
export const optionsOf = ({
  quantity = 1,
  color,
  engraving,
}: Pick<ProductCard, "quantity" | "color" | "engraving">): ProductSelection => ({
  quantity,
  color: color ?? null,
  engraving: engraving ?? null,
});

/** Picks the options that were selected. */
export const selectedOnly = ({ color, engraving }: LabelledOptions) => ({
  ...(color && { color }),
  ...(engraving && { engraving }),
});

/** Builds the card of a product with its options. */
export function askedCard(productId: string, options: ProductSelection): ProductCard & { quantity: number } {
  return { type: "product", productId, quantity: options.quantity, ...selectedOnly(options) };
}

export const haveSameOptions = (one: ProductSelection, other: ProductSelection): boolean =>
  one.quantity === other.quantity && one.color === other.color && one.engraving === other.engraving;

/** Returns the parameters of a page that asks about a product; options that were not selected are left out. */
export function askParams(productId: string, { quantity, ...options }: ProductSelection): URLSearchParams {
  return new URLSearchParams({
    product: productId,
    ...(quantity > 1 && { quantity: String(quantity) }),
    ...selectedOnly(options),
  });
}

/** Reads options as a form or an address has them; what is no number counts as one piece. */
export function readOptions(value: (name: "quantity" | "color" | "engraving") => unknown): ProductSelection {
  const text = (name: "color" | "engraving") => {
    const read = value(name);
    return (typeof read === "string" && read.trim().replace(/\s+/g, " ")) || null;
  };
  const quantity = Math.trunc(Number(value("quantity")));
  return { quantity: Math.max(1, quantity) || 1, color: text("color"), engraving: text("engraving") };
}
