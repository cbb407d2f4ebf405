import { CATEGORIES } from "~/features/catalogue/categories";
import { type ListPlace, type ListRules, readPlace } from "~/ui/DataTable/list-params";

export {
  isNarrowed,
  type ListPlace,
  type OpenDialog,
  pageCount,
  readDialog,
  withoutDialog,
} from "~/ui/DataTable/list-params";

export const SHELF_PATH = "/admin/products-management";
/** What the list of products can be sorted by; unsorted the newest stand first, or what matches a search best. */
export const SHELF_SORTS = ["name", "category", "price", "stock"] as const;
export type ShelfSort = (typeof SHELF_SORTS)[number] | "newest";
/** The dialog of the bulk upload, by its name in the address. */
export const BULK_UPLOAD = "bulk-upload";

const RULES: ListRules = {
  path: SHELF_PATH,
  sorts: SHELF_SORTS,
  base: { sort: "newest", dir: "desc" },
  filters: { category: CATEGORIES },
};

/** Where somebody is in the list of products. */
export const readShelf = (params: URLSearchParams): ListPlace => readPlace(params, RULES);
