import type { Db } from "~/db/client.server";
import { parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { localDay } from "~/domain/days";
import { decimalDollars } from "~/domain/money";
import { lowStockOf, stockLevel } from "~/domain/stock-levels";
import { stockFormConfirmation } from "~/domain/unusual-change";
import { PRODUCT_LIST } from "~/features/catalogue/queries.server";
import { matching } from "~/features/catalogue/search.queries.server";
import { planSearch } from "~/features/catalogue/search-lookup.queries.server";
import { findByCode, findByOwnName } from "~/features/catalogue/units.queries.server";
import { openSearchedCode } from "~/features/codes/page.server";
import { releaseHold } from "~/features/sales/operations/holds.server";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { redirectDocument } from "~/http/redirect.server";
import { csvFile } from "~/http/streams.server";
import type { Toast } from "~/http/toasts.server";
import { type ListPage, readListPage } from "~/records/list-page.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import {
  FILTERED_LEVELS,
  parseStockListParams,
  STOCK_LEVEL_NAMES,
  STOCK_SORTS,
  stockOf,
} from "../list-params";
import {
  countLevels,
  type LevelCounts,
  rowsOf,
  type StockFilter,
  type StockRow,
  stockRows,
} from "../queries.server";
import { stockConfirmation } from "../stock-edit";
import { type MovementsPanel, readMovementsPanel, setStock } from "./movements.server";

/** Numbers of units that match the search and the category, by stock level. */
export type UnitCounts = Record<keyof LevelCounts, number>;

export const NO_COUNTS: UnitCounts = { all: 0, low: 0, out: 0 };

type StockList = ListPage<StockRow, { total: number; counts: UnitCounts }>;

/** Reads a page of the inventory; a search takes one or two more round trips. */
async function listStock(context: StaffContext, params: ListParams, open: string): Promise<StockList> {
  const { db } = context;
  const found = await foundBy(db, params, open);
  if (found === NO_MATCHES) return { params: { ...params, page: 1 }, rows: [], total: 0, counts: NO_COUNTS };
  const filter = stockFilter(params);
  const reads = PRODUCT_LIST.reads(db, stockRows(found, filter, open), async () => {
    const { all, low, out } = await countLevels(db, found, filter.category);
    const counts = { all: all.units, low: low.units, out: out.units };
    // Pages are cut by products, whose units stand together.
    return { counts, total: { all, low, out }[filter.level ?? "all"].products };
  });
  const page = await readListPage(context, params, reads);
  return { ...page, rows: page.rows.flatMap((product) => rowsOf(product, open)) };
}

/** Reads all units, those of a product together. */
async function* readAllStock(db: Db, params: ListParams): AsyncGenerator<StockRow[]> {
  const found = await foundBy(db, params);
  if (found === NO_MATCHES) return;
  const chunks = PRODUCT_LIST.chunks(db, stockRows(found, stockFilter(params), null), params);
  for await (const products of chunks)
    yield products.flatMap((product) => rowsOf(product, null)).filter(({ kind }) => kind !== "head");
}

/** Stands for a search without a letter or digit, which matches no product. */
const NO_MATCHES = "no matches" as const;

/** Builds the table of what a search finds: the opened product of this name, else by a code, else by words. */
async function foundBy(db: Db, { q }: ListParams, open = "") {
  if (!q) return null;
  const named = open && (await findByOwnName(db, open, q));
  if (named) return named;
  const byCode = await findByCode(db, q);
  if (byCode) return byCode;
  const plan = (await planSearch(db, q))?.plan;
  return plan ? matching(plan, "all") : NO_MATCHES;
}

function stockFilter({ sort, filters }: ListParams): StockFilter {
  return {
    category: parseCategory(filters.category ?? ""),
    level: FILTERED_LEVELS.find((level) => level === filters.level) ?? null,
    sort: STOCK_SORTS.find((name) => name === sort) ?? "name",
  };
}

/** Streams the units of the list's URL as a CSV file, filtered and sorted like the list. */
export const stockCsv = operation({
  access: "staff",
  input: PageInput,
  run: async ({ input, ...context }) =>
    stockFile(context, parseStockListParams(new URL(input.url).searchParams)),
});

