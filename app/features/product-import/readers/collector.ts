import { AppError } from "~/http/errors";
import {
  type Cell,
  MAX_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROWS,
  type Sheet,
  type SheetRow,
  textOf,
} from "../sheet";

/** Cells of a whole file, blank ones in between among them: 20,000 rows of 200 columns. */
const MOST_CELLS = 200 * MAX_ROWS;

/** Takes rows as a reader finds them, leaves the blank ones out, and refuses what is too much as soon as it is. */
export class RowCollector {
  #headers: SheetRow | null = null;
  readonly #rows: SheetRow[] = [];
  #cells = 0;
  #characters = 0;

  /**
   * @param row with its line in the file
   * @throws AppError tooLarge (413) with the row after the last that is taken
   */
  add(row: SheetRow): void {
    if (!row.problem && row.cells.every((cell) => textOf(cell) === "")) return;
    if (!this.#headers) {
      this.#headers = row;
      return;
    }
    if (this.#rows.length === MAX_ROWS)
      throw new AppError("tooLarge", `The file has more than ${MAX_ROWS.toLocaleString("en")} rows`);
    this.#cells += row.cells.length;
    if (this.#cells > MOST_CELLS) throw new AppError("tooLarge", "The file has too many columns");
    this.#count(row.cells);
    this.#rows.push(row);
  }

  #count(cells: Cell[]): void {
    for (const cell of cells) if (typeof cell === "string") this.#characters += cell.length;
    if (this.#characters > MAX_CHARACTERS) throw tooManyCharacters();
  }

  /**
   * @param of a sheet its name, of text what parts its cells
   * @throws AppError invalid (400) when there was nothing
   */
  finish(of: { name: string } | { delimiter: string }): Sheet {
    const headers = this.#headers;
    if (!headers) throw new AppError("invalid", "The file is empty");
    const from = headers.line - 1;
    return {
      headers: headers.cells.slice(0, MAX_COLUMNS).map(textOf),
      rows: this.#rows.map((row) => ({ ...row, line: row.line - from })),
      ...{ name: null, delimiter: null, ...of },
    };
  }
}

/** What a file of too much text is refused with. */
export function tooManyCharacters(): AppError {
  return new AppError("tooLarge", "The file holds more than 16 million characters");
}

/** Puts a cell where it belongs, however far out; columns past the last that is looked at are dropped. */
export function putCell(cells: Cell[], column: number, value: Cell): void {
  if (column >= MAX_COLUMNS) return;
  while (cells.length < column) cells.push("");
  cells[column] = value;
}

/** What is wrong with a row where a formula came to nothing. */
export function errorIn(shown: string): string {
  return `A cell shows the error ${shown.slice(0, 20)}. Mend its formula, or type what it should say`;
}

/** A number as spreadsheets show it: without the dust that binary fractions leave. */
export function shownNumber(value: number): number {
  return Number(value.toPrecision(15));
}
