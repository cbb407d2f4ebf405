import { DAY_MS } from "~/domain/durations";
import { AppError } from "~/http/errors";
import { currencyOfFormat } from "../currency";
import {
  type Cell,
  MAX_CELLS,
  MAX_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_VARIANT_ROWS,
  type Sheet,
  type SheetReading,
  type SheetRow,
  textOf,
} from "../sheet";
import { headerScore } from "./header-score";

/** Day 0 of spreadsheet dates, which count a 29th February 1900. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** Day 0 of workbooks that count from 1904, in days from the other day 0. */
const DAYS_TO_1904 = 1462;
const LEAP_DAY = 60;

/** Rows of a file: products and variants, which are told apart later. */
const ROWS = MAX_ROWS + MAX_VARIANT_ROWS;

/** Rows from the first one in which the headers are looked for. */
const HEAD_ROWS = 25;
/** Texts above the headers that are quoted. */
const MAX_ABOVE = 3;
const MAX_ABOVE_LENGTH = 60;

/** Text that shows nothing, such as the NUL characters that a power cut leaves. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}]*$/u;

/** Characters of a text that is held in two bytes each, and so counts twice. */
const BEYOND_LATIN = /[\u0100-\uffff]/;

/** Collects the rows of a reader, skips blank ones, and stops at the first limit that is exceeded. */
export class RowCollector {
  readonly #rows: SheetRow[] = [];
  #cells = 0;
  #characters = 0;

  /** Adds a row. @throws AppError tooLarge (413) */
  add({ cells, ...rest }: SheetRow): void {
    const row = { ...rest, cells: cells.map(withoutTextForm) };
    if (!row.problem && row.cells.every((cell) => INVISIBLE.test(String(cell)))) return;
    if (this.#rows.length > ROWS + HEAD_ROWS) throw tooManyRows();
    // Headers may fill every column of a spreadsheet program.
    if (this.#rows.length > 0) this.#cells += row.cells.length;
    if (this.#cells > MAX_CELLS) throw tooManyCells();
    this.#count(row.cells);
    this.#rows.push(row);
  }

  #count(cells: Cell[]): void {
    for (const cell of cells)
      if (typeof cell === "string")
        this.#characters += BEYOND_LATIN.test(cell) ? 2 * cell.length : cell.length;
    if (this.#characters > MAX_CHARACTERS) throw tooManyCharacters();
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Rates the likeliest headers among the first rows, see headerScore. */
  get score(): number {
    return Math.max(0, ...this.#head().map(({ cells }) => headerScore(cells)));
  }

  /** Holds as many rows as the headers are looked for in. */
  get hasHead(): boolean {
    return this.#rows.length >= HEAD_ROWS;
  }

  #head(): SheetRow[] {
    return this.#rows.slice(0, HEAD_ROWS);
  }

  /**
   * Returns the sheet of the rows.
   *
   * @param format a sheet's name, or a text file's delimiter
   * @param headerRow row of the headers that staff chose; null to find it
   * @throws AppError invalid (400) for an empty file or a row that it doesn't have, tooLarge (413)
   */
  finish(
    format: { name: string } | { delimiter: string },
    headerRow: number | null,
  ): Omit<Sheet, "reading"> & { reading: Pick<SheetReading, "headerRow" | "above" | "headerNotes"> } {
    if (this.#rows.length === 0) throw new AppError("invalid", "The file is empty");
    const at =
      headerRow === null ? this.#findHeaders() : this.#rows.findIndex(({ line }) => line === headerRow);
    const headers = this.#rows[at];
    if (!headers) throw new AppError("invalid", `Row ${headerRow} is empty: it can’t name the columns`);
    if (headers.isCut || headers.cells.slice(MAX_COLUMNS).some((cell) => textOf(cell) !== ""))
      throw tooManyColumns();
    const rows = this.#rows.slice(at + 1);
    if (rows.length > ROWS) throw tooManyRows();
    const above = this.#rows.slice(0, Math.min(at, MAX_ABOVE));
    return {
      headers: headers.cells.slice(0, MAX_COLUMNS).map(textOf),
      rows,
      ...{ name: null, delimiter: null, ...format },
      reading: {
        headerRow: headers.line,
        above: above.map(({ cells }) => firstText(cells)),
        headerNotes: headers.notes ?? [],
      },
    };
  }

  /** Finds the first row that names a product's columns; a title above them names one at most. */
  #findHeaders(): number {
    const scores = this.#head().map(({ cells }) => headerScore(cells));
    const several = scores.findIndex((score) => score > 1);
    return Math.max(0, several === -1 ? scores.indexOf(1) : several);
  }
}

/** Removes what keeps a text from being read as a number: `="007"`. */
function withoutTextForm(cell: Cell): Cell {
  const [, text] = (typeof cell === "string" && /^\s*="((?:[^"]|"")*)"\s*$/.exec(cell)) || [];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

function firstText(cells: Cell[]): string {
  return (cells.map(textOf).find(Boolean) ?? "").slice(0, MAX_ABOVE_LENGTH);
}

const tooManyRows = () =>
  new AppError("tooLarge", `The file has more than ${ROWS.toLocaleString("en")} rows`);

export const tooManyColumns = () =>
  new AppError("tooLarge", `The file has more than ${MAX_COLUMNS.toLocaleString("en")} columns`);

export const tooManyCells = () =>
  new AppError(
    "tooLarge",
    `The file has more than ${MAX_CELLS.toLocaleString("en")} cells, blank ones included`,
  );

export const damagedFile = () => new AppError("invalid", "The file is damaged or is not a spreadsheet");

export function tooManyCharacters(): AppError {
  return new AppError("tooLarge", "The file holds more than 16 million characters");
}

/** Sets a cell of a row; one beyond the last column that is read cuts the row. */
export function putCell(row: Pick<SheetRow, "cells" | "isCut">, column: number, value: Cell): void {
  const { cells } = row;
  if (column >= MAX_COLUMNS) {
    row.isCut = true;
    return;
  }
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
 * @param is1904 the workbook counts from 1904
 * @returns YYYY-MM-DD; the number itself where it is out of range
 */
export function formatDay(days: number, is1904: boolean): string {
  if (days < 0 || days >= 3_000_000) return String(days);
  const whole = Math.floor(days);
  const day = is1904 ? whole + DAYS_TO_1904 : whole + Number(whole > 0 && whole < LEAP_DAY);
  return new Date(DAY_ZERO + day * DAY_MS).toISOString().slice(0, 10);
}

/** Adds what a number format shows: the zeros of `00000` before a whole number, or another currency than the shop's. */
export function formatted(value: number, format: string): Cell {
  const currency = currencyOfFormat(format);
  if (currency) return `${decimalsOf(value)} ${currency}`;
  const isPadded = /^0{2,20}$/.test(format) && Number.isInteger(value) && value >= 0;
  const digits = String(value);
  return isPadded && /^\d+$/.test(digits) && digits.length < format.length
    ? digits.padStart(format.length, "0")
    : value;
}

/** Writes a number; four decimals where three could be taken for thousands. */
function decimalsOf(value: number): string {
  return /\.\d{3}$/.test(String(value)) ? value.toFixed(4) : String(value);
}
