import { CATEGORIES } from "~/features/catalogue/categories";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";
import { LOW_OR_OUT } from "./levels";

export type { ListParams };

export const STOCK_SORTS = ["name", "category", "price", "stock"] as const;
export type StockSort = (typeof STOCK_SORTS)[number];

/** Rows that the frame of 800 pixels is filled with. */
const FRAMEFUL = 20;

export const INVENTORY = "/admin/inventory-management";

const RULES: ListRules = {
  path: INVENTORY,
  sorts: STOCK_SORTS,
  base: { sort: "name", dir: "asc", size: FRAMEFUL },
  filters: { category: CATEGORIES, level: LOW_OR_OUT },
};

/** Where somebody is in the inventory. */
export const parseStockListParams = (params: URLSearchParams): ListParams => parseListParams(params, RULES);
