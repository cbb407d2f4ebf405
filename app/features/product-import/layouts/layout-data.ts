import { unescapeFormula } from "~/http/formula";
import { splitUrls } from "~/records/cells";
import { mappingFromColumns } from "../columns";
import {
  COLOR,
  categoryOf,
  type Draft,
  filledCells,
  type LayoutField,
  sourceKeyOf,
  UNTRACKED,
} from "../draft";
import { splitEntityList } from "../html-signs";
import { type Cell, type Columns, type Mapping, type Sheet, type SheetRow, textOf } from "../sheet";
import type { Layout } from "./layouts";

/** Header as a system writes it; a pattern where it names a shop or a number, which may fit several columns. */
type Header = string | RegExp;

/** Export of another system, recognised by its headers. */
export interface LayoutData {
  /** Name in the dry run, with its article. */
  title: string;
  /** Headers that such a file has all of, each in one of several spellings. */
  signs: Header[][];
  /** The system's key of a product. */
  key?: { title: string; system: string; headers: Header[] };
  /** Headers of each field, the likeliest first. All images that the file has are read. */
  fields: Partial<Record<Exclude<LayoutField, "colors">, Header[]>>;
  /** Rows of one product: one, those of its key or its name, or a row with a name and those without one below it. */
  rows: "one" | "key" | "name" | "above";
  /** Names of options with their values: those of a color become colors. */
  options?: [name: Header, values: Header][];
  /** The stock of a product's first row is that of all its variants. */
  hasTotalStock?: boolean;
  /** Products that are left out, with the reason; without one their rows are no products. */
  leaveOut?: { headers: Header[]; words: RegExp; reason?: string }[];
  /** Variants that a column of their parent lists: their rows are the parent's. */
  variants?: { key: Header[]; listed: Header[]; pattern: RegExp };
  /** Amounts that variants cost beyond the price of their product. */
  surcharge?: Header[];
  /** Prefix of images that are named by less than a URL. */
  imagesAt?: string;
}

/** Words for a stock that the other system does not count. */
const UNCOUNTED = /^(?:in ?stock|out ?of ?stock|unlimited|n\/?a|not tracked)$/i;

export function layoutOf(data: LayoutData): Layout {
  const { fields } = data;
  const column = (columns: Columns, headers?: Header[]) => columnsOf(columns, headers)[0] ?? -1;
  return {
    source: "other",
    title: data.title,
    isGrouped: data.rows !== "one",
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
    drafts: (sheet, columns) => groupRows(data, sheet, columns).map((rows) => draftOf(data, rows, columns)),
  };
}

/** Finds all columns of some headers, in the headers' order. */
function columnsOf(columns: Columns, headers: Header[] = []): number[] {
  return headers.flatMap((header) => {
    if (typeof header !== "string") return columns.matching(header);
    const column = columns.indexOf(header);
    return column === -1 ? [] : [column];
  });
}

function cellsAt(row: SheetRow, columns: Columns, headers: Header[] | undefined): Cell[] {
  const cells = columnsOf(columns, headers).map((column) => row.cells[column] ?? "");
  return cells.filter((cell) => textOf(cell) !== "");
}

const textAt = (row: SheetRow, columns: Columns, headers: Header[] | undefined) =>
  unescapeFormula(textOf(cellsAt(row, columns, headers)[0]));

