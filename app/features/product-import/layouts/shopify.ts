import { type Columns, type Mapping, mappingAt } from "../columns";
import { type Draft, NO_CATEGORY } from "../draft";
import { guessCategory } from "../guess-category";
import { type Sheet, type SheetRow, textOf } from "../sheet";

/** Headers as the export has them, the older names first. */
const H = {
  handle: ["Handle", "URL handle"],
  title: ["Title"],
  body: ["Body (HTML)", "Description"],
  category: ["Product Category"],
  type: ["Type"],
  tags: ["Tags"],
  published: ["Published", "Published on online store"],
  status: ["Status"],
  price: ["Variant Price", "Price"],
  quantity: ["Variant Inventory Qty", "Inventory quantity"],
  image: ["Image Src", "Product image URL"],
  position: ["Image Position"],
  variantImage: ["Variant Image", "Variant image URL"],
};
const OPTIONS = [1, 2, 3].map((n) => ({ name: [`Option${n} Name`], value: [`Option${n} Value`] }));
/** Names of options that are colors: `Color`, `Frame colour`, `pa_color`. */
export const COLOR = /(?:^|[\s_-])(?:colou?rs?|farben?|couleurs?)$/i;

/** Whether headers are those of a Shopify product export. */
export function isShopify(columns: Columns): boolean {
  return (
    columns.has("Title") &&
    (columns.has("Handle", "Variant Price") || columns.has("URL handle", "Price", "Option1 value"))
  );
}

/** Which of its columns are read as what. */
export function shopifyMapping({ headers, rows }: Sheet, columns: Columns): Mapping {
  return mappingAt(headers.length, {
    name: columns.place(...H.title),
    description: columns.place(...H.body),
    price: columns.place(...H.price),
    stock: columns.place(...H.quantity),
    category: columns.place(...H.type),
    colors: columns.place(...(colorOption(rows, columns)?.value ?? [])),
    imageUrls: columns.place(...H.image),
  });
}

/**
 * Reads a Shopify export: rows of the same handle are one product, its variants folded into it (issue: Moving here).
 */
export function shopifyDrafts({ rows }: Sheet, columns: Columns): Draft[] {
  const products = new Map<string, SheetRow[]>();
  for (const row of rows) {
    const handle = columns.text(row, ...H.handle).toLowerCase() || `row ${row.line}`;
    const known = products.get(handle);
    if (known) known.push(row);
    else products.set(handle, [row]);
  }
  return [...products.values()].map((group) => draftOf(group, columns));
}

function draftOf(rows: SheetRow[], columns: Columns): Draft {
  const first = (headers: string[]) => rows.map((row) => columns.text(row, ...headers)).find(Boolean) ?? "";
  const problem = rows.find((row) => row.problem)?.problem;
  const skip = unpublished(first(H.status), first(H.published));
  const stock = stockOf(rows.map((row) => columns.cell(row, ...H.quantity)));
  const category = guessCategory([first(H.type), first(H.tags), first(H.category), first(H.title)]);
  return {
    row: rows[0]?.line ?? 0,
    lines: rows.map(({ line }) => line),
    ...kindOf([H.type, H.category, H.tags].map(first), first(H.title)),
    name: first(H.title),
    description: first(H.body),
    price: rows.map((row) => columns.cell(row, ...H.price)).find((cell) => textOf(cell) !== ""),
    stock,
    category: category ?? "OTHERS",
    colors: colorsOf(rows, columns),
    imageUrls: imagesOf(rows, columns),
    notes: [category ? "" : `${NO_CATEGORY}: OTHERS`, stock === undefined ? UNTRACKED : ""].filter(Boolean),
    ...(skip && { skip }),
    ...(problem && { problem }),
  };
}

/** What is noted of a product that is sold there without being counted. */
export const UNTRACKED = "Not counted there: stock is left as it is, 0 on a new product";

/**
 * What a file says of a product's kind.
 *
 * @param said the most telling first
 * @param name stands in where nothing is said
 */
export function kindOf(said: string[], name: string): Pick<Draft, "kind" | "isUntyped"> {
  const kind = said.find(Boolean);
  return kind ? { kind } : { kind: name, isUntyped: true };
}

function unpublished(status: string, published: string): string | null {
  if (/^(?:draft|archived|unlisted)$/i.test(status)) return `Is ${status.toLowerCase()} in the other shop`;
  return /^false$/i.test(published) ? "Is not published in the other shop" : null;
}

/** The sum over variants; oversold ones count as none. Blank where none is counted. */
export function stockOf(cells: (string | number | undefined)[]): string | number | undefined {
  const given = cells.filter((cell): cell is string | number => textOf(cell) !== "");
  if (given.length === 0) return undefined;
  const numbers = given.map((cell) => Number(String(cell).trim()));
  const wrong = given.find((_, i) => !Number.isFinite(numbers[i]));
  return wrong ?? numbers.reduce((sum, number) => sum + Math.max(0, number), 0);
}

/** The option that is a color: its name stands in a product's first row only. */
function colorOption(rows: SheetRow[], columns: Columns) {
  return OPTIONS.find(({ name }) => rows.some((row) => COLOR.test(columns.text(row, ...name))));
}

function colorsOf(rows: SheetRow[], columns: Columns): string[] {
  const option = colorOption(rows, columns);
  if (!option) return [];
  return [...new Set(rows.map((row) => columns.text(row, ...option.value)).filter(Boolean))];
}

/** By their positions; those of variants behind them. */
function imagesOf(rows: SheetRow[], columns: Columns): string[] {
  const placed = rows
    .map((row, i) => ({
      url: columns.text(row, ...H.image),
      position: Number(columns.text(row, ...H.position)) || i + 1,
    }))
    .filter(({ url }) => url !== "")
    .sort((a, b) => a.position - b.position)
    .map(({ url }) => url);
  const ofVariants = rows.map((row) => columns.text(row, ...H.variantImage)).filter(Boolean);
  return [...new Set([...placed, ...ofVariants])];
}
