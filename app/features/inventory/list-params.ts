import { CATEGORIES } from "~/domain/categories";
import type { StockLevel } from "~/domain/stock-levels";
import { type ListParams, type ListRules, listUrl, parseListParams } from "~/ui/DataTable/list-params";

export const STOCK_LEVEL_NAMES: Record<StockLevel, string> = {
  out: "Out of stock",
  low: "Low stock",
  enough: "In stock",
  held: "All on hold",
};

export const FILTERED_LEVELS = ["low", "out"] as const;
export type FilteredLevel = (typeof FILTERED_LEVELS)[number];

export const STOCK_SORTS = ["name", "category", "price", "stock"] as const;
export type StockSort = (typeof STOCK_SORTS)[number];

export const INVENTORY_PATH = "/admin/inventory-management";

const RULES: ListRules = {
  path: INVENTORY_PATH,
  sorts: STOCK_SORTS,
  // 20 rows fill the frame of 800 px.
  base: { sort: "name", dir: "asc", size: 20 },
  filters: { category: CATEGORIES, level: FILTERED_LEVELS },
  others: ["movements", "before", "open"],
};

/** Builds the URL that lists all units of a product. */
export function allUnitsUrl(params: ListParams, productId: string): string {
  const list = listUrl(params);
  return `${list}${list.includes("?") ? "&" : "?"}${new URLSearchParams({ open: productId })}`;
}

/** Builds the URL that opens the movements of a product or a unit beside the list. @param before row that they precede */
export function movementsUrl(params: ListParams, id: string, before?: number): string {
  const list = listUrl(params);
  const query = new URLSearchParams({ movements: id, ...(before && { before: String(before) }) });
  return `${list}${list.includes("?") ? "&" : "?"}${query}`;
}

/** Builds the URL of the list with the rows of a unit's product alone; the movements of one of several are opened. */
export function stockOf({ unitId, productId, name }: { unitId: string; productId: string; name: string }) {
  const query = new URLSearchParams({ q: name, open: productId });
  if (unitId !== productId) query.set("movements", unitId);
  return `${INVENTORY_PATH}?${query}`;
}

export const parseStockListParams = (params: URLSearchParams): ListParams => parseListParams(params, RULES);
