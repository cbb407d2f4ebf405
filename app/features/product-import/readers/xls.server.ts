import type { CellObject, WorkBook, WorkSheet } from "@e965/xlsx";
import { AppError } from "~/http/errors";
import { type Cell, MAX_ROWS, type ReadingChoices, type Sheet, type SheetRow } from "../sheet";
import {
  damagedFile,
  displayedNumber,
  formatDay,
  formatted,
  formulaError,
  isDateFormat,
  putCell,
  RowCollector,
} from "./collector";
import { chooseSheet } from "./sheets";

/** Rows that are read, including blank ones. */
const MAX_SHEET_ROWS = 3 * MAX_ROWS;

/**
 * Reads a sheet of a .xls (Excel 97 to 2003), whatever extent it declares: the chosen one, else the one with products.
 * The library is loaded for this format alone and parses no other.
 *
 * @throws AppError invalid (400), tooLarge (413)
 */
export async function readXls(bytes: Uint8Array, chosen: ReadingChoices): Promise<Sheet> {
  if (isProtected(bytes)) throw passwordProtected();
  const { read } = await import("@e965/xlsx");
  const workbook = openWorkbook(() =>
    read(bytes, {
      type: "array",
      dense: true,
      sheetRows: MAX_SHEET_ROWS,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellDates: false,
      cellNF: true,
    }),
  );
  const sheets = visibleSheets(workbook);
  const is1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const collect = async (index: number, headOnly: boolean) =>
    collectRows(workbook.Sheets[sheets[index] ?? ""], is1904, headOnly);
  const { sheet, collector } = await chooseSheet(sheets.length, chosen.sheet, collect);
  const name = sheets[sheet] ?? "";
  const { reading, ...rest } = collector.finish({ name }, chosen.header);
  return {
    ...rest,
    reading: { ...reading, sheets, sheet, encoding: null, isGuessed: false, samples: [], rivals: [] },
  };
}

type Row = (CellObject | undefined)[] | undefined;

function collectRows(sheet: WorkSheet | undefined, is1904: boolean, headOnly: boolean): RowCollector {
  const rows = (sheet as { "!data"?: Row[] } | undefined)?.["!data"] ?? [];
  const collector = new RowCollector();
  for (const [index, row] of rows.entries()) {
    if (headOnly && collector.hasHead) break;
    if (row) collector.add({ line: index + 1, ...readRow(row, is1904) });
  }
  return collector;
}

function readRow(row: NonNullable<Row>, is1904: boolean): Omit<SheetRow, "line"> {
  const read: Omit<SheetRow, "line"> = { cells: [] };
  for (let column = 0; column < row.length; column++) {
    const cell = row[column];
    if (cell?.v !== undefined && cell.v !== null && cell.v !== "")
      putCell(read, column, cellOf(cell, is1904));
  }
  const failed = row.find((cell) => cell?.t === "e");
  return { ...read, ...(failed && { problem: formulaError(String(failed.w ?? "in its formula")) }) };
}

/** Names the sheets that are not hidden; all of them where none is visible. */
function visibleSheets({ SheetNames: names, Workbook }: WorkBook): string[] {
  const visible = names.filter((_, at) => !Workbook?.Sheets?.[at]?.Hidden);
  return visible.length > 0 ? visible : names;
}

const passwordProtected = () =>
  new AppError(
    "invalid",
    "The file is protected by a password. Remove the password and save the file again.",
  );

/** Detects an encrypted .xlsx, a compound file with an entry of this name in UTF-16. */
function isProtected(bytes: Uint8Array): boolean {
  return new TextDecoder("utf-16le")
    .decode(bytes.subarray(0, bytes.length & ~1))
    .includes("EncryptedPackage");
}

/** Opens a workbook. @throws AppError invalid (400) */
function openWorkbook(open: () => WorkBook): WorkBook {
  try {
    const workbook = open();
    if (workbook.SheetNames.length > 0) return workbook;
  } catch (error) {
    // Other errors of the library concern its internals.
    if (error instanceof Error && /password/i.test(error.message)) throw passwordProtected();
  }
  throw damagedFile();
}

function cellOf({ v: value, z: format }: CellObject, is1904: boolean): Cell {
  if (typeof value !== "number")
    return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
  if (typeof format !== "string") return displayedNumber(value);
  return isDateFormat(format) ? formatDay(value, is1904) : formatted(displayedNumber(value), format);
}
