export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Bytes of a request with a file. */
export const MAX_REQUEST_BYTES = MAX_FILE_BYTES + 256 * 1024;
export const MAX_ROWS = 20_000;
/** Cells of a file, including blank ones: 200 columns of all rows. */
export const MAX_CELLS = 200 * MAX_ROWS;
/** Characters of all cells: few bytes of a .xlsx may repeat a long text. */
export const MAX_CHARACTERS = 16_000_000;
/** Tags in all descriptions, each of which takes time to sanitise. */
export const MAX_TAGS = 500_000;
export const MAX_COLUMNS = 1000;

/** A cell: numbers of .xlsx and .xls are numbers, everything else is text. Blank is "". */
export type Cell = string | number;

/** A row that is not blank. */
export interface SheetRow {
  /** Number of the row, from 1. */
  line: number;
  cells: Cell[];
  /** Error in the row as a whole. */
  problem?: string;
}

/** A parsed file: the first row that is not blank holds the headers. */
export interface Sheet {
  headers: string[];
  /** Rows, numbered from the headers as 1. */
  rows: SheetRow[];
  /** The sheet's name; null for text. */
  name: string | null;
  /** Separator of a text file; null for a spreadsheet. */
  delimiter: string | null;
}

export function textOf(cell: Cell | undefined): string {
  return cell === undefined ? "" : String(cell).trim();
}
