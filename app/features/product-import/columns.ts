import { FIELDS, PRODUCT_SHEET, type ProductField } from "~/features/catalogue/product";
import { certainPrice, priceColumns } from "./price-column";
import { headerKey, JOINED_FIELD, type Mapping, type SheetRow } from "./sheet";

/**
 * Guesses the field of each column, by the fields' names first, then by their synonyms. Each field gets one column, the
 * pictures all that name one, and the price only a certain one.
 *
 * @param rows tell columns of prices from those of other words
 */
export function guessMapping(headers: string[], rows: SheetRow[] = []): Mapping {
  const keys = headers.map(headerKey);
  const mapping: Mapping = headers.map(() => null);
  const assign = (field: ProductField, fits: (key: string) => boolean) => {
    if (mapping.includes(field)) return;
    const column = keys.findIndex((key, i) => key !== "" && mapping[i] === null && fits(key));
    if (column !== -1) mapping[column] = field;
  };
  const price = certainPrice(priceColumns(headers, rows));
  if (price !== null) mapping[price] = "price";
  for (const field of FIELDS) if (field !== "price") assign(field, (key) => key === field.toLowerCase());
  for (const { name, field } of PRODUCT_SHEET.columns)
    for (const synonym of field.synonyms) assign(name as ProductField, (key) => key === synonym);
  return mapping.map(
    (field, column) => field ?? (isFurtherPicture(keys[column] ?? "") ? JOINED_FIELD : null),
  );
}

const PICTURE_KEYS = new Set(
  PRODUCT_SHEET.columns.flatMap(({ name, field }) =>
    name === JOINED_FIELD ? [name.toLowerCase(), ...field.synonyms] : [],
  ),
);

const FIRST_WORDS = "main|first|primary|featured|cover|front";
const LATER_WORDS = "back|extra|additional|other|further|more";
const PLACE = new RegExp(
  `^(?:${FIRST_WORDS}|second|third|fourth|fifth|${LATER_WORDS})|(?:main|primary|featured)$`,
);

/** Tests for a column of one picture of several, by its key: `image2`, `mainphoto`. */
const isFurtherPicture = (key: string) => PICTURE_KEYS.has(key.replace(/\d+$/, "").replace(PLACE, ""));

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const IS_FIRST = new RegExp(`^(?:${FIRST_WORDS})|(?:main|primary|featured)$`);
const IS_LATER = new RegExp(`^(?:${LATER_WORDS})`);

/** Returns the place of a picture by its column's key: 0 for the main one, else its number; later than all for a further one. */
function pictureRank(key: string): number {
  const number = /\d+/.exec(key)?.[0];
  if (number !== undefined) return IS_FIRST.test(key) ? 0 : Number(number);
  if (IS_FIRST.test(key)) return 0;
  const ordinal = ORDINALS.findIndex((word) => key.startsWith(word));
  if (ordinal >= 0) return ordinal + 1;
  return IS_LATER.test(key) ? Number.POSITIVE_INFINITY : 1;
}

/** Orders columns of pictures by what their headers say, and as in the file among equals. */
export function picturesInOrder(headers: string[], columns: number[]): number[] {
  const ranks = new Map(columns.map((column) => [column, pictureRank(headerKey(headers[column] ?? ""))]));
  const rank = (column: number) => ranks.get(column) ?? 1;
  return columns.toSorted((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))));
}

/**
 * Makes a mapping of known columns.
 *
 * @param count number of columns in the file
 * @param columns column of each field; -1 for none
 */
export function mappingFromColumns(count: number, columns: Partial<Record<ProductField, number>>): Mapping {
  const mapping: Mapping = Array.from({ length: count }, () => null);
  for (const field of FIELDS) {
    const column = columns[field] ?? -1;
    if (mapping[column] === null) mapping[column] = field;
  }
  return mapping;
}

/** Finds a mapped header that appears twice in a file, where only one column can be read. */
export function duplicateHeader(headers: string[], mapping: Mapping): string | null {
  const keys = headers.map(headerKey);
  const column = mapping.findIndex((field, i) => field !== null && keys.indexOf(keys[i] ?? "", i + 1) !== -1);
  return headers[column] ?? null;
}
