/** The nine categories of products and invoices, in the spec's order (back office 3). */
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
 * A category as shoppers read it: underscores to spaces, each word capitalised (spec 2, product detail).
 *
 * @param category such as HOME_DECOR; an empty one is "Unknown"
 */
export function categoryName(category: string): string {
  return NAMES.get(category) ?? readably(category);
}

function readably(category: string): string {
  if (!category) return "Unknown";
  return category
    .toLowerCase()
    .split(/[_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** A page of the shop says them a hundred times. */
const NAMES = new Map<string, string>(CATEGORIES.map((category) => [category, readably(category)]));

/**
 * Reads a category however it is spelt: `phone case`, `Phone-Case` and `PHONE_CASE` alike (contract: Categories).
 *
 * @returns the category, or null for one that the shop doesn't have
 */
export function parseCategory(text: string): Category | null {
  const key = text
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, "_");
  return CATEGORIES.find((category) => category === key) ?? null;
}
