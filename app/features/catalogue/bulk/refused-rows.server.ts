import Papa from "papaparse";
import { headerKey } from "./columns";
import type { Cell, Sheet } from "./sheet";

/** Header of the column that says what is wrong; no field is read from it. */
const ERROR = "error";
const FORMULA = /^[=+@\t\r]|^-(?![\d.,\s]*$)/;

/**
 * The refused rows as a file like the one they came from, with an `error` column: mended, it can be sent as it is.
 *
 * @param refused what is wrong, by the row of the file
 * @returns CSV with a mark, so that spreadsheets read it as UTF-8
 */
export function refusedRows({ headers, rows }: Sheet, refused: Map<number, string>): string {
  const kept = headers.map((_, place) => place).filter((place) => headerKey(headers[place] ?? "") !== ERROR);
  const table = rows
    .filter(({ line }) => refused.has(line))
    .map(({ line, cells }) => [...kept.map((place) => safe(cells[place])), refused.get(line) ?? ""]);
  return `\ufeff${Papa.unparse([[...kept.map((place) => safe(headers[place])), ERROR], ...table])}\r\n`;
}

/** A cell as it was, but for an apostrophe before what a spreadsheet would run. */
function safe(cell: Cell | undefined): Cell {
  return typeof cell === "string" && FORMULA.test(cell) ? `'${cell}` : (cell ?? "");
}
