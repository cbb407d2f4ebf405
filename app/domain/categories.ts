/** Categories of products and invoices, in display order (docs/product.md, 5.1). */
export const CATEGORIES = [
  "PHONE_CASE",
  "COMPUTER_ACCESSORY",
  "PHONE_ACCESSORY",
  "CAR_ACCESSORY",
  "JEWELRY",
  "HEALTH_AND_BEAUTY",
  "HOME_DECOR",
  "ENGRAVING",
  "OTHERS",
] as const;

export type Category = (typeof CATEGORIES)[number];

/**
 * Parses a category in any spelling: `phone case`, `Phone-Case` or `PHONE_CASE`.
 *
 * @returns null for an unknown category
 */
export function parseCategory(text: string): Category | null {
  const key = text
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, "_");
  return CATEGORIES.find((category) => category === key) ?? null;
}

export interface CategoryTile {
  category: Category;
  /** Number of products. */
  products: number;
  /** Stored image entry of its newest product. */
  image: string | null;
}
