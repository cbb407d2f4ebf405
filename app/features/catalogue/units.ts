import { z } from "zod";
import type { ProductOption, units } from "~/db/schema";
import { MAX_STOCK } from "~/domain/stock-levels";
import { otherId, requiredText, wholeNumber } from "~/http/fields";
import { textField } from "~/records/fields";
import { recordOf } from "~/records/record";
import { imageEntry, priceRule } from "./product-rules";

/** Most options of a product, and units that their values make. */
export const MAX_OPTIONS = 3;
export const MAX_UNITS = 100;
const MAX_OPTION_NAME = 30;
const MAX_OPTION_VALUE = 60;
const MAX_CODE = 60;

/** Unit of a product as it is stored, with what shoppers can buy of it. */
export type ProductUnit = Pick<
  typeof units.$inferSelect,
  "id" | "values" | "sku" | "barcode" | "priceCents" | "image" | "stock"
> & {
  /** Pieces in active holds. */
  held: number;
  available: number;
};

/** Fields by which a unit is found, beside its price, stock and picture. */
export const UNIT = recordOf({
  sku: textField({
    label: "SKU",
    max: MAX_CODE,
    audit: "value",
    missing: "",
    example: "CASE-MOSS",
    synonyms: "sku itemnumber articlenumber artikelnummer",
  }),
  barcode: textField({
    label: "Barcode",
    max: MAX_CODE,
    audit: "value",
    missing: "",
    example: "4006381333931",
    synonyms: "barcode ean gtin upc isbn",
  }),
});

const named = (text: string) => text.normalize("NFC").toLowerCase();
const areDistinct = (texts: string[]) => new Set(texts.map(named)).size === texts.length;

const OPTION: z.ZodType<ProductOption> = z.object({
  name: requiredText("Name is required", MAX_OPTION_NAME),
  values: z
    .array(requiredText("Required", MAX_OPTION_VALUE), { error: "Must be a list of values" })
    .min(1, "Needs a value")
    .max(MAX_UNITS, `Must be at most ${MAX_UNITS} values`)
    .refine(areDistinct, "The same value is listed twice"),
});

/** Options of a product: names with their values in order. */
export const OptionsRule = z
  .array(OPTION, { error: "Must be a list of options" })
  .max(MAX_OPTIONS, `Must be at most ${MAX_OPTIONS} options`)
  .refine((options) => areDistinct(options.map(({ name }) => name)), "Two options have the same name")
  .meta({ examples: [[{ name: "Colour", values: ["Moss", "Sand"] }]] });

const UNIT_INPUT = z.object({
  id: otherId.optional().meta({ description: "None for a new unit" }),
  options: z
    .record(z.string(), z.string(), { error: "Must be a value of each option, by its name" })
    .default({})
    .meta({ examples: [{ Colour: "Moss" }] }),
  ...z.object(UNIT.rules).partial().shape,
  price: priceRule("plain").nullable().optional(),
  stock: wholeNumber(0, MAX_STOCK).optional(),
  stockWas: wholeNumber(0, MAX_STOCK).optional(),
  image: z.union([z.literal(""), imageEntry]).optional(),
});
/** Unit as a request names it; what is missing stays, or is empty for a new one. */
export type UnitInput = z.output<typeof UNIT_INPUT>;

/** All units of a product. */
export const UnitsRule = z
  .array(UNIT_INPUT, { error: "Must be a list of units" })
  .min(1, "A product has at least one unit")
  .max(MAX_UNITS, `Must be at most ${MAX_UNITS} units`);

/** Returns the value of each option by its name. */
export const valuesByName = (options: ProductOption[], values: string[]): Record<string, string> =>
  Object.fromEntries(options.map(({ name }, i) => [name, values[i] ?? ""]));

/** Option whose values are colours, in the words of the spec. */
const COLOUR = /^colou?rs?$/i;

/** Tests for the name of the option of colours. */
export const isColour = (name: string) => COLOUR.test(name);

/** Returns the values of the option of colours; none without one. */
export const coloursOf = (options: ProductOption[]): string[] =>
  options.find(({ name }) => isColour(name))?.values ?? [];

/** Builds every combination of values, in order: the last option changes first. */
export const combinations = (options: ProductOption[]): string[][] =>
  options.reduce<string[][]>(
    (made, { values }) => made.flatMap((each) => values.map((value) => [...each, value])),
    [[]],
  );
