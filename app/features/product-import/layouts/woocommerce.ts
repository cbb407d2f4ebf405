import { type Columns, type Mapping, mappingAt } from "../columns";
import { type Draft, NO_CATEGORY, splitUrls } from "../draft";
import { guessCategory } from "../guess-category";
import { type Cell, type Sheet, type SheetRow, textOf } from "../sheet";
import { COLOR, kindOf, stockOf, UNTRACKED } from "./shopify";

/** Attributes that a row may have columns for. */
const MOST_ATTRIBUTES = 20;

/** Whether headers are those of a WooCommerce product export. */
export function isWooCommerce(columns: Columns): boolean {
  return columns.has("Type", "SKU", "Name", "Regular price") && columns.has("Categories");
}

/** Which of its columns are read as what. */
export function wooCommerceMapping({ headers, rows }: Sheet, columns: Columns): Mapping {
  const color = rows.map((row) => colorAttribute(row, columns)).find((n) => n !== null);
  return mappingAt(headers.length, {
    name: columns.place("Name"),
    description: columns.place("Description", "Short description"),
    price: columns.place("Regular price"),
    stock: columns.place("Stock"),
    category: columns.place("Categories"),
    colors: color ? columns.place(`Attribute ${color} value(s)`) : -1,
    imageUrls: columns.place("Images"),
  });
}

interface Family {
  parent: SheetRow;
  variations: SheetRow[];
}

/**
 * Reads a WooCommerce export: variations are folded into their parent (issue: Moving here).
 *
 * @param now epoch seconds: a sale price counts while it holds
 */
export function wooCommerceDrafts({ rows }: Sheet, columns: Columns, now: number): Draft[] {
  const families: Family[] = [];
  const byReference = new Map<string, Family>();
  const orphans: SheetRow[] = [];
  for (const row of rows) {
    if (isVariation(row, columns)) continue;
    const family = { parent: row, variations: [] };
    families.push(family);
    for (const reference of references(row, columns)) byReference.set(reference, family);
  }
  for (const row of rows) {
    if (!isVariation(row, columns)) continue;
    const family = byReference.get(columns.text(row, "Parent").toLowerCase());
    if (family) family.variations.push(row);
    else orphans.push(row);
  }
  const alone = orphans.map((parent) => ({ parent, variations: [] }));
  return [...families, ...alone]
    .sort((a, b) => a.parent.line - b.parent.line)
    .map((family) => draftOf(family, columns, now));
}

function isVariation(row: SheetRow, columns: Columns): boolean {
  return /\bvariation\b/i.test(columns.text(row, "Type"));
}

/** What a variation may call its parent: its SKU, or `id:` and its number. */
function references(row: SheetRow, columns: Columns): string[] {
  const [id, sku] = [columns.text(row, "ID"), columns.text(row, "SKU")];
  return [id && `id:${id}`, sku.toLowerCase()].filter(Boolean);
}

function draftOf({ parent, variations }: Family, columns: Columns, now: number): Draft {
  const all = [parent, ...variations];
  const said = (header: string) => columns.text(parent, header);
  const problem = all.find((row) => row.problem)?.problem;
  const category = guessCategory([said("Categories"), said("Tags"), said("Name")]);
  const stock = stockOf(all.map((row) => stockCell(row, columns)));
  const skip = skipped(parent, columns);
  return {
    row: parent.line,
    lines: all.map(({ line }) => line),
    ...kindOf([said("Categories"), said("Tags")], said("Name")),
    name: said("Name"),
    description: withLines(said("Description") || said("Short description")),
    price: all.map((row) => priceOf(row, columns, now)).find((cell) => cell !== undefined),
    stock,
    category: category ?? "OTHERS",
    colors: [...new Set(all.flatMap((row) => colorsOf(row, columns)))],
    imageUrls: [...new Set(all.flatMap((row) => splitUrls(columns.text(row, "Images"))))],
    notes: [
      category ? "" : `${NO_CATEGORY}: OTHERS`,
      stock === undefined && said("In stock?") === "1" ? UNTRACKED : "",
    ].filter(Boolean),
    ...(skip && { skip }),
    ...(problem && { problem }),
  };
}

function skipped(row: SheetRow, columns: Columns): string | null {
  if (isVariation(row, columns))
    return `Is a variation of ${columns.text(row, "Parent") || "nothing"}, which isn't in the file`;
  return /^(?:0|-1)$/.test(columns.text(row, "Published")) ? "Is not published in the other shop" : null;
}

/** Of a variation that is counted with its parent, the export says so in place of a number. */
function stockCell(row: SheetRow, columns: Columns): Cell | undefined {
  const isParents = /^parent$/i.test(columns.text(row, "Stock"));
  return isParents ? undefined : columns.cell(row, "Stock");
}

/** The sale price where one holds today, else the regular one. */
function priceOf(row: SheetRow, columns: Columns, now: number): Cell | undefined {
  const sale = columns.cell(row, "Sale price");
  const time = (header: string, otherwise: number) => {
    const text = columns.text(row, header);
    const read = Date.parse(/^\d{4}-\d\d-\d\d /.test(text) ? text.replace(" ", "T") : text);
    return text === "" || Number.isNaN(read) ? otherwise : read / 1000;
  };
  const DAY = 86_400;
  const ends = columns.text(row, "Date sale price ends");
  const lastMoment = time("Date sale price ends", Number.POSITIVE_INFINITY) + (/\d:\d/.test(ends) ? 0 : DAY);
  const holds = now >= time("Date sale price starts", 0) && now < lastMoment;
  if (textOf(sale) !== "" && holds) return sale;
  const regular = columns.cell(row, "Regular price");
  return textOf(regular) === "" ? undefined : regular;
}

/** The number of the row's attribute that is a color. */
function colorAttribute(row: SheetRow, columns: Columns): number | null {
  for (let n = 1; n <= MOST_ATTRIBUTES; n++)
    if (COLOR.test(columns.text(row, `Attribute ${n} name`))) return n;
  return null;
}

function colorsOf(row: SheetRow, columns: Columns): string[] {
  const n = colorAttribute(row, columns);
  if (n === null) return [];
  return columns
    .text(row, `Attribute ${n} value(s)`)
    .split(/(?<!\\),/)
    .map((value) => value.replaceAll("\\,", ",").trim())
    .filter(Boolean);
}

/** The export writes line breaks as two characters. */
function withLines(text: string): string {
  return text.replaceAll("\\n", "\n");
}
