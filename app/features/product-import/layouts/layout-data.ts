import { mappingFromColumns } from "../columns";
import {
  COLOR,
  categoryOf,
  type Draft,
  filledCells,
  type LayoutField,
  SKU_SYSTEM,
  sourceKeyOf,
} from "../draft";
import { splitEntityList } from "../html-signs";
import { type Cell, type Columns, type Mapping, type Sheet, type SheetRow, textOf } from "../sheet";
import { isUncountedWord, variantFields } from "../variants";
import {
  cellsAt,
  columnsOf,
  type Header,
  isPath,
  pathNotes,
  stockOfRow,
  textAt,
  urlsOf,
  withSurcharge,
} from "./layout-cells";
import { layoutVariants } from "./layout-variants";
import type { Layout } from "./layouts";
import { atSalePrices, type SalePrice } from "./sale-prices";

/** Column of an option's name, or its name where the system writes none. */
type OptionName = Header | { named: string };

interface LeftOut {
  headers: Header[];
  words: RegExp;
  reason?: string;
  ofEach?: true;
}

/** Export of another system, recognised by its headers. */
export interface LayoutData {
  /** Name in the dry run, with its article. */
  title: string;
  /** Remark on such a file in the dry run. */
  remark?: string;
  /** Headers that such a file has all of, each in one of several spellings. */
  signs: Header[][];
  /** The system's key of a product. */
  key?: { title: string; system: string; headers: Header[] };
  /** SKU of the product as a whole, which is its key where a row has no other. */
  skuOfProduct?: Header[];
  /** Rows name no product: each is one that is stored, found by its key. */
  isPart?: boolean;
  /** Headers of each field, the likeliest first. All images that the file has are read. */
  fields: Partial<Record<Exclude<LayoutField, "colors">, Header[]>>;
  /** Rows of one product: one, those of its key or its name, or a row with a name and those without one below it. */
  rows: "one" | "key" | "name" | "above";
  /** Names of options with their values, of each variant or listed at the product. */
  options?: [name: OptionName, values: Header][];
  /** Options that one cell of a variant has together: each match is a name and a value. */
  optionsIn?: { headers: Header[]; pattern: RegExp };
  /** Cells that list the names of options and the values of a variant, parted by commas: `Size:select:0, Color:color:1`. */
  optionLists?: { names: Header[]; values: Header[] };
  /** Name of a variant, for products whose options have none; the word of a product without variants. */
  variantName?: { named: string; headers: Header[]; single: RegExp };
  /** Rows that are variants; without it all rows of a product are. */
  variantRows?: { headers: Header[]; words: RegExp };
  /** Rows by which variants cost more or less than their product: `[ADD]5`. */
  priceRules?: { headers: Header[]; words: RegExp };
  /** A variant may stand in several rows, one for each place with stock of it. */
  sumsPlaces?: boolean;
  /** Codes of a variant, or of a product without variants. */
  codes?: { sku?: Header[]; barcode?: Header[] };
  /** Picture of a variant. */
  variantImage?: Header[];
  /** A product of one row has no variants, though its options have values. */
  needsSeveral?: boolean;
  /** Variants whose stock the other system does not count. */
  uncounted?: { headers: Header[]; words: RegExp };
  /** The stock of a product's first row is that of all its variants. */
  hasTotalStock?: boolean;
  /**
   * Products that are left out, with the reason; without one their rows are no products. `ofEach` says so of a variant:
   * those that it fits are left out, and the product where it fits all.
   */
  leaveOut?: LeftOut[];
  /** Variants that a column of their parent lists, with their options: their rows are the parent's. */
  variants?: { key: Header[]; listed: Header[]; pattern: RegExp };
  /** Amounts that variants cost beyond the price of their product, or of the stored one that they are part of. */
  surcharge?: Header[];
  /** Reduced price, which counts while it is valid. */
  sale?: SalePrice;
  /** Prefix of images that are named by less than a URL. */
  imagesAt?: string;
}

