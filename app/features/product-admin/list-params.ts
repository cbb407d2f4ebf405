import { CATEGORIES } from "~/features/catalogue/categories";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";

export {
  isFiltered,
  type ListParams,
  type OpenDialog,
  pageCount,
  readDialog,
  withoutDialog,
} from "~/ui/DataTable/list-params";

export const PRODUCTS_PATH = "/admin/products-management";
/** What the list of products can be sorted by; unsorted the newest stand first, or what matches a search best. */
export const PRODUCT_SORTS = ["name", "category", "price", "stock"] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number] | "newest";
/** The dialog of the bulk upload, by its name in the address. */
export const BULK_UPLOAD = "bulk-upload";

const RULES: ListRules = {
  path: PRODUCTS_PATH,
  sorts: PRODUCT_SORTS,
  base: { sort: "newest", dir: "desc" },
  filters: { category: CATEGORIES },
};

/** Where somebody is in the list of products. */
export const parseProductListParams = (params: URLSearchParams): ListParams => parseListParams(params, RULES);
