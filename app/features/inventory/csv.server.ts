import { categoryName } from "~/features/catalogue/categories";
import { localDay } from "~/features/ledger/days";
import { csvFile } from "~/http/csv.server";
import type { RequestContext } from "~/http/request-context.server";
import { LEVEL_NAMES, levelOf } from "./levels";
import { readAllStock } from "./list.server";
import type { ListParams } from "./list-params";
import type { StockRow } from "./queries.server";

/** The inventory as a CSV file: what is filtered, in the order of the list, every page of it. */
export function stockCsv({ db, now, settings }: RequestContext, place: ListParams): Response {
  const chunks = async function* () {
    for await (const rows of readAllStock(db, place)) yield rows.map(cellsOf);
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
