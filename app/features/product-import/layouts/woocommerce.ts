import { mappingFromColumns } from "../columns";
import {
  COLOR,
  categoryOf,
  type Draft,
  type DraftVariant,
  filledCells,
  sourceKeyOf,
  totalStock,
} from "../draft";
import { type Cell, type Columns, type Mapping, type Sheet, type SheetRow, textOf } from "../sheet";
import { variantFields } from "../variants";
import { pictureUrls } from "./layout-cells";
import { isReduced, isWithin } from "./sale-prices";

const MAX_ATTRIBUTES = 20;

/** Columns that tell an export from other files: it has at least one. */
const OWN_COLUMNS = ["Categories", "Published", "Parent", "In stock?"];

export function isWooCommerce(columns: Columns): boolean {
  return (
    columns.has("Type", "SKU", "Name", "Regular price") && OWN_COLUMNS.some((header) => columns.has(header))
  );
}

export function wooCommerceMapping({ headers, rows }: Sheet, columns: Columns): Mapping {
  const color = rows.map((row) => colorAttribute(row, columns)).find((n) => n !== null);
  return mappingFromColumns(headers.length, {
    name: columns.indexOf("Name"),
    description: columns.indexOf("Description", "Short description"),
    price: columns.indexOf("Regular price"),
    stock: columns.indexOf("Stock"),
    category: columns.indexOf("Categories"),
    colors: color ? columns.indexOf(`Attribute ${color} value(s)`) : -1,
    imageUrls: columns.indexOf("Images"),
  });
}

interface Family {
  parent: SheetRow;
  variations: SheetRow[];
}

/**
 * Reads a WooCommerce export: variations are merged into their parent.
 *
 * @param now epoch seconds: a sale price counts within its dates
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
    .map((family) => wooCommerceDraft(family, columns, now));
}

function isVariation(row: SheetRow, columns: Columns): boolean {
  return /\bvariation\b/i.test(columns.text(row, "Type"));
}

/** Lists the references to a parent that a variation may use: its SKU, or `id:` and its number. */
function references(row: SheetRow, columns: Columns): string[] {
  const [id, sku] = [columns.text(row, "ID"), columns.text(row, "SKU")];
  return [id && `id:${id}`, sku.toLowerCase()].filter(Boolean);
}

function wooCommerceDraft({ parent, variations }: Family, columns: Columns, now: number): Draft {
  const all = [parent, ...variations];
  const text = (header: string) => columns.text(parent, header);
  const problem = all.find((row) => row.problem)?.problem;
  const prices = filledCells(all.map((row) => priceOf(row, columns, now)));
  const stock = totalStock(all.map((row) => stockCell(row, columns)));
  const skip = skipReason(parent, columns);
  return {
    row: parent.line,
    lines: all.map(({ line }) => line),
    ...categoryOf([text("Categories"), text("Tags")], text("Name")),
    name: text("Name"),
    description: unescapeLines(text("Description") || text("Short description")),
    price: prices[0],
    variantPrices: prices,
    takesFirstPrice: true,
    // The export writes numbers as PHP does, whatever the shop's language.
    hasDecimalPoints: true,
    stock,
    ...variantFields(familyVariants({ parent, variations }, columns, now), [
      ...new Set(all.flatMap((row) => colorsOf(row, columns))),
    ]),
    isUncounted: stock === undefined && text("In stock?") === "1",
    cells: {},
    imageUrls: [...new Set(all.flatMap((row) => pictureUrls(columns.text(row, "Images"))))],
    notes: [],
    key: sourceKeyOf("ID", "woocommerce", text("ID")) ?? sourceKeyOf("SKU", "sku", text("SKU")),
    ...(skip && { skip }),
    ...(problem && { problem }),
  };
}

function skipReason(row: SheetRow, columns: Columns): string | null {
  if (isVariation(row, columns))
    return `Is a variation of ${columns.text(row, "Parent") || "nothing"}, which isn't in the file`;
  return /^(?:0|-1)$/.test(columns.text(row, "Published")) ? "Is not published in the other shop" : null;
}

/** Reads a stock; the export writes `parent` for a variation that shares its parent's. */
function stockCell(row: SheetRow, columns: Columns): Cell | undefined {
  const isShared = /^parent$/i.test(columns.text(row, "Stock"));
  return isShared ? undefined : columns.cell(row, "Stock");
}

/** Numbers as PHP writes them. */
const POINTS = { comma: false, point: true };

/** Reads the sale price within its dates where it is lower, else the regular one. */
function priceOf(row: SheetRow, columns: Columns, now: number): Cell | undefined {
  const sale = columns.cell(row, "Sale price");
  const isOnSale = isWithin(
    now,
    columns.text(row, "Date sale price starts"),
    columns.text(row, "Date sale price ends"),
  );
  const regular = columns.cell(row, "Regular price");
  if (isOnSale && isReduced(sale, regular, POINTS)) return sale;
  return textOf(regular) === "" ? undefined : regular;
}

/** Finds the number of the row's color attribute. */
function colorAttribute(row: SheetRow, columns: Columns): number | null {
  for (let n = 1; n <= MAX_ATTRIBUTES; n++)
    if (COLOR.test(columns.text(row, `Attribute ${n} name`))) return n;
  return null;
}

function colorsOf(row: SheetRow, columns: Columns): string[] {
  const n = colorAttribute(row, columns);
  return n === null ? [] : attributeValues(row, columns, n);
}

const attributeValues = (row: SheetRow, columns: Columns, n: number): string[] =>
  columns
    .text(row, `Attribute ${n} value(s)`)
    .split(/(?<!\\),/)
    .map((value) => value.replaceAll("\\,", ",").trim())
    .filter(Boolean);

/** Lists the attributes of a row with their values. */
function attributesOf(row: SheetRow, columns: Columns): [name: string, values: string[]][] {
  const all: [string, string[]][] = [];
  for (let n = 1; n <= MAX_ATTRIBUTES; n++) {
    const name = columns.text(row, `Attribute ${n} name`);
    if (name) all.push([name, attributeValues(row, columns, n)]);
  }
  return all;
}

/** Reads the variations of a product, or the product itself where it has none; those that share its stock are no units. */
function familyVariants({ parent, variations }: Family, columns: Columns, now: number) {
  const isShared =
    variations.length > 0 && variations.every((row) => /^parent$/i.test(columns.text(row, "Stock")));
  const rows = variations.length > 0 && !isShared ? variations : [parent];
  const variants = rows.map(
    (row): DraftVariant => ({
      line: row.line,
      options:
        row === parent ? [] : attributesOf(row, columns).map(([name, values]) => [name, values.join(", ")]),
      price: priceOf(row, columns, now),
      stock: stockCell(row, columns),
      isUncounted: textOf(stockCell(row, columns)) === "" && columns.text(row, "In stock?") === "1",
      sku: columns.text(row, "SKU"),
      barcode: columns.text(row, "GTIN, UPC, EAN, or ISBN"),
      image: pictureUrls(columns.text(row, "Images"))[0] ?? "",
    }),
  );
  return { variants, listed: attributesOf(parent, columns) };
}

/** Restores line breaks, which the export writes as two characters. */
function unescapeLines(text: string): string {
  return text.replaceAll("\\n", "\n");
}
