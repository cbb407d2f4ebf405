import type { CellObject, WorkBook } from "@e965/xlsx";
import { AppError } from "~/http/errors";
import { type Cell, MAX_COLUMNS, MAX_ROWS, type Sheet } from "../sheet";
import { displayedNumber, formatDay, formulaError, isDateFormat, putCell, RowCollector } from "./collector";

/** Rows that are read, including blank ones. */
const MAX_SHEET_ROWS = 3 * MAX_ROWS;

/**
 * Reads the first visible sheet of a .xls (Excel 97 to 2003), whatever extent it declares. The library is loaded for
 * this format alone and parses no other.
 *
 * @throws AppError invalid (400), tooLarge (413)
 */
export async function readXls(bytes: Uint8Array): Promise<Sheet> {
  if (isProtected(bytes))
    throw new AppError(
      "invalid",
      "The file is protected by a password. Remove the password and save the file again.",
    );
  const { read } = await import("@e965/xlsx");
  const sheet = firstSheet(() =>
    read(bytes, {
      type: "array",
      dense: true,
      sheetRows: MAX_SHEET_ROWS,
      sheets: 0,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellDates: false,
      cellNF: true,
    }),
  );
  const collector = new RowCollector();
  for (const [index, row] of (sheet.rows ?? []).entries()) {
    if (!row) continue;
    const cells: Cell[] = [];
    const failed = row.find((cell) => cell?.t === "e");
    for (let column = 0; column < Math.min(row.length, MAX_COLUMNS); column++) {
      const cell = row[column];
      if (cell?.v !== undefined && cell.v !== null && cell.v !== "") putCell(cells, column, cellOf(cell));
    }
    const problem = failed && formulaError(String(failed.w ?? "in its formula"));
    collector.add({ line: index + 1, cells, ...(problem && { problem }) });
  }
  return collector.finish({ name: sheet.name });
}

/** Detects an encrypted .xlsx, a compound file with an entry of this name in UTF-16. */
function isProtected(bytes: Uint8Array): boolean {
  return new TextDecoder("utf-16le")
    .decode(bytes.subarray(0, bytes.length & ~1))
    .includes("EncryptedPackage");
}

type Row = (CellObject | undefined)[] | undefined;

function firstSheet(open: () => WorkBook): { name: string; rows: Row[] | undefined } {
  try {
    const workbook = open();
    const name = workbook.SheetNames[0];
    const sheet = name === undefined ? undefined : (workbook.Sheets[name] as { "!data"?: Row[] } | undefined);
    if (name !== undefined && sheet) return { name, rows: sheet["!data"] };
  } catch {
    // Errors of the library concern its internals.
  }
  throw new AppError("invalid", "The file is damaged or is not a spreadsheet");
}

function cellOf({ v: value, z: format }: CellObject): Cell {
  if (typeof value === "number")
    return typeof format === "string" && isDateFormat(format) ? formatDay(value) : displayedNumber(value);
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}
