import type { DraftVariant } from "../draft";
import { splitEntityList } from "../html-signs";
import { type Cell, type Columns, type SheetRow, textOf } from "../sheet";
import { choiceKey, isUncountedWord } from "../variants";
import { cellsAt, type Header, stockOfRow, textAt, urlsOf, withSurcharge } from "./layout-cells";
import type { LayoutData } from "./layout-data";

type Options = DraftVariant["options"];

/** Hexadecimal color before its name: `#FF0000:Red`. */
const COLOR_CODE = /^#[\da-f]{3,8}:(?=.)/i;

/** Reads the variants of a product, with the options that its own row lists. */
export function layoutVariants(data: LayoutData, rows: SheetRow[], columns: Columns) {
  const listedBy = listedOptions(data, rows, columns);
  const isVariant = (row: SheetRow) => {
    if (listedBy) return listedBy.has(textAt(row, columns, data.variants?.key).toLowerCase());
    return !data.variantRows || data.variantRows.words.test(textAt(row, columns, data.variantRows.headers));
  };
  const own = rows.filter((row) => !isVariant(row));
  const names = (data.options ?? []).map(([name]) =>
    typeof name === "object" && "named" in name
      ? name.named
      : (rows.map((row) => textAt(row, columns, [name])).find(Boolean) ?? ""),
  );
  const optionsOf = (row: SheetRow): Options =>
    listedBy?.get(textAt(row, columns, data.variants?.key).toLowerCase()) ??
    rowOptions(data, row, columns, names);
  const all = rows.filter(isVariant);
  const found = data.needsSeveral && all.length < 2 ? [] : all;
  const variants = (found.length > 0 ? found : rows.slice(0, 1)).map((row) =>
    variantOf(data, row, columns, found.length > 0 ? optionsOf(row) : []),
  );
  const priced = found.length > 0 ? withPrices(data, { variants, own, rows: found }, columns) : variants;
  const listed = (data.options ?? []).flatMap(([, header], at): [string, string[]][] => {
    const values = own.flatMap((row) => splitEntityList(textAt(row, columns, [header])).map(plainValue));
    return names[at] && values.length > 0 ? [[names[at], values]] : [];
  });
  return { variants: named(data, priced, found, columns), listed, sumsPlaces: data.sumsPlaces };
}

const plainValue = (value: string) => value.replace(COLOR_CODE, "");

function variantOf(data: LayoutData, row: SheetRow, columns: Columns, options: Options): DraftVariant {
  const { codes = {}, uncounted, variantImage, fields, isPart, surcharge } = data;
  const cell = stockOfRow(row, columns, fields.stock);
  const isUncounted =
    isUncountedWord(cell) || (uncounted?.words.test(textAt(row, columns, uncounted.headers)) ?? false);
  return {
    line: row.line,
    options,
    price: cellsAt(row, columns, fields.price)[0],
    ...(isPart && { surcharge: cellsAt(row, columns, surcharge)[0] }),
    stock: isUncounted ? undefined : cell,
    isUncounted,
    sku: textAt(row, columns, codes.sku),
    barcode: textAt(row, columns, codes.barcode),
    image: urlsOf(cellsAt(row, columns, variantImage).map(textOf), data.imagesAt)[0] ?? "",
  };
}

function rowOptions(data: LayoutData, row: SheetRow, columns: Columns, names: string[]): Options {
  const { options = [], optionsIn, optionLists } = data;
  const own = options.flatMap(([, header], at): Options => {
    const name = names[at] ?? "";
    return name ? [[name, plainValue(textAt(row, columns, [header]))]] : [];
  });
  const together = optionsIn
    ? [...textAt(row, columns, optionsIn.headers).matchAll(optionsIn.pattern)].map(
        ([, name = "", value = ""]): [string, string] => [name.trim(), value.trim()],
      )
    : [];
  if (!optionLists) return [...own, ...together];
  const values = listOf(row, columns, optionLists.values);
  return listOf(row, columns, optionLists.names).map((name, at) => [name, values[at] ?? ""]);
}

