/** What a spreadsheet may hold (budgets: Safe). */
export const FILE_BYTES = 10 * 1024 * 1024;
/** The file, and the form around it. */
export const MAX_BYTES = FILE_BYTES + 256 * 1024;
export const MAX_ROWS = 20_000;
/** Characters of all cells: few bytes of a .xlsx may say the same text over and over. */
export const MAX_CHARACTERS = 16_000_000;
/** Tags in all descriptions, each of which takes its time to be cleaned. */
export const MAX_TAGS = 500_000;
/** Columns that are looked at. */
export const MAX_COLUMNS = 1000;

/** A cell as it was typed: numbers of .xlsx and .xls are numbers, everything else is text. Blank is "". */
export type Cell = string | number;

/** A row that isn't blank. */
export interface SheetRow {
  /** As spreadsheet programs count it, from 1. */
  line: number;
  cells: Cell[];
  /** What is wrong with the row as a whole. */
  problem?: string;
}

/** A file, read: the first row that isn't blank holds the headers. */
export interface Sheet {
  headers: string[];
  /** Numbered from the headers as 1 (contract: bulk-upload). */
  rows: SheetRow[];
  /** The sheet's name; null for text. */
  name: string | null;
  /** What parts the cells of text; null for a spreadsheet. */
  delimiter: string | null;
}

/** What is typed into a cell, as text without blanks around it. */
export function textOf(cell: Cell | undefined): string {
  return cell === undefined ? "" : String(cell).trim();
}
