/**
 * Formats a category for display: spaces for underscores, each word capitalised.
 *
 * @param category such as HOME_DECOR; an empty one becomes "Unknown"
 */
export function categoryName(category: string): string {
  const words = category.toLowerCase().split(/[_\s]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ") || "Unknown";
}