/** Reads the words of a list such as `Size:select:0, Color:color:1`, without what stands behind their colons. */
const listOf = (row: SheetRow, columns: Columns, headers: Header[]) =>
  textAt(row, columns, headers)
    .split(",")
    .map((each) => each.split(":")[0]?.trim() ?? "");

/** Reads the options of variants from the list at their parent, by the variant's key; null where a layout has none. */
function listedOptions(
  { variants }: LayoutData,
  rows: SheetRow[],
  columns: Columns,
): Map<string, Options> | null {
  if (!variants) return null;
  const byKey = new Map<string, Options>();
  for (const row of rows)
    for (const [, key = "", rest = ""] of textAt(row, columns, variants.listed).matchAll(variants.pattern))
      byKey.set(
        key.trim().toLowerCase(),
        [...rest.matchAll(/,([^=,|]+)=([^,|]*)/g)].map(([, code = "", value = ""]) => [
          labelOf(code),
          value.trim(),
        ]),
      );
  return byKey;
}

/** Writes the code of an attribute as a name: `shoe_size` is Shoe size. */
const labelOf = (code: string) => {
  const words = code.trim().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Names variants that have no options by the name of each. */
function named(
  data: LayoutData,
  variants: DraftVariant[],
  rows: SheetRow[],
  columns: Columns,
): DraftVariant[] {
  const { variantName } = data;
  if (!variantName || variants.some(({ options }) => options.length > 0)) return variants;
  const names = rows.map((row) => textAt(row, columns, variantName.headers));
  if (names.length < 2 && names.every((name) => name === "" || variantName.single.test(name)))
    return variants;
  if (names.every((name) => name === "")) return variants;
  return variants.map((each, at) => ({ ...each, options: [[variantName.named, names[at] ?? ""]] }));
}

interface Priced {
  variants: DraftVariant[];
  /** Rows of the product itself. */
  own: SheetRow[];
  /** Rows of the variants. */
  rows: SheetRow[];
}

/** Adds surcharges to the price of the product, and applies its rules of prices. */
function withPrices(data: LayoutData, { variants, own, rows }: Priced, columns: Columns): DraftVariant[] {
  const { surcharge, priceRules, fields } = data;
  const isRule = (row: SheetRow) => priceRules?.words.test(textAt(row, columns, priceRules.headers)) ?? false;
  const base = own.filter((row) => !isRule(row)).flatMap((row) => cellsAt(row, columns, fields.price))[0];
  const rules = own.filter(isRule).map((row) => ({
    options: rowOptions(data, row, columns, []),
    price: textAt(row, columns, fields.price),
  }));
  return variants.map((each, at) => {
    const row = rows[at];
    if (surcharge && row && base !== undefined && each.price === undefined)
      return { ...each, price: withSurcharge(base, cellsAt(row, columns, surcharge)[0]) };
    const applied = rules.filter(({ options }) => options.length > 0 && isPart(options, each.options));
    if (base === undefined || each.price !== undefined) return each;
    return { ...each, price: applied.reduce((price, rule) => ruledPrice(price, rule.price), base) };
  });
}

const isPart = (part: Options, whole: Options) =>
  part.every(([name, value]) =>
    whole.some((each) => choiceKey(each[0]) === choiceKey(name) && choiceKey(each[1]) === choiceKey(value)),
  );

/** Applies a rule such as `[ADD]5`; one that is none leaves the price. */
function ruledPrice(price: Cell, rule: string): Cell {
  const [, kind = "", amount = ""] = /^\[(ADD|REMOVE|FIXED)\]\s*([\d.]+)$/i.exec(rule) ?? [];
  if (kind === "") return price;
  if (/fixed/i.test(kind)) return amount;
  return withSurcharge(price, /add/i.test(kind) ? amount : `-${amount}`);
}
