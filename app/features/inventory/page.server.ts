import { redirectDocument } from "@remix-run/cloudflare";
import { settled } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { type LevelCounts, listStock, NO_COUNTS } from "./list.server";
import { type ListParams, parseStockListParams } from "./list-params";
import type { StockRow } from "./queries.server";

/** What the stock table shows. */
export interface StockPage {
  place: ListParams;
  /** Null when they could not be read. */
  rows: StockRow[] | null;
  total: number;
  counts: LevelCounts;
  failure: string | null;
}

/** The inventory: the owner's own spreadsheet, or the shop's stock table. */
export type InventoryPage = { sheet: string } | ({ sheet: null } & StockPage);

/**
 * What the inventory's screen shows (contract: Inventory). The caller must have made sure that a member of staff asks.
 *
 * @throws Response that makes the browser load the page anew: only a document of its own may frame the sheet
 */
export async function inventoryPage(context: RequestContext): Promise<InventoryPage> {
  const url = new URL(context.request.url);
  const sheet = context.settings.inventorySheetUrl;
  if (!sheet) return { sheet: null, ...(await stockPage(context, parseStockListParams(url.searchParams))) };
  if (url.searchParams.has("_data")) throw redirectDocument(url.pathname);
  return { sheet };
}

async function stockPage({ db }: RequestContext, place: ListParams): Promise<StockPage> {
  const { value, message } = await settled(listStock(db, place));
  if (value) return { ...value, failure: null };
  const failure = `Failed to fetch products: ${message}`;
  return { place, rows: null, total: 0, counts: NO_COUNTS, failure };
}
