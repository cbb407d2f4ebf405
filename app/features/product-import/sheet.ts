import { FIELDS, type ProductField } from "~/features/catalogue/product-fields";
import { unescapeFormula } from "~/http/formula";

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

/** Field of each column of a file; null for an ignored column. */
export type Mapping = (ProductField | null)[];

/** Other header keys of each field, the likeliest first. */
const SYNONYMS: Record<ProductField, string> = {
  name: `productname product title titel titre titulo titolo produkt produktname artikelname producttitle
    item itemname artikel bezeichnung nom nombre`,
  description: `text details body bodyhtml longdescription productdescription produktbeschreibung
    artikelbeschreibung beschreibung`,
  price: `unitprice regularprice retailprice sellingprice preis verkaufspreis einzelpreis prix precio prezzo
    amount`,
  stock: `qty quantity inventory inventoryqty onhand instock stockquantity bestand menge lager lagerbestand
    anzahl stueck stuck`,
  category: "categories type producttype productcategory department kategorie categorie categoria",
  colors: "color colour colours farbe farben couleur couleurs",
  hasEngraving: "engraving engraved engravable gravur gravierbar gravure",
  imageUrls: "imageurl images image photo photos picture pictures imagesrc imagelinks bilder bild",
};

/** Key by which headers are compared: letters and digits, without accents. */
export function headerKey(header: string): string {
  return header
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Guesses the field of each column, by the fields' names first, then by their synonyms. Each field gets one column.
 */
export function guessMapping(headers: string[]): Mapping {
  const keys = headers.map(headerKey);
  const mapping: Mapping = headers.map(() => null);
  const assign = (field: ProductField, fits: (key: string) => boolean) => {
    if (mapping.includes(field)) return;
    const column = keys.findIndex((key, i) => key !== "" && mapping[i] === null && fits(key));
    if (column !== -1) mapping[column] = field;
  };
  for (const field of FIELDS) assign(field, (key) => key === field.toLowerCase());
  for (const field of FIELDS)
    for (const synonym of SYNONYMS[field].split(/\s+/)) assign(field, (key) => key === synonym);
  assign("price", (key) => /^(?:price|preis|prix)[a-z]{0,3}$/.test(key) || /^[a-z]{3}price$/.test(key));
  return mapping;
}

/**
 * Makes a mapping of known columns.
 *
 * @param count number of columns in the file
 * @param columns column of each field; -1 for none
 */
export function mappingFromColumns(count: number, columns: Record<ProductField, number>): Mapping {
  const mapping: Mapping = Array.from({ length: count }, () => null);
  for (const field of FIELDS) if (mapping[columns[field]] === null) mapping[columns[field]] = field;
  return mapping;
}

/** Finds a mapped header that appears twice in a file, where only one column can be read. */
export function duplicateHeader(headers: string[], mapping: Mapping): string | null {
  const keys = headers.map(headerKey);
  const column = mapping.findIndex((field, i) => field !== null && keys.indexOf(keys[i] ?? "", i + 1) !== -1);
  return headers[column] ?? null;
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

  constructor(headers: string[]) {
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
      if (column !== -1) return column;
    }
    return -1;
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
