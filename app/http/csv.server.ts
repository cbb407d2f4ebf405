import Papa from "papaparse";
import { FORMULA } from "./formula";
import { streamedResponse } from "./streams.server";

/** Marks text as UTF-8 for spreadsheets. */
export const BOM = "\ufeff";
const SEPARATORS = /[,;\t|]/;

export type Cells = (string | number)[];

/**
 * Writes rows as CSV; every file of the shop is written here. Formulas become text. Cells with any separator stand in
 * quotation marks, as programs choose the separator by the reader's country and not by the file.
 *
 * @returns lines, each with its end; no byte order mark
 */
export function csvLines(rows: Cells[], delimiter = ","): string {
  const options = {
    delimiter,
    escapeFormulae: FORMULA,
    quotes: (value: unknown) => SEPARATORS.test(String(value)),
    newline: "\r\n",
  };
  return `${Papa.unparse(rows, options)}\r\n`;
}

/**
 * Streams a CSV file while its rows are read.
 *
 * @param name of the file, without its ending
 * @param head the columns' titles
 * @param chunks of rows, in order
 */
export function csvFile(
  name: string,
  head: string[],
  chunks: AsyncIterable<Cells[]> | Iterable<Cells[]>,
): Response {
  const parts = async function* () {
    yield BOM + csvLines([head]);
    for await (const rows of chunks) if (rows.length > 0) yield csvLines(rows);
  };
  return new Response(streamedResponse(parts()), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "no-store",
    },
  });
}
