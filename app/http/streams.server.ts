import Papa from "papaparse";
import { FORMULA } from "./formula";
import { asAppError } from "./operation.server";

/** Marks text as UTF-8 for spreadsheets. */
export const BOM = "\ufeff";
const SEPARATORS = /[,;\t|]/;

export type CsvRow = (string | number)[];

/**
 * Writes rows as CSV. Formulas become text. Cells that contain any separator are quoted, since programs choose the
 * separator by the reader's country.
 *
 * @returns lines with line ends, without a byte order mark
 */
export function csvLines(rows: CsvRow[], delimiter = ","): string {
  const options = {
    delimiter,
    escapeFormulae: FORMULA,
    quotes: (value: unknown) => SEPARATORS.test(String(value)),
    newline: "\r\n",
  };
  return `${Papa.unparse(rows, options)}\r\n`;
}

/** Streams a CSV file while its rows are read. @param name of the file, without extension */
export function csvFile(
  name: string,
  head: string[],
  chunks: AsyncIterable<CsvRow[]> | Iterable<CsvRow[]>,
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

/**
 * Streams a body, so that a long list is never in memory as a whole.
 *
 * @param parts text in order; an error aborts the body and is logged
 */
export function streamedResponse(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(asAppError(error));
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/** Serialises rows as one JSON array. */
export async function* asJsonArray(chunks: AsyncGenerator<unknown[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of chunks) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