export function layoutOf(data: LayoutData): Layout {
  const { fields } = data;
  const column = (columns: Columns, headers?: Header[]) => columnsOf(columns, headers)[0] ?? -1;
  return {
    source: "other",
    title: data.title,
    isGrouped: data.rows !== "one",
    ...(data.remark && { remark: data.remark }),
    ...(data.isPart && { isPart: true }),
    fits: (columns) => data.signs.every((spellings) => column(columns, spellings) !== -1),
    mapping: ({ headers }, columns): Mapping =>
      mappingFromColumns(headers.length, {
        name: column(columns, fields.name),
        description: column(columns, fields.description),
        price: column(columns, fields.price),
        stock: column(columns, fields.stock),
        category: column(columns, fields.category),
        imageUrls: column(columns, fields.imageUrls),
      }),
    priced(sheet, columns, usual, now) {
      const { price, ...off } = data.sale ?? {};
      const sale = { ...off, ...(price && usual === column(columns, fields.price) && { price }) };
      return usual !== -1 && data.sale ? atSalePrices(sheet, columns, sale, usual, now) : sheet;
    },
    drafts: (sheet, columns) => groupRows(data, sheet, columns).map((rows) => draftOf(data, rows, columns)),
  };
}

/** Parts the rows into those of each product. */
function groupRows(data: LayoutData, { rows }: Sheet, columns: Columns): SheetRow[][] {
  const parents = parentsOf(data, rows, columns);
  const groups = new Map<string, SheetRow[]>();
  let above = "";
  for (const row of rows) {
    if (isNoProduct(data, row, columns)) continue;
    const identity = parents.get(row) ?? (identityOf(data, row, columns) || above || `row ${row.line}`);
    if (!data.isPart) above = identity;
    const group = groups.get(identity) ?? [];
    groups.set(identity, group);
    group.push(row);
  }
  // A parent's own row comes first, wherever it stands.
  return [...groups.values()].map((group) => [
    ...group.filter((row) => !parents.has(row)),
    ...group.filter((row) => parents.has(row)),
  ]);
}

/** Finds the identity of the parent of each row that another row lists as its variant. */
function parentsOf(data: LayoutData, rows: SheetRow[], columns: Columns): Map<SheetRow, string> {
  const { variants } = data;
  if (!variants) return new Map();
  const parentByKey = new Map<string, string>();
  for (const row of rows)
    for (const [, key = ""] of textAt(row, columns, variants.listed).matchAll(variants.pattern))
      parentByKey.set(key.toLowerCase(), identityOf(data, row, columns));
  return new Map(
    rows.flatMap((row) => {
      const parent = parentByKey.get(textAt(row, columns, variants.key).toLowerCase());
      return parent === undefined ? [] : [[row, parent] as const];
    }),
  );
}

function isNoProduct({ leaveOut = [] }: LayoutData, row: SheetRow, columns: Columns): boolean {
  return leaveOut.some(
    ({ headers, words, reason }) => reason === undefined && words.test(textAt(row, columns, headers)),
  );
}

/** Tests for a row that says something of a product's variants alone. */
const isBelow = (data: LayoutData, row: SheetRow, columns: Columns) =>
  [data.variantRows, data.priceRules].some((rows) => rows?.words.test(textAt(row, columns, rows.headers)));

/** Identifies the product of a row; "" for a row that belongs to the one above. */
function identityOf(data: LayoutData, row: SheetRow, columns: Columns): string {
  const { rows, key, fields } = data;
  if (rows === "one") return `row ${row.line}`;
  if (rows === "above" && isBelow(data, row, columns)) return "";
  const keys = [...(key?.headers ?? []), ...(data.skuOfProduct ?? [])];
  const text = textAt(row, columns, rows === "key" ? keys : fields.name).toLowerCase();
  return rows === "above" && text ? `row ${row.line}` : text;
}

function draftOf(data: LayoutData, rows: SheetRow[], columns: Columns): Draft {
  const { fields } = data;
  const own = data.rows === "above" ? rows.filter((row) => !isBelow(data, row, columns)) : rows;
  const first = (headers: Header[] | undefined) =>
    own.map((row) => textAt(row, columns, headers)).find(Boolean) ?? "";
  const [name, category] = [first(fields.name), first(fields.category)];
  const stock = stockOf(data, own, columns);
  const prices = pricesOf(data, own, columns);
  const key = keyOf(data, first);
  const problem = rows.find((row) => row.problem)?.problem ?? (data.isPart && !key ? NAMES_NONE : undefined);
  const left = leftOut(data, rows, columns, first);
  const { variants, ...others } = layoutVariants(data, rows, columns);
  const offered = variants.filter(({ line }) => !left.lines.has(line));
  return {
    row: Math.min(...rows.map(({ line }) => line)),
    lines: rows.map(({ line }) => line),
    ...categoryOf([category], name),
    name,
    description: first(fields.description),
    price: prices[0],
    variantPrices: prices,
    stock: stock.cell,
    isUncounted: stock.isUncounted,
    ...variantFields({ ...others, variants: offered }, colorsOf(data, rows, columns)),
    cells: {},
    imageUrls: imagesOf(data, rows, columns),
    notes: [...left.notes, ...notesOnPaths(data, rows, columns)],
    key,
    ...(data.isPart && { isPart: true }),
    ...(left.skip && { skip: left.skip }),
    ...(problem && { problem }),
  };
}

