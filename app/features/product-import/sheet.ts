import type { ProductField } from "~/features/catalogue/product";
import { unescapeFormula } from "~/http/formula";

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const FILE_TOO_LARGE = "The file is larger than 10 MB";
/** Bytes of a request with a file. */
export const MAX_REQUEST_BYTES = MAX_FILE_BYTES + 256 * 1024;
/** Products of a file, and rows of a file of one each. */
export const MAX_ROWS = 20_000;
/** Rows of variants of a file, beside those of its products. */
export const MAX_VARIANT_ROWS = 100_000;
/** Cells of a file, including blank ones: 200 columns of all products, or 50 of all rows. */
export const MAX_CELLS = 6_000_000;
/** Characters of all cells, those of a text beyond Latin letters twice: few bytes of a .xlsx may repeat a long text. */
export const MAX_CHARACTERS = 16_000_000;
/** Bytes of one transaction's JSON, which is one value: half of the 2 MB that D1 accepts. */
export const BATCH_BYTES = 950_000;
/** Statements of a transaction of products, and those that units add, with the reads of their plans. */
export const BATCH_QUERIES = 10;
export const UNIT_QUERIES = 10;
/** Statements of all transactions of an import: with those that read, below half of the queries that D1 takes of an invocation. */
export const MAX_BATCH_QUERIES = 420;
/** Transactions of a file without units. */
export const MAX_BATCHES = Math.floor(MAX_BATCH_QUERIES / BATCH_QUERIES);
/** UTF-8 bytes of all descriptions with their forms for the search, which are held until they are stored. */
export const MAX_TEXT_BYTES = 45_000_000;
export const TEXTS_TOO_LONG = "The texts are too long to be stored at once. Divide the file into several";
/** Tags in all descriptions; each takes time to sanitise. */
export const MAX_TAGS = 500_000;
export const MAX_COLUMNS = 1000;

/** A cell: numbers of .xlsx and .xls are numbers, everything else is text. Blank is "". */
export type Cell = string | number;

/** A row that is not blank. */
export interface SheetRow {
  /** Number of the row in the file, from 1; blank rows count. */
  line: number;
  cells: Cell[];
  /** Error in the row as a whole. */
  problem?: string;
  /** Remarks of the reader on the row's text. */
  notes?: string[];
  /** Cells beyond the last column that is read were left out. */
  isCut?: true;
}

/** Encodings that staff may choose for a text file. */
export const ENCODINGS = ["utf-8", "windows-1252", "windows-1250", "windows-1251", "macintosh"] as const;
export type ChosenEncoding = (typeof ENCODINGS)[number];
export type Encoding = ChosenEncoding | "utf-16le" | "utf-16be";

export const ENCODING_NAMES: Record<Encoding, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows, Western (1252)",
  "windows-1250": "Windows, Central European (1250)",
  "windows-1251": "Windows, Cyrillic (1251)",
  macintosh: "Mac Roman",
};

/** Choices of staff for the reading of a file; null leaves it to the reader. */
export interface ReadingChoices {
  /** Index of the sheet among the visible ones. */
  sheet: number | null;
  /** Row of the headers in the file, from 1. */
  header: number | null;
  encoding: ChosenEncoding | null;
}

export const NO_READING: ReadingChoices = { sheet: null, header: null, encoding: null };

/** Reading of a file, and what it found. */
export interface SheetReading {
  /** Names of the visible sheets; empty for text. */
  sheets: string[];
  /** Index of the sheet that was read. */
  sheet: number;
  /** Row of the headers in the file, from 1. */
  headerRow: number;
  /** The first text of the first rows above the headers. */
  above: string[];
  /** null for a spreadsheet. */
  encoding: Encoding | null;
  /** The encoding is the likeliest of several. */
  isGuessed: boolean;
  /** Texts that a guessed encoding decides about. */
  samples: string[];
  /** Encodings that read the samples differently and nearly as well; empty for a certain one. */
  rivals: { encoding: ChosenEncoding; samples: string[] }[];
  /** Remarks of the reader on the text of the headers. */
  headerNotes: string[];
  /** Says that the file ends within its last row; absent for a whole one. */
  cut?: string;
}

/** A parsed file: the first row that names a product's columns holds the headers. */
export interface Sheet {
  headers: string[];
  /** Rows below the headers. */
  rows: SheetRow[];
  /** The sheet's name; null for text. */
  name: string | null;
  /** Separator of a text file; null for a spreadsheet. */
  delimiter: string | null;
  reading: SheetReading;
}

export function textOf(cell: Cell | undefined): string {
  return cell === undefined ? "" : String(cell).trim();
}

/** Field that several columns may have; their values are joined in the file's order. */
export const JOINED_FIELD: ProductField = "imageUrls";

/** Field of each column of a file; null for an ignored column. */
export type Mapping = (ProductField | null)[];

/** Key by which headers are compared: letters and digits, without accents. */
export function headerKey(header: string): string {
  return header
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Header of the column that a file of rejected rows adds; no field is read from it. */
export const ERROR_HEADER = "error";

export function isErrorColumn(header: string): boolean {
  return headerKey(header) === ERROR_HEADER;
}

/** Reads cells by the name of their header. */
export class Columns {
  readonly #columnByKey = new Map<string, number>();
  /** Columns by requested header: computing a header's key is slow. */
  readonly #columnByHeader = new Map<string, number>();
  readonly #read = new Set<number>();

  constructor(private readonly headers: string[]) {
    for (const [column, header] of headers.entries()) {
      const key = headerKey(header);
      if (key !== "" && !this.#columnByKey.has(key)) this.#columnByKey.set(key, column);
    }
  }

  has(...headers: string[]): boolean {
    return headers.every((header) => this.#columnByKey.has(headerKey(header)));
  }

  /** Finds the column of the first of these headers that the file has; -1 for none. */
  indexOf(...headers: string[]): number {
    for (const header of headers) {
      const column = this.#columnByHeader.get(header) ?? this.#columnByKey.get(headerKey(header)) ?? -1;
      this.#columnByHeader.set(header, column);
      if (column === -1) continue;
      this.#read.add(column);
      return column;
    }
    return -1;
  }

  /** Finds the columns whose headers match a pattern. */
  matching(pattern: RegExp): number[] {
    const columns = this.headers.flatMap((header, column) => (pattern.test(header.trim()) ? [column] : []));
    for (const column of columns) this.#read.add(column);
    return columns;
  }

  /** Tests for a column that somebody has asked for. */
  isRead(column: number): boolean {
    return this.#read.has(column);
  }

  /** Reads the cell under the first of these headers that the file has; undefined for none. */
  cell(row: SheetRow, ...headers: string[]): Cell | undefined {
    return row.cells[this.indexOf(...headers)];
  }

  /** Reads the cell as text, without the apostrophe that escapes a formula. */
  text(row: SheetRow, ...headers: string[]): string {
    return unescapeFormula(textOf(this.cell(row, ...headers)));
  }
}
