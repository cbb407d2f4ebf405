import { BOM, csvLines } from "~/http/csv.server";
import { escapeFormula, unescapeFormula } from "~/http/formula";
import { ERROR, isErrorColumn } from "./columns";
import type { Cell, Sheet } from "./sheet";

const CSV_TYPE = "text/csv; charset=utf-8";
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A file of refused rows. */
export interface RejectedRowsFile {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

/**
 * The refused rows as a file like the one they came from, with an `error` column: mended, it can be sent as it is. What
 * came as text has the same columns between the same separators, what came as a spreadsheet is a .xlsx.
 *
 * @param refused what is wrong, by the row of the file
 * @returns text has a mark, so that spreadsheets read it as UTF-8
 */
export async function rejectedRows(sheet: Sheet, refused: Map<number, string>): Promise<RejectedRowsFile> {
  const rows = [...refusedTable(sheet, refused)];
  if (sheet.delimiter === null) {
    const { xlsxFile } = await import("./xlsx-file.server");
    return { type: XLSX_TYPE, body: xlsxFile(sheet.name ?? "", rows.map(escaped)) };
  }
  return { type: CSV_TYPE, body: BOM + csvLines(rows, sheet.delimiter) };
}

/**
 * What such a file is called, in letters that any header may carry.
 *
 * @param sent name of the file that the rows come from
 */
export function rejectedRowsName(sent: string, type: string | undefined): string {
  const name = sent.replace(/\.\w+$/, "").replace(/[^\w.-]+/g, "-") || "rows";
  return `refused-${name}.${type === XLSX_TYPE ? "xlsx" : "csv"}`;
}

function* refusedTable({ headers, rows }: Sheet, refused: Map<number, string>): Generator<Cell[]> {
  const kept = headers.map((_, place) => place).filter((place) => !isErrorColumn(headers[place] ?? ""));
  yield [...kept.map((place) => plain(headers[place])), ERROR];
  for (const { line, cells } of rows) {
    const error = refused.get(line);
    if (error !== undefined) yield [...kept.map((place) => plain(cells[place])), error];
  }
}

/** A cell as the import reads it; the apostrophe before a formula is put there again when the file is written. */
function plain(cell: Cell | undefined): Cell {
  return typeof cell === "string" ? unescapeFormula(cell) : (cell ?? "");
}

/** Escapes a spreadsheet's cells, too: saved as CSV they would run. */
function escaped(row: Cell[]): Cell[] {
  return row.map((cell) => (typeof cell === "string" ? escapeFormula(cell) : cell));
}
