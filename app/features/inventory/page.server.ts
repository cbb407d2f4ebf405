import { redirectDocument } from "@remix-run/cloudflare";
import { type FormIntent, intent } from "~/http/form-action.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput, settledResult } from "~/http/page.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { parseStockListParams } from "./list-params";
import { type LevelCounts, listStock, NO_COUNTS, setStock } from "./operations.server";
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
 * Reads the inventory screen: the configured spreadsheet URL or a page of the stock table.
 *
 * @throws Response that reloads the document: the policy that allows the frame is set per document
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

/** Actions of the stock table; a script's `quietly` keeps the page without a toast. */
export const STOCK_FORMS: Record<string, FormIntent<unknown>> = {
  setStock: intent(setStock, {
    done: ({ name, stock }, form) =>
      form.quietly === "1"
        ? { stay: true }
        : { toast: `${name}: stock set to ${stock.toLocaleString("en")}` },
    failed: ({ details, message }) => `Stock not saved: ${details?.[0]?.message ?? message}`,
  }),
};
