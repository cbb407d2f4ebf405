import { categoryName } from "~/features/catalogue/categories";
import { localDay } from "~/features/ledger/days";
import { csvFile } from "~/http/csv.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { LEVEL_NAMES, levelOf } from "./levels";
import { readAllStock } from "./list.server";
import { type ListParams, parseStockListParams } from "./list-params";
import type { StockRow } from "./queries.server";

/** Streams the products that match the list's URL, in its order, as a CSV file. */
export const stockCsv = operation({
  access: "staff",
  input: PageInput,
  run: async ({ input, ...context }) =>
    stockFile(context, parseStockListParams(new URL(input.url).searchParams)),
});

function stockFile({ db, now, settings }: StaffContext, params: ListParams): Response {
  const chunks = async function* () {
    for await (const rows of readAllStock(db, params)) yield rows.map(cellsOf);
  };
  const name = `inventory-${localDay(now, settings.timezone)}`;
  return csvFile(name, ["Name", "Category", "Price", "Stock", "Level"], chunks());
}

function cellsOf({ name, category, priceCents, stock }: StockRow): string[] {
  return [
    name,
    categoryName(category),
    (priceCents / 100).toFixed(2),
    String(stock),
    LEVEL_NAMES[levelOf(stock)],
  ];
}
