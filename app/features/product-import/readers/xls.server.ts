import { AppError } from "~/http/errors";
import { type Cell, MAX_COLUMNS, MAX_ROWS, type Sheet } from "../sheet";
import { errorIn, putCell, RowCollector, shownNumber } from "./collector";
import { dayOf, isDateFormat } from "./dates.server";

/** Rows that are looked at: blank ones may stand between. */
const MOST_LINES = 3 * MAX_ROWS;

/**
 * Reads the first visible sheet of a .xls (Excel 97 to 2003). The library that does is loaded for such a file alone; it
 * never sees another format, and cells are taken as they lie, whatever extent the sheet claims.
 *
 * @throws AppError invalid (400), tooLarge (413)
 */
export async function readXls(bytes: Uint8Array): Promise<Sheet> {
  if (isProtected(bytes))
    throw new AppError("invalid", "The file is protected by a password. Take it off, and save it again.");
  const { read } = await import("@e965/xlsx");
  const sheet = firstSheet(() =>
    read(bytes, {
      type: "array",
      dense: true,
      sheetRows: MOST_LINES,
      sheets: 0,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellDates: false,
      cellNF: true,
    }),
  );
  const collector = new RowCollector();
  for (const [place, row] of (sheet.rows ?? []).entries()) {
    if (!row) continue;
    const cells: Cell[] = [];
    const broken = row.find((cell) => cell?.t === "e");
    for (let column = 0; column < Math.min(row.length, MAX_COLUMNS); column++) {
      const cell = row[column];
      if (cell?.v !== undefined && cell.v !== null && cell.v !== "") putCell(cells, column, cellOf(cell));
    }
    const problem = broken && errorIn(String(broken.w ?? "in its formula"));
    collector.add({ line: place + 1, cells, ...(problem && { problem }) });
  }
  return collector.finish({ name: sheet.name });
}

/** Whether it is a .xlsx in a safe of its own: the safe names what lies in it, in UTF-16. */
function isProtected(bytes: Uint8Array): boolean {
  return new TextDecoder("utf-16le")
    .decode(bytes.subarray(0, bytes.length & ~1))
    .includes("EncryptedPackage");
}

/** A cell as the library has it: its value, and its number format. */
interface Found {
  /** Its type; `e` is an error. */
  t?: string;
  w?: unknown;
  v?: unknown;
  z?: unknown;
}

type Row = (Found | undefined)[] | undefined;

function firstSheet(open: () => import("@e965/xlsx").WorkBook): { name: string; rows: Row[] | undefined } {
  try {
    const book = open();
    const name = book.SheetNames[0];
    const sheet = name === undefined ? undefined : (book.Sheets[name] as { "!data"?: Row[] } | undefined);
    if (name !== undefined && sheet) return { name, rows: sheet["!data"] };
  } catch {
    // Told below: what the library throws is about its own insides.
  }
  throw new AppError("invalid", "The file is damaged or is not a spreadsheet");
}

function cellOf({ v: value, z: format }: Found): Cell {
  if (typeof value === "number")
    return typeof format === "string" && isDateFormat(format) ? dayOf(value) : shownNumber(value);
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}
