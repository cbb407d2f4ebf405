import type { ProductOption } from "~/db/schema";
import { CATEGORIES } from "~/domain/categories";
import type { ProductContent } from "~/features/catalogue/product";
import type { ProductUnit } from "~/features/catalogue/units";
import { PRODUCTS_PATH } from "~/features/product-import/plan";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";

/** Sortable columns; by default the newest products, or the best matches of a search, come first. */
export const PRODUCT_SORTS = ["name", "category", "price", "stock"] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number] | "newest";

const RULES: ListRules = {
  path: PRODUCTS_PATH,
  sorts: PRODUCT_SORTS,
  base: { sort: "newest", dir: "desc" },
  filters: { category: CATEGORIES },
  // Of an import, and of an act on ticked products.
  others: ["run", "act"],
};

/** Builds the URL of a product's form. */
export const productOf = ({ productId }: { productId: string }): string =>
  `${PRODUCTS_PATH}?${new URLSearchParams({ edit: productId })}`;

/** Builds the URL of a product's holds, in the inventory. */
export const holdsUrl = (id: string): string =>
  `/admin/inventory-management?${new URLSearchParams({ movements: id })}`;

export const parseProductListParams = (params: URLSearchParams): ListParams => parseListParams(params, RULES);

/** Product in the list; `image` is a stored entry. */
export type ProductRowView = Omit<ProductContent, "description" | "imageUrls" | "plates"> & {
  id: string;
  image: string | null;
  options: ProductOption[];
  /** Some of its units have prices of their own; the lowest one that can be bought is shown. */
  isFrom: number;
};

/** Product in the dialogs; `imageUrls` are stored entries. */
export type ProductDetail = ProductContent & {
  id: string;
  /** Pieces in active holds. */
  held: number;
  /** Names of those who have them, read before a deletion: `Ann Lee: 2`. */
  heldBy?: string;
  /** People who wait for it. */
  waiting: number;
  options: ProductOption[];
  units: ProductUnit[];
};
