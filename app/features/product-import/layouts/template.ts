import { identityKey } from "~/db/text";
import { FIELDS, type ProductField } from "~/features/catalogue/product";
import { MAX_OPTIONS, UNIT } from "~/features/catalogue/units";
import { unescapeFormula } from "~/http/formula";
import { picturesInOrder } from "../columns";
import { type Draft, type DraftVariant, type SourceKey, sourceKeyOf } from "../draft";
import { splitEntityList } from "../html-signs";
import { headerKey, JOINED_FIELD, type Mapping, type Sheet, type SheetRow, textOf } from "../sheet";
import { variantFields } from "../variants";
import { pictureUrls } from "./layout-cells";

/** Columns in which any file may have a key of its own. */
const KEY_COLUMNS = [
  { title: "Handle", key: "handle" },
  { title: "ID", key: "id" },
];

function keyColumn(keys: string[]) {
  const found = KEY_COLUMNS.find(({ key }) => keys.includes(key));
  return found && { ...found, column: keys.indexOf(found.key) };
}

/** Columns of a unit beside those of a product, as the export writes them: -1 for one that a file lacks. */
function unitColumns(keys: string[]) {
  const at = (...names: string[]) => keys.findIndex((key) => names.includes(key));
  const codes = UNIT.columns.map(({ name, field }) => at(name, ...field.synonyms));
  return {
    options: Array.from({ length: MAX_OPTIONS }, (_, i) => ({
      name: at(`option${i + 1}name`),
      value: at(`option${i + 1}value`),
    })).filter(({ name, value }) => name !== -1 && value !== -1),
    sku: codes[0] ?? -1,
    barcode: codes[1] ?? -1,
  };
}

/** Lists the columns that are read beside those of a product's fields. */
export function takenColumns(headers: string[]): number[] {
  const keys = headers.map(headerKey);
  const { options, sku, barcode } = unitColumns(keys);
  return [
    keyColumn(keys)?.column ?? -1,
    sku,
    barcode,
    ...options.flatMap(({ name, value }) => [name, value]),
  ];
}

/** Reads a row of each product or unit: the template, this shop's own export, and any other file whose columns are mapped. */
export function templateDrafts({ headers, rows }: Sheet, mapping: Mapping): Draft[] {
  const keys = headers.map(headerKey);
  const key = keyColumn(keys);
  const pictures = picturesInOrder(
    headers,
    mapping.flatMap((each, column) => (each === JOINED_FIELD ? [column] : [])),
  );
  const columns = Object.fromEntries(FIELDS.map((field) => [field, mapping.indexOf(field)])) as Columns;
  const units = unitColumns(keys.map((each, at) => (mapping[at] === null ? each : "")));
  return joinUnits(
    rows.map((row) => ({
      ...rowDraft(row, columns, pictures),
      ...unitOf(row, columns, units),
      key: key && sourceKeyOf(key.title, key.key, textOf(row.cells[key.column])),
    })),
  );
}

type Columns = Record<ProductField, number>;
type RowDraft = Draft & { key: SourceKey | undefined };

const textAt = (row: SheetRow, column: number) => unescapeFormula(textOf(row.cells[column]));

/** Fields that a draft has beside `cells`. */
const OWN = new Set<ProductField>([
  "name",
  "description",
  "price",
  "stock",
  "category",
  "colors",
  JOINED_FIELD,
]);

function rowDraft(row: SheetRow, columns: Columns, pictures: number[]): Draft {
  const text = (field: ProductField) => textAt(row, columns[field]);
  return {
    row: row.line,
    lines: [row.line],
    sourceCategory: text("category"),
    name: text("name"),
    description: text("description"),
    // Numbers of a spreadsheet stay numbers: 12.5 is unambiguous.
    price: row.cells[columns.price],
    stock: row.cells[columns.stock],
    category: text("category"),
    colors: splitEntityList(text("colors")),
    cells: Object.fromEntries(FIELDS.filter((field) => !OWN.has(field)).map((field) => [field, text(field)])),
    imageUrls: pictures.flatMap((column) => pictureUrls(textAt(row, column))),
    notes: [],
    ...(row.problem && { problem: row.problem }),
  };
}

/** Reads the unit of a row: its choice and its codes. */
function unitOf(row: SheetRow, columns: Columns, units: ReturnType<typeof unitColumns>) {
  const options = units.options.flatMap(({ name, value }): DraftVariant["options"] => {
    const named = textAt(row, name);
    return named ? [[named, textAt(row, value)]] : [];
  });
  const variant: DraftVariant = {
    line: row.line,
    options,
    price: row.cells[columns.price],
    stock: row.cells[columns.stock],
    isUncounted: false,
    sku: textAt(row, units.sku),
    barcode: textAt(row, units.barcode),
    image: "",
  };
  return variantFields({ variants: [variant] }, splitEntityList(textAt(row, columns.colors)));
}

/** Joins the rows of units of one product, by its key or its name. */
function joinUnits(drafts: RowDraft[]): Draft[] {
  const byProduct = new Map<string, Draft>();
  return drafts.flatMap((draft) => {
    const { key, variants } = draft;
    if (!variants) return [draft];
    const identity = key ? JSON.stringify([key.system, key.value]) : identityKey(draft.name);
    const first = byProduct.get(identity);
    if (!first) {
      byProduct.set(identity, draft);
      return [draft];
    }
    first.lines.push(...draft.lines);
    first.variants?.push(...variants);
    first.description ||= draft.description;
    if (first.imageUrls.length === 0) first.imageUrls = draft.imageUrls;
    if (draft.problem) first.problem ??= draft.problem;
    return [];
  });
}
