/**
 * Formats a category for display: spaces for underscores, each word capitalised.
 *
 * @param category such as HOME_DECOR; an empty one becomes "Unknown"
 */
export function categoryName(category: string): string {
  if (!category) return "Unknown";
  return category
    .toLowerCase()
    .replace(/[_\s]+/g, " ")
    .replace(/(^| )\S/g, (start) => start.toUpperCase());
}

export function categoryUrl(category: string): string {
  return `/shop?category=${category}`;
}
