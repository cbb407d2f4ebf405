import Papa from "papaparse";
import { streamed } from "./streams.server";

/** Cells that a spreadsheet would take for a formula (budgets: Safe). */
const FORMULA = /^[=+\-@\t\r]/;
/** Tells spreadsheets that the text is UTF-8. */
const BOM = "\ufeff";

export type Cells = (string | number)[];

/**
 * A CSV file that is made while it is read.
 *
 * @param name of the file, without its ending
 * @param head the columns' titles
 * @param chunks of rows, in order
 */
export function csvFile(name: string, head: string[], chunks: AsyncGenerator<Cells[]>): Response {
  const lines = (rows: Cells[]) => `${Papa.unparse(rows, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
  const parts = async function* () {
    yield BOM + lines([head]);
    for await (const rows of chunks) if (rows.length > 0) yield lines(rows);
  };
  return new Response(streamed(parts()), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "no-store",
    },
  });
}