/**
 * Finds what is not offered in the other shop: the product, with the reason, or the lines of some of its variants.
 *
 * @param first the first text of the product's rows under some headers
 */
function leftOut(
  { leaveOut = [] }: LayoutData,
  rows: SheetRow[],
  columns: Columns,
  first: (headers: Header[]) => string,
): { skip?: string; lines: Set<number>; notes: string[] } {
  const lines = new Set<number>();
  const notes: string[] = [];
  for (const { headers, words, reason, ofEach } of leaveOut) {
    if (!reason) continue;
    const stated = ofEach ? rows.filter((row) => textAt(row, columns, headers) !== "") : [];
    const fitting = stated.filter((row) => words.test(textAt(row, columns, headers)));
    const isWhole = ofEach
      ? fitting.length > 0 && fitting.length === rows.length
      : words.test(first(headers));
    if (isWhole) return { skip: reason, lines, notes };
    for (const { line } of fitting) {
      lines.add(line);
      notes.push(`Row ${line} is left out. ${reason}`);
    }
  }
  return { lines, notes };
}

const NAMES_NONE = "It names no product: write its number or its SKU";

/** Reads the key of a product. @param first the first text of its rows under some headers */
const keyOf = ({ key, skuOfProduct }: LayoutData, first: (headers: Header[]) => string) =>
  (key && sourceKeyOf(key.title, key.system, first(key.headers))) ??
  (skuOfProduct && sourceKeyOf("SKU", SKU_SYSTEM, first(skuOfProduct)));

/** Reads the prices of all rows; where variants have surcharges, those of the variants. */
function pricesOf({ fields, surcharge }: LayoutData, rows: SheetRow[], columns: Columns): Cell[] {
  const prices = rows.map((row) => cellsAt(row, columns, fields.price)[0]);
  const [price, ...others] = filledCells(prices);
  const variants = rows.filter((_, at) => prices[at] === undefined);
  if (!surcharge || price === undefined || others.length > 0 || variants.length === 0)
    return filledCells(prices);
  return variants.map((row) => withSurcharge(price, cellsAt(row, columns, surcharge)[0]));
}

/** Reads the stock of all variants: the product's own, or their sum. */
function stockOf(
  { fields, hasTotalStock }: LayoutData,
  rows: SheetRow[],
  columns: Columns,
): { cell: Cell | undefined; isUncounted: boolean } {
  const cells = rows.flatMap((row) => stockOfRow(row, columns, fields.stock) ?? []);
  const counted = cells.filter((cell) => !isUncountedWord(cell));
  const isUncounted = counted.length === 0 && cells.length > 0;
  const numbers = counted.map((cell) => Number(textOf(cell)));
  if (hasTotalStock || counted.length < 2 || numbers.some(Number.isNaN))
    return { cell: counted[0], isUncounted };
  return { cell: numbers.reduce((sum, number) => sum + Math.max(0, number), 0), isUncounted };
}

function colorsOf({ options = [] }: LayoutData, rows: SheetRow[], columns: Columns): string[] {
  const values = options.flatMap(([name, headers]) => {
    const isColor =
      typeof name === "object" && "named" in name
        ? COLOR.test(name.named)
        : rows.some((row) => COLOR.test(textAt(row, columns, [name])));
    return isColor ? rows.flatMap((row) => splitEntityList(textAt(row, columns, [headers]))) : [];
  });
  return [...new Set(values)];
}

function imagesOf(data: LayoutData, rows: SheetRow[], columns: Columns): string[] {
  const { fields, variantImage = [], imagesAt } = data;
  const texts = (headers: Header[] = []) => rows.flatMap((row) => cellsAt(row, columns, headers).map(textOf));
  return urlsOf([...texts(fields.imageUrls), ...texts(variantImage)], imagesAt);
}

/** Notes pictures that are named by paths. */
function notesOnPaths({ fields, imagesAt }: LayoutData, rows: SheetRow[], columns: Columns): string[] {
  const texts = rows.flatMap((row) => cellsAt(row, columns, fields.imageUrls).map(textOf));
  if (imagesAt) return [];
  return pathNotes(texts.flatMap((text) => text.split(/[,;|]/)).find((each) => isPath(each.trim())));
}
