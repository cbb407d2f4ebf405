/** Tag of all cached pages. */
export const SHOP_TAG = "shop";
/** Tag of lists that any product can change: of all categories, filtered or searched. */
export const LISTS_TAG = "lists";

/** Returns the tag of pages that show a product. */
export const productTag = (id: string) => `product:${id}`;

/** Returns the tag of the unfiltered lists of a category. */
export const categoryTag = (category: string) => `category:${category}`;