function stockFile({ db, now, settings }: StaffContext, params: ListParams): Response {
  const chunks = async function* () {
    for await (const rows of readAllStock(db, params))
      yield rows.map((row) => csvCells(row, settings.sales.lowStock));
  };
  const name = `inventory-${localDay(now, settings.timezone)}`;
  return csvFile(name, HEADERS, chunks());
}

const HEADERS = ["Name", "Category", "Price", "Available", "Stock", "Level", "Choice", "SKU", "Barcode"];

/** Writes the cells of a unit. @param lowStock of the settings */
function csvCells(
  { name, category, priceCents, available, stock, ...unit }: StockRow,
  lowStock: number,
): string[] {
  return [
    name,
    categoryName(category),
    decimalDollars(priceCents),
    String(available),
    String(stock),
    STOCK_LEVEL_NAMES[stockLevel(stock, lowStockOf(unit.lowStock, lowStock), available)],
    ...[unit.choice, unit.sku, unit.barcode],
  ];
}

export interface StockPage {
  params: ListParams;
  /** Null when the read failed. */
  rows: StockRow[] | null;
  total: number;
  counts: UnitCounts;
  failure: string | null;
  /** Movements of the product that the URL names. */
  panel: MovementsPanel | null;
  /** Prefix of idempotency keys. */
  changeId: string;
}

/** Data of the inventory screen: the owner's spreadsheet, or the shop's stock table. */
export type InventoryPage = { sheetUrl: string } | ({ sheetUrl: null } & StockPage);

/**
 * Reads the inventory screen: the configured spreadsheet URL or a page of the stock table.
 *
 * @throws Response that reloads the document for the spreadsheet, since its frame needs a policy that only a document sets
 */
export const readInventory = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }): Promise<InventoryPage> {
    const url = new URL(input.url);
    const sheetUrl = context.settings.inventorySheetUrl;
    // A product that is opened may be named like a code.
    if (!sheetUrl && !url.searchParams.has("open")) await openSearchedCode(context, stockOf);
    if (!sheetUrl) return { sheetUrl: null, ...(await stockPage(context, url.searchParams)) };
    if (context.request.headers.get("Sec-Fetch-Dest") === "empty") throw redirectDocument(url.pathname);
    return { sheetUrl };
  },
});

async function stockPage(context: StaffContext, search: URLSearchParams): Promise<StockPage> {
  const params = parseStockListParams(search);
  const [{ value, message }, panel] = await Promise.all([
    settledResult(listStock(context, params, search.get("open") ?? "")),
    resultOrNull(readMovementsPanel(context, search)),
  ]);
  const common = { panel, changeId: crypto.randomUUID().slice(0, 8) };
  if (value) return { ...value, ...common, failure: null };
  const failure = `Failed to fetch products: ${message}`;
  return { params, rows: null, total: 0, counts: NO_COUNTS, ...common, failure };
}

/**
 * Builds the actions of the stock table and its panel. With the field `quietly`, which scripts send, the answer has no toast.
 *
 * @param url URL of the page, to which Undo returns
 */
export const stockForms = (url: string): FormIntents => ({
  setStock: intent(setStock, {
    done: (saved, form) => (form.quietly === "1" ? { stay: true } : { toast: savedToast(saved, url) }),
    confirmation: stockConfirmation,
    failed: ({ details, message }) => `Stock not saved: ${details?.[0]?.message ?? message}`,
  }),
  release: intent(releaseHold, { done: () => ({ toast: "Hold released" }) }),
});

function savedToast({ id, name, stock, before, held = 0 }: ResultOf<typeof setStock>, url: string): Toast {
  const holdWarning = held > stock ? `. More are on hold: ${held.toLocaleString("en")}` : "";
  const message = `${name}: stock set to ${stock.toLocaleString("en")}${holdWarning}`;
  if (before === undefined || before === stock) return { type: "success", message };
  const { pathname, search } = new URL(url);
  const confirmed = stockFormConfirmation(stock, before, held) ?? "";
  const fields = { stock: String(before), was: String(stock), held: String(held), confirmed };
  const subject = `${before.toLocaleString("en")} before`;
  return {
    type: "success",
    message,
    undo: { subject, action: pathname + search, intent: "setStock", id, fields },
  };
}
