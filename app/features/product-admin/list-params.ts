import { CATEGORIES } from "~/domain/categories";
import type { Plate } from "~/domain/engraving-plate";
import type { ProductView } from "~/features/catalogue/product-views.server";
import type { CardRow } from "~/features/catalogue/queries.server";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";

export const PRODUCTS_PATH = "/admin/products-management";
/** Sortable columns; by default the newest products, or the best matches of a search, come first. */
export const PRODUCT_SORTS = ["name", "category", "price", "stock"] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number] | "newest";
export const IMPORT_DIALOG = "bulk-upload";

const RULES: ListRules = {
  path: PRODUCTS_PATH,
  sorts: PRODUCT_SORTS,
  base: { sort: "newest", dir: "desc" },
  filters: { category: CATEGORIES },
};

export const parseProductListParams = (params: URLSearchParams): ListParams => parseListParams(params, RULES);

/** Product in the list; `image` is a stored entry. */
export type ProductRowView = Omit<CardRow, "imageAlt"> & { colors: string[] };

/** Product in the dialogs; `imageUrls` are stored entries. */
export type ProductDetail = Omit<ProductView, "images"> & {
  imageUrls: string[];
  optionLabel: string;
  /** By the entry of their image. */
  plates: Record<string, Plate>;
};
