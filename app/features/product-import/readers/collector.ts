import { AppError } from "~/http/errors";
import {
  type Cell,
  MAX_CELLS,
  MAX_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROWS,
  type Sheet,
  type SheetRow,
  textOf,
} from "../sheet";

/** Day 0 of spreadsheet dates. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

/** Collects the rows of a reader, skips blank ones, and stops at the first limit that is exceeded. */
export class RowCollector {
  #headers: SheetRow | null = null;
  readonly #rows: SheetRow[] = [];
  #cells = 0;
  #characters = 0;

  /** Adds a row. @throws AppError tooLarge (413) */
  add(row: SheetRow): void {
    if (!row.problem && row.cells.every((cell) => textOf(cell) === "")) return;
    if (!this.#headers) {
      this.#headers = row;
      return;
    }
    if (this.#rows.length === MAX_ROWS)
      throw new AppError("tooLarge", `The file has more than ${MAX_ROWS.toLocaleString("en")} rows`);
    this.#cells += row.cells.length;
    if (this.#cells > MAX_CELLS) throw new AppError("tooLarge", "The file has too many columns");
    this.#count(row.cells);
    this.#rows.push(row);
  }

  #count(cells: Cell[]): void {
    for (const cell of cells) if (typeof cell === "string") this.#characters += cell.length;
    if (this.#characters > MAX_CHARACTERS) throw tooManyCharacters();
  }

  /**
   * Returns the sheet of the rows.
   *
   * @param format a sheet's name, or a text file's delimiter
   * @throws AppError invalid (400) for an empty file
   */
  finish(format: { name: string } | { delimiter: string }): Sheet {
    const headers = this.#headers;
    if (!headers) throw new AppError("invalid", "The file is empty");
    const from = headers.line - 1;
    return {
      headers: headers.cells.slice(0, MAX_COLUMNS).map(textOf),
      rows: this.#rows.map((row) => ({ ...row, line: row.line - from })),
      ...{ name: null, delimiter: null, ...format },
    };
  }
}

export function tooManyCharacters(): AppError {
  return new AppError("tooLarge", "The file holds more than 16 million characters");
}

/** Sets a cell of a row; cells beyond the last column that is read are dropped. */
export function putCell(cells: Cell[], column: number, value: Cell): void {
  if (column >= MAX_COLUMNS) return;
  while (cells.length < column) cells.push("");
  cells[column] = value;
}

export function formulaError(text: string): string {
  return `A cell shows the error ${text.slice(0, 20)}. Correct its formula, or enter a value`;
}

/** Rounds a number as spreadsheet programs display it. */
export function displayedNumber(value: number): number {
  return Number(value.toPrecision(15));
}

/** Detects a number format that shows a date or a time. @param code number format, such as `dd.mm.yyyy` */
export function isDateFormat(code: string): boolean {
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, "").replace(/general/gi, ""));
}

/**
 * Formats a spreadsheet's date.
 *
 * @param days number of days since day 0
 * @returns YYYY-MM-DD; the number itself where it is out of range
 */
export function formatDay(days: number): string {
  const time = FIRST_DAY + Math.floor(days) * DAY_MS;
  return days >= 0 && days < 3_000_000 ? new Date(time).toISOString().slice(0, 10) : String(days);
}
