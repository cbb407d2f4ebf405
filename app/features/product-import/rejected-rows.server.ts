import { escapeFormula, unescapeFormula } from "~/http/formula";
import { BOM, csvLines } from "~/http/streams.server";
import { ERROR_HEADER, isErrorColumn } from "./columns";
import type { Cell, Sheet } from "./sheet";

const CSV_TYPE = "text/csv; charset=utf-8";
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

interface RejectedRowsFile {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

/**
 * Writes the rejected rows with the columns of their file and an `error` column, so that they can be corrected and sent
 * again. Text keeps its separator and is UTF-8 with a BOM, for spreadsheet programs; a spreadsheet becomes a .xlsx.
 *
 * @param rejected errors by row of the file
 */
export async function rejectedRows(sheet: Sheet, rejected: Map<number, string>): Promise<RejectedRowsFile> {
  const rows = [...rejectedTable(sheet, rejected)];
  if (sheet.delimiter === null) {
    const { xlsxFile } = await import("./xlsx-file.server");
    return { type: XLSX_TYPE, body: xlsxFile(sheet.name ?? "", rows.map(escapeRow)) };
  }
  return { type: CSV_TYPE, body: BOM + csvLines(rows, sheet.delimiter) };
}

/**
 * Names the file of rejected rows in characters that any header may carry.
 *
 * @param sourceName name of the uploaded file
 */
export function rejectedRowsName(sourceName: string, type: string | undefined): string {
  const name = sourceName.replace(/\.\w+$/, "").replace(/[^\w.-]+/g, "-") || "rows";
  return `rejected-${name}.${type === XLSX_TYPE ? "xlsx" : "csv"}`;
}

function* rejectedTable({ headers, rows }: Sheet, rejected: Map<number, string>): Generator<Cell[]> {
  const columns = headers
    .map((_, column) => column)
    .filter((column) => !isErrorColumn(headers[column] ?? ""));
  yield [...columns.map((column) => unescapeCell(headers[column])), ERROR_HEADER];
  for (const { line, cells } of rows) {
    const error = rejected.get(line);
    if (error !== undefined) yield [...columns.map((column) => unescapeCell(cells[column])), error];
  }
}

/** Removes the apostrophe before a formula; writing the file adds it again. */
function unescapeCell(cell: Cell | undefined): Cell {
  return typeof cell === "string" ? unescapeFormula(cell) : (cell ?? "");
}

/** Escapes formulas in a .xlsx as well: it may be saved as CSV. */
function escapeRow(row: Cell[]): Cell[] {
  return row.map((cell) => (typeof cell === "string" ? escapeFormula(cell) : cell));
}
