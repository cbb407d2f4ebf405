/** A category as menus and tiles show it. */
export interface CategoryTile {
  category: string;
  /** How many products it holds. */
  products: number;
  /** Its newest product's picture, as stored. */
  image: string | null;
}

/** Where a category's products are. */
export function categoryUrl(category: string): string {
  return `/shop?category=${category}`;
}
