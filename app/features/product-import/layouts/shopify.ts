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
import { type Columns, type Mapping, type Sheet, type SheetRow, textOf } from "../sheet";
import { isDefaultChoice, variantFields } from "../variants";

/** Headers of the export, the older names first. */
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
  tracker: ["Variant Inventory Tracker", "Inventory tracker"],
  sku: ["Variant SKU", "SKU"],
  barcode: ["Variant Barcode", "Barcode"],
  image: ["Image Src", "Product image URL"],
  position: ["Image Position"],
  variantImage: ["Variant Image", "Variant image URL"],
};
const OPTIONS = [1, 2, 3].map((n) => ({ name: [`Option${n} Name`], value: [`Option${n} Value`] }));
export function isShopify(columns: Columns): boolean {
  return (
    columns.has("Title") &&
    (columns.has("Handle", "Variant Price") || columns.has("URL handle", "Price", "Option1 value"))
  );
}

export function shopifyMapping({ headers, rows }: Sheet, columns: Columns): Mapping {
  return mappingFromColumns(headers.length, {
    name: columns.indexOf(...H.title),
    description: columns.indexOf(...H.body),
    price: columns.indexOf(...H.price),
    stock: columns.indexOf(...H.quantity),
    category: columns.indexOf(...H.type),
    colors: columns.indexOf(...(colorOption(rows, columns)?.value ?? [])),
    imageUrls: columns.indexOf(...H.image),
  });
}

/** Reads a Shopify export: rows of the same handle are the variants and images of one product. */
export function shopifyDrafts({ rows }: Sheet, columns: Columns): Draft[] {
  const products = new Map<string, SheetRow[]>();
  for (const row of rows) {
    const handle = columns.text(row, ...H.handle).toLowerCase() || `row ${row.line}`;
    const known = products.get(handle);
    if (known) known.push(row);
    else products.set(handle, [row]);
  }
  return [...products.values()].map((group) => shopifyDraft(group, columns));
}

function shopifyDraft(rows: SheetRow[], columns: Columns): Draft {
  const first = (headers: string[]) => rows.map((row) => columns.text(row, ...headers)).find(Boolean) ?? "";
  const problem = rows.find((row) => row.problem)?.problem;
  const skip = unpublished(first(H.status), first(H.published));
  const prices = filledCells(rows.map((row) => columns.cell(row, ...H.price)));
  const counted = rows.filter((row) => !isUncounted(row, columns));
  const stock = totalStock(counted.map((row) => columns.cell(row, ...H.quantity)));
  const [type, category, tags] = [first(H.type), first(H.category), first(H.tags)];
  return {
    row: rows[0]?.line ?? 0,
    lines: rows.map(({ line }) => line),
    ...categoryOf([type, category, tags], first(H.title), [type, tags, category]),
    name: first(H.title),
    description: first(H.body),
    price: prices[0],
    variantPrices: prices,
    takesFirstPrice: true,
    stock,
    ...variantFields({ variants: variantsOf(rows, columns) }, productColors(rows, columns)),
    isUncounted: stock === undefined,
    cells: {},
    imageUrls: productImages(rows, columns),
    notes: [],
    key: sourceKeyOf("Handle", "handle", first(H.handle)),
    ...(skip && { skip }),
    ...(problem && { problem }),
  };
}

function unpublished(status: string, published: string): string | null {
  if (/^(?:draft|archived|unlisted)$/i.test(status)) return `Is ${status.toLowerCase()} in the other shop`;
  return /^false$/i.test(published) ? "Is not published in the other shop" : null;
}

/** Reads the rows of variants; others have a further picture each. Only the first row names the options. */
function variantsOf(rows: SheetRow[], columns: Columns): DraftVariant[] {
  const names = OPTIONS.map(({ name }) => rows.map((row) => columns.text(row, ...name)).find(Boolean) ?? "");
  return rows.flatMap((row): DraftVariant[] => {
    const options = OPTIONS.map(({ value }, at): [string, string] => [
      names[at] ?? "",
      columns.text(row, ...value),
    ]);
    const [price, stock] = [columns.cell(row, ...H.price), columns.cell(row, ...H.quantity)];
    const [sku, barcode] = [columns.text(row, ...H.sku), columns.text(row, ...H.barcode)];
    if (![...options.map(([, value]) => value), textOf(price), textOf(stock), sku].some(Boolean)) return [];
    return [
      {
        line: row.line,
        options: options.filter(([name, value]) => name !== "" && !isDefaultChoice(name, value)),
        ...{ price, stock, sku, barcode },
        isUncounted: isUncounted(row, columns),
        image: columns.text(row, ...H.variantImage),
      },
    ];
  });
}

/** Tests for a variant that no program counts: its number says nothing. */
function isUncounted(row: SheetRow, columns: Columns): boolean {
  const quantity = columns.text(row, ...H.quantity);
  const isTracked = columns.indexOf(...H.tracker) === -1 || columns.text(row, ...H.tracker) !== "";
  return quantity === "" || (quantity === "0" && !isTracked);
}

/** Finds the option that is a color: only a product's first row names its options. */
function colorOption(rows: SheetRow[], columns: Columns) {
  return OPTIONS.find(({ name }) => rows.some((row) => COLOR.test(columns.text(row, ...name))));
}

function productColors(rows: SheetRow[], columns: Columns): string[] {
  const option = colorOption(rows, columns);
  if (!option) return [];
  return [...new Set(rows.map((row) => columns.text(row, ...option.value)).filter(Boolean))];
}

/** Lists images by position, those of variants last. */
function productImages(rows: SheetRow[], columns: Columns): string[] {
  const positioned = rows
    .map((row, i) => ({
      url: columns.text(row, ...H.image),
      position: Number(columns.text(row, ...H.position)) || i + 1,
    }))
    .filter(({ url }) => url !== "")
    .sort((a, b) => a.position - b.position)
    .map(({ url }) => url);
  const variantImages = rows.map((row) => columns.text(row, ...H.variantImage)).filter(Boolean);
  return [...new Set([...positioned, ...variantImages])];
}