/** Parts the rows into those of each product. */
function groupRows(data: LayoutData, { rows }: Sheet, columns: Columns): SheetRow[][] {
  const parents = parentsOf(data, rows, columns);
  const groups = new Map<string, SheetRow[]>();
  let above = "";
  for (const row of rows) {
    if (isNoProduct(data, row, columns)) continue;
    const identity = parents.get(row) ?? (identityOf(data, row, columns) || above || `row ${row.line}`);
    above = identity;
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

/** Identifies the product of a row; "" for a row that belongs to the one above. */
function identityOf({ rows, key, fields }: LayoutData, row: SheetRow, columns: Columns): string {
  if (rows === "one") return `row ${row.line}`;
  const text = textAt(row, columns, rows === "key" ? key?.headers : fields.name).toLowerCase();
  return rows === "above" && text ? `row ${row.line}` : text;
}

function draftOf(data: LayoutData, rows: SheetRow[], columns: Columns): Draft {
  const { fields, key, leaveOut = [] } = data;
  const first = (headers: Header[] | undefined) =>
    rows.map((row) => textAt(row, columns, headers)).find(Boolean) ?? "";
  const [name, category] = [first(fields.name), first(fields.category)];
  const stock = stockOf(data, rows, columns);
  const prices = pricesOf(data, rows, columns);
  const problem = rows.find((row) => row.problem)?.problem;
  const skip = leaveOut.find(({ headers, words, reason }) => reason && words.test(first(headers)));
  return {
    row: Math.min(...rows.map(({ line }) => line)),
    lines: rows.map(({ line }) => line),
    ...categoryOf([category], name),
    name,
    description: first(fields.description),
    price: prices[0],
    variantPrices: prices,
    stock: stock.cell,
    colors: colorsOf(data, rows, columns),
    cells: {},
    imageUrls: imagesOf(data, rows, columns),
    notes: stock.isUncounted ? [UNTRACKED] : [],
    key: key && sourceKeyOf(key.title, key.system, first(key.headers)),
    ...(skip && { skip: skip.reason ?? "" }),
    ...(problem && { problem }),
  };
}

/** Reads the prices of all rows; where variants have surcharges, those of the variants. */
function pricesOf({ fields, surcharge }: LayoutData, rows: SheetRow[], columns: Columns): Cell[] {
  const prices = rows.map((row) => cellsAt(row, columns, fields.price)[0]);
  const [price, ...others] = filledCells(prices);
  const variants = rows.filter((_, at) => prices[at] === undefined);
  if (!surcharge || price === undefined || others.length > 0 || variants.length === 0)
    return filledCells(prices);
  return variants.map((row) => withSurcharge(price, cellsAt(row, columns, surcharge)[0]));
}

/** Adds a surcharge to a price. @returns text that is no price where one of them is no number */
function withSurcharge(price: Cell, surcharge: Cell = 0): Cell {
  const [base, extra] = [price, surcharge].map((cell) => Number(textOf(cell)));
  if (extra === 0 || base === undefined || extra === undefined) return price;
  const sum = Math.round((base + extra) * 100) / 100;
  return Number.isNaN(sum) ? `${textOf(price)} + ${textOf(surcharge)}` : sum;
}

/** Reads the stock of all variants: the product's own, or their sum. */
function stockOf(
  { fields, hasTotalStock }: LayoutData,
  rows: SheetRow[],
  columns: Columns,
): { cell: Cell | undefined; isUncounted: boolean } {
  const cells = rows.flatMap((row) => stockOfRow(row, columns, fields.stock) ?? []);
  const counted = cells.filter((cell) => !UNCOUNTED.test(textOf(cell)));
  const isUncounted = counted.length === 0 && cells.length > 0;
  const numbers = counted.map((cell) => Number(textOf(cell)));
  if (hasTotalStock || counted.length < 2 || numbers.some(Number.isNaN))
    return { cell: counted[0], isUncounted };
  return { cell: numbers.reduce((sum, number) => sum + Math.max(0, number), 0), isUncounted };
}

/** Reads a row's stock, the sum where a pattern fits the columns of several places. */
function stockOfRow(row: SheetRow, columns: Columns, headers: Header[] = []): Cell | undefined {
  for (const header of headers) {
    const cells = cellsAt(row, columns, [header]);
    const numbers = cells.map((cell) => Number(textOf(cell)));
    if (cells.length > 1 && !numbers.some(Number.isNaN)) return numbers.reduce((sum, each) => sum + each, 0);
    if (cells.length > 0) return cells[0];
  }
  return undefined;
}

function colorsOf({ options = [] }: LayoutData, rows: SheetRow[], columns: Columns): string[] {
  const values = options.flatMap(([name, headers]) => {
    const isColor = rows.some((row) => COLOR.test(textAt(row, columns, [name])));
    return isColor ? rows.flatMap((row) => splitEntityList(textAt(row, columns, [headers]))) : [];
  });
  return [...new Set(values)];
}

function imagesOf({ fields, imagesAt }: LayoutData, rows: SheetRow[], columns: Columns): string[] {
  const texts = rows.flatMap((row) => cellsAt(row, columns, fields.imageUrls).map(textOf));
  const urls = texts.flatMap((text) => (imagesAt ? text.split(/[;,|\s]+/) : splitUrls(text)));
  const whole = urls.filter(Boolean).map((url) => (imagesAt && !url.includes("://") ? imagesAt + url : url));
  // Other systems name pictures by the places that they have there.
  return [...new Set(whole.filter((url) => /^https?:\/\//i.test(url)))];
}
