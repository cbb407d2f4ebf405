import Papa from "papaparse";
import { FORMULA } from "./formula";
import { asAppError, Listing } from "./operation.server";

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
function streamedResponse(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
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

/** Answers a list as one JSON array while its rows are read. @param total number of all rows */
export function jsonList(total: number, chunks: AsyncGenerator<unknown[]>): Response {
  return new Response(streamedResponse(asJsonArray(chunks)), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Total-Count": String(total),
    },
  });
}

/** Rows of a chunk of a list without a limit. */
const CHUNK_ROWS = 1000;

interface ReadWindow {
  limit: number;
  offset: number;
}

/**
 * Lists rows for the API: a window, or without a limit all of them, streamed when there are many. A row that moves back
 * because another is added meanwhile is not repeated.
 *
 * @param read reads the rows of a window, and the number of all
 */
export async function readList<Row extends { id: string }>(
  read: (window: ReadWindow) => Promise<{ rows: Row[]; total: number }>,
  { limit, offset }: { limit?: number | undefined; offset: number },
): Promise<Listing<Row> | Response> {
  const first = await read({ limit: limit ?? CHUNK_ROWS, offset });
  if (limit !== undefined || first.rows.length < CHUNK_ROWS) return new Listing(first.rows, first.total);
  const chunks = async function* () {
    const seen = new Set<string>();
    let { rows } = first;
    for (let next = offset + CHUNK_ROWS; rows.length > 0; next += CHUNK_ROWS) {
      yield rows.filter(({ id }) => !seen.has(id));
      for (const { id } of rows) seen.add(id);
      ({ rows } = await read({ limit: CHUNK_ROWS, offset: next }));
    }
  };
  return jsonList(first.total, chunks());
}

/** Serialises rows as one JSON array. */
async function* asJsonArray(chunks: AsyncGenerator<unknown[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of chunks) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
