import { type Draft, type DraftCodes, type DraftVariant, totalStock } from "./draft";
import { textOf } from "./sheet";

/** Compares names and values of options, whose case and form say nothing. */
export const choiceKey = (text: string) => text.trim().normalize("NFC").toLowerCase();

/** Variants of a product, from its rows. */
interface VariantRows {
  variants: DraftVariant[];
  listed?: [name: string, values: string[]][];
  /** A variant may stand in several rows, one for each place with stock of it. */
  sumsPlaces?: boolean | undefined;
}

type VariantFields = Pick<Draft, "variants" | "listed" | "codes" | "colors">;

/**
 * Reads the variants of a product: units where options tell them apart, else the codes of its only row.
 *
 * @param colors of the product as a whole, which variants replace
 */
export function variantFields(
  { variants, listed = [], sumsPlaces }: VariantRows,
  colors: string[],
): VariantFields {
  const named = variants.filter(({ options }) => options.some(([name]) => name !== ""));
  if (named.length === 0) return { colors, ...(variants.length === 1 && { codes: codesOf(variants[0]) }) };
  const used = new Set(
    named.flatMap(({ options }) => options.flatMap(([name, value]) => (value ? choiceKey(name) : []))),
  );
  const ofUsed = variants.map((each) => ({
    ...each,
    options: each.options.filter(([name]) => used.has(choiceKey(name))),
  }));
  if (used.size === 0) return { colors, ...(variants.length === 1 && { codes: codesOf(variants[0]) }) };
  return {
    variants: sumsPlaces ? ofPlaces(ofUsed) : ofUsed,
    listed: listed.filter(([name]) => used.has(choiceKey(name))),
    colors: [],
  };
}

const codesOf = (codes: DraftCodes | undefined): DraftCodes => ({
  sku: codes?.sku ?? "",
  barcode: codes?.barcode ?? "",
});

/** Joins the rows of one choice, whose stock is added up. */
function ofPlaces(variants: DraftVariant[]): DraftVariant[] {
  const byChoice = Map.groupBy(variants, ({ options }) =>
    JSON.stringify(options.map((each) => each.map(choiceKey))),
  );
  return [...byChoice.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    return [{ ...first, stock: totalStock(rows.map(({ stock }) => stock)) }];
  });
}

/** Tests for a value that another system writes for a product without options. */
export const isDefaultChoice = (name: string, value: string) =>
  /^title$/i.test(name.trim()) && /^default title$/i.test(value.trim());

/** Words for a stock that another system does not count. */
const UNCOUNTED = /^(?:in ?stock|out ?of ?stock|unlimited|n\/?a|not tracked)$/i;

/** Tests for a word that stands for a stock which is not counted. */
export const isUncountedWord = (cell: DraftVariant["stock"]) => UNCOUNTED.test(textOf(cell));
