import Papa from "papaparse";
import type { RequestContext } from "~/http/request-context.server";
import { categoryName } from "../categories";
import { LEVEL_NAMES, levelOf } from "./levels";
import { readAllStock } from "./list.server";
import type { ListPlace } from "./place";
import type { StockRow } from "./stock.queries.server";

/** Cells that a spreadsheet would take for a formula (budgets: Safe). */
const FORMULA = /^[=+\-@\t\r]/;
/** Tells spreadsheets that the text is UTF-8. */
const BOM = "\ufeff";

/** The inventory as a CSV file: what is filtered, in the order of the list, every page of it. */
export function stockCsv({ db, now }: RequestContext, place: ListPlace): Response {
  const lines = (rows: string[][]) =>
    `${Papa.unparse(rows, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
  const encoder = new TextEncoder();
  const chunks = readAllStock(db, place);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BOM + lines([["Name", "Category", "Price", "Stock", "Level"]])));
    },
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      if (value.length > 0) controller.enqueue(encoder.encode(lines(value.map(cellsOf))));
      else controller.close();
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  const file = `inventory-${new Date(now * 1000).toISOString().slice(0, 10)}.csv`;
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file}"`,
      "Cache-Control": "no-store",
    },
  });
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
