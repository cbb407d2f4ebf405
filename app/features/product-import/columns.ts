import { FIELDS, type ProductField } from "~/features/catalogue/product-fields";
import { unescapeFormula } from "~/http/formula";
import { type Cell, type SheetRow, textOf } from "./sheet";

export { FIELDS };
export type Field = ProductField;

/** For each column of a file, the field it goes to; null for one that goes nowhere. */
export type Mapping = (Field | null)[];

/** Headers that are read as a field besides its own name, without signs and accents. */
const ALSO: Record<Field, string[]> = {
  name: [
    "productname",
    "product",
    "title",
    "titel",
    "titre",
    "titulo",
    "titolo",
    "produkt",
    "produktname",
    "artikelname",
    "producttitle",
    "item",
    "itemname",
    "artikel",
    "bezeichnung",
    "nom",
    "nombre",
  ],
  description: [
    "text",
    "details",
    "body",
    "bodyhtml",
    "longdescription",
    "productdescription",
    "produktbeschreibung",
    "artikelbeschreibung",
    "beschreibung",
  ],
  price: [
    "unitprice",
    "regularprice",
    "retailprice",
    "sellingprice",
    "preis",
    "verkaufspreis",
    "einzelpreis",
    "prix",
    "precio",
    "prezzo",
    "amount",
  ],
  stock: [
    "qty",
    "quantity",
    "inventory",
    "inventoryqty",
    "onhand",
    "instock",
    "stockquantity",
    "bestand",
    "menge",
    "lager",
    "lagerbestand",
    "anzahl",
    "stueck",
    "stuck",
  ],
  category: [
    "categories",
    "type",
    "producttype",
    "productcategory",
    "department",
    "kategorie",
    "categorie",
    "categoria",
  ],
  colors: ["color", "colour", "colours", "farbe", "farben", "couleur", "couleurs"],
  imageUrls: [
    "imageurl",
    "images",
    "image",
    "photo",
    "photos",
    "picture",
    "pictures",
    "imagesrc",
    "imagelinks",
    "bilder",
    "bild",
  ],
};

/** A header as it is compared: letters and digits alone. */
export function headerKey(header: string): string {
  return header
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Guesses where the columns go: by a field's own name first, then by what else it may be called. No field is given twice.
 *
 * @param headers as they stand
 */
export function guessMapping(headers: string[]): Mapping {
  const keys = headers.map(headerKey);
  const mapping: Mapping = headers.map(() => null);
  const give = (field: Field, fits: (key: string) => boolean) => {
    if (mapping.includes(field)) return;
    const place = keys.findIndex((key, i) => key !== "" && mapping[i] === null && fits(key));
    if (place !== -1) mapping[place] = field;
  };
  for (const field of FIELDS) give(field, (key) => key === field.toLowerCase());
  for (const field of FIELDS) for (const word of ALSO[field]) give(field, (key) => key === word);
  give("price", (key) => /^(?:price|preis|prix)[a-z]{0,3}$/.test(key) || /^[a-z]{3}price$/.test(key));
  return mapping;
}

/**
 * A mapping that is known by places.
 *
 * @param count of the file's columns
 * @param places -1 where a field has no column
 */
export function mappingAt(count: number, places: Record<Field, number>): Mapping {
  const mapping: Mapping = Array.from({ length: count }, () => null);
  for (const field of FIELDS) if (mapping[places[field]] === null) mapping[places[field]] = field;
  return mapping;
}

/**
 * The field's headers that stand twice in a file, where only one can be read.
 *
 * @returns a header as it stands, or null
 */
export function duplicateHeader(headers: string[], mapping: Mapping): string | null {
  const keys = headers.map(headerKey);
  const place = mapping.findIndex((field, i) => field !== null && keys.indexOf(keys[i] ?? "", i + 1) !== -1);
  return headers[place] ?? null;
}

/** The column that a file of refused rows says in what is wrong; no field is read from it. */
export const ERROR = "error";

/** Whether a column is that of a file of refused rows. */
export function isErrorColumn(header: string): boolean {
  return headerKey(header) === ERROR;
}

/** Reads cells by a header's name; a file's layout is looked up once. */
export class Columns {
  readonly #places = new Map<string, number>();
  /** Places by headers as they were asked for: making a key of one takes long. */
  readonly #asked = new Map<string, number>();

  constructor(headers: string[]) {
    for (const [place, header] of headers.entries()) {
      const key = headerKey(header);
      if (key !== "" && !this.#places.has(key)) this.#places.set(key, place);
    }
  }

  has(...headers: string[]): boolean {
    return headers.every((header) => this.#places.has(headerKey(header)));
  }

  /** Where the first of these headers stands that the file has; -1 without one. */
  place(...headers: string[]): number {
    for (const header of headers) {
      const place = this.#asked.get(header) ?? this.#places.get(headerKey(header)) ?? -1;
      this.#asked.set(header, place);
      if (place !== -1) return place;
    }
    return -1;
  }

  /** The cell under the first of these headers that the file has; undefined without one. */
  cell(row: SheetRow, ...headers: string[]): Cell | undefined {
    return row.cells[this.place(...headers)];
  }

  /** The same as text; what a spreadsheet was kept from running is without its apostrophe. */
  text(row: SheetRow, ...headers: string[]): string {
    return unescapeFormula(textOf(this.cell(row, ...headers)));
  }
}
