import { redirectDocument } from "@remix-run/cloudflare";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput, settledResult } from "~/http/page.server";
import { type LevelCounts, listStock, NO_COUNTS } from "./list.server";
import { type ListParams, parseStockListParams } from "./list-params";
import type { StockRow } from "./queries.server";

/** Data of the stock table. */
export interface StockPage {
  params: ListParams;
  /** Null when the read failed. */
  rows: StockRow[] | null;
  total: number;
  counts: LevelCounts;
  failure: string | null;
}

/** Data of the inventory screen: the owner's spreadsheet, or the shop's stock table. */
export type InventoryPage = { sheet: string } | ({ sheet: null } & StockPage);

/**
 * Reads the inventory screen: the spreadsheet's URL where one is set, else a page of the stock table.
 *
 * @throws Response that makes the browser load the page anew: only a document of its own may frame the sheet
 */
export const readInventory = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }): Promise<InventoryPage> {
    const url = new URL(input.url);
    const sheet = context.settings.inventorySheetUrl;
    if (!sheet) return { sheet: null, ...(await stockPage(context, parseStockListParams(url.searchParams))) };
    if (context.request.headers.get("Sec-Fetch-Dest") === "empty") throw redirectDocument(url.pathname);
    return { sheet };
  },
});

async function stockPage({ db }: StaffContext, params: ListParams): Promise<StockPage> {
  const { value, message } = await settledResult(listStock(db, params));
  if (value) return { ...value, failure: null };
  const failure = `Failed to fetch products: ${message}`;
  return { params, rows: null, total: 0, counts: NO_COUNTS, failure };
}
