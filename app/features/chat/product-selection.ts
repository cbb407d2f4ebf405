import type { LabelledOptions, SelectedOptions } from "~/features/catalogue/options";
import type { ProductCard } from "./protocol";

/** Quantity and options with which a visitor asks about a product. */
export interface ProductSelection extends SelectedOptions {
  quantity: number;
  /** Unit of a product that has several, which says its choice in place of the colour; null for none. */
  unitId: string | null;
}

/** Options of a product before anything is selected. */
export const NOTHING_SELECTED: ProductSelection = { quantity: 1, unitId: null, color: null, engraving: null };

/** Reads the options of a card. */
export const optionsOf = ({
  quantity = 1,
  unitId,
  color,
  engraving,
}: Pick<ProductCard, "quantity" | "unitId" | "color" | "engraving">): ProductSelection => ({
  quantity,
  unitId: unitId ?? null,
  color: unitId ? null : (color ?? null),
  engraving: engraving ?? null,
});

/** Picks the options that were selected. */
export const selectedOnly = ({ color, engraving }: LabelledOptions) => ({
  ...(color && { color }),
  ...(engraving && { engraving }),
});

/** Builds the card of a product with its options. */
export function askedCard(productId: string, options: ProductSelection): ProductCard & { quantity: number } {
  const { quantity, unitId } = options;
  return { type: "product", productId, ...(unitId && { unitId }), quantity, ...selectedOnly(options) };
}

/** Returns the id of what a card or a line names: its unit, or its product. */
export const soldId = ({ productId, unitId }: Pick<ProductCard, "productId" | "unitId">): string =>
  unitId ?? productId;

export const haveSameOptions = (one: ProductSelection, other: ProductSelection): boolean =>
  one.quantity === other.quantity &&
  one.unitId === other.unitId &&
  one.color === other.color &&
  one.engraving === other.engraving;

/** Returns the parameters of a page that asks about a product; options that were not selected are left out. */
export function askParams(
  productId: string,
  { quantity, unitId, ...options }: ProductSelection,
): URLSearchParams {
  return new URLSearchParams({
    product: productId,
    ...(unitId && { unitId }),
    ...(quantity > 1 && { quantity: String(quantity) }),
    ...selectedOnly(options),
  });
}

/** Reads options as a form or an address has them; what is no number counts as one piece. */
export function readOptions(
  value: (name: "quantity" | "unitId" | "color" | "engraving") => unknown,
): ProductSelection {
  const text = (name: "unitId" | "color" | "engraving") => {
    const read = value(name);
    return (typeof read === "string" && read.trim().replace(/\s+/g, " ")) || null;
  };
  const quantity = Math.trunc(Number(value("quantity")));
  const unitId = text("unitId");
  return {
    quantity: Math.max(1, quantity) || 1,
    unitId,
    color: unitId ? null : text("color"),
    engraving: text("engraving"),
  };
}
