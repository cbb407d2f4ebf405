import { LOW_STOCK } from "~/db/low-stock";
import { CATEGORIES } from "~/features/catalogue/categories";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";

export type StockLevel = "out" | "low" | "enough";

/** Stock levels in the numbering of the counters (migrations/0008_stock.sql): 0, 1, 2. */
export const STOCK_LEVELS: readonly StockLevel[] = ["out", "low", "enough"];

export const STOCK_LEVEL_NAMES: Record<StockLevel, string> = {
  out: "Out of stock",
  low: "Low stock",
  enough: "In stock",
};

export const FILTERED_LEVELS = ["low", "out"] as const;
export type FilteredLevel = (typeof FILTERED_LEVELS)[number];

/** @param stock 0 or more */
export function stockLevel(stock: number): StockLevel {
  if (stock === 0) return "out";
  return stock <= LOW_STOCK ? "low" : "enough";
}

export const STOCK_SORTS = ["name", "category", "price", "stock"] as const;
export type StockSort = (typeof STOCK_SORTS)[number];

export const INVENTORY_PATH = "/admin/inventory-management";

const RULES: ListRules = {
  path: INVENTORY_PATH,
  sorts: STOCK_SORTS,
  // 20 rows fill the frame of 800 px.
  base: { sort: "name", dir: "asc", size: 20 },
  filters: { category: CATEGORIES, level: FILTERED_LEVELS },
};

export const parseStockListParams = (params: URLSearchParams): ListParams => parseListParams(params, RULES);
