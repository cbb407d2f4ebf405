import { z } from "zod";
import type { ProductOption, units } from "~/db/schema";
import { MAX_STOCK } from "~/domain/stock-levels";
import { MAX_UNITS } from "~/domain/unit-name";
import { type AmountReading, DOLLARS, otherId, requiredText, wholeNumber } from "~/http/fields";
import { textField } from "~/records/fields";
import { recordOf } from "~/records/record";
import { imageEntry, priceRule } from "./product-rules";

/** Options of a product, at most, and characters of their names and values. */
export const MAX_OPTIONS = 3;
export const MAX_OPTION_NAME = 30;
export const MAX_OPTION_VALUE = 60;
/** Characters of an SKU or a barcode. */
export const MAX_CODE = 60;

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

/** Values in the API's document. */
const VALUES = {
  type: "object" as const,
  additionalProperties: { type: "string" as const },
  examples: [{ Colour: "Moss" }],
};

/** Reads the values of options. */
const textsOf = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );

/** Rule of one unit. @param reading of its price */
const unitInput = (reading: AmountReading) =>
  z.object({
    id: otherId.optional().meta({ description: "None for a new unit" }),
    options: z
      .record(z.string(), z.unknown(), { error: "Must be a value of each option, by its name" })
      .transform(textsOf)
      .optional()
      .meta({ override: VALUES }),
    ...z.object(UNIT.rules).partial().shape,
    price: priceRule(reading).meta({ override: DOLLARS }).nullable().optional(),
    stock: wholeNumber(0, MAX_STOCK).optional(),
    stockWas: wholeNumber(0, MAX_STOCK).optional(),
    image: z.union([z.literal(""), imageEntry]).optional(),
  });
/** Unit as a request names it; what is missing stays, or is empty for a new one. */
export type UnitInput = z.output<ReturnType<typeof unitInput>>;

/** All units of a product. */
const unitsRule = (reading: AmountReading) =>
  z
    .array(unitInput(reading), { error: "Must be a list of units" })
    .min(1, "A product has at least one unit")
    .max(MAX_UNITS, `Must be at most ${MAX_UNITS} units`);

export const UnitsRule = unitsRule("plain");

/** Units of a form, whose prices are typed. */
export const TypedUnitsRule = unitsRule("typed");

/** Returns the value of each option by its name. */
export const valuesByName = (options: ProductOption[], values: string[]): Record<string, string> =>
  Object.fromEntries(options.map(({ name }, i) => [name, values[i] ?? ""]));

/** Words for colors in the languages of imported files. */
export const COLOR_WORDS = "colou?rs?|farben?|couleurs?|colores|colore|colori|kleur|kleuren";
/** Name of the option whose values are the product's `colors`. */
const COLOUR = new RegExp(`^(?:${COLOR_WORDS})$`, "i");

/** Returns the values of the option of colours; none without one. */
export const coloursOf = (options: ProductOption[]): string[] =>
  options.find(({ name }) => COLOUR.test(name))?.values ?? [];

/** Builds every combination of values, in order: the last option changes first. */
export const combinations = (options: ProductOption[]): string[][] =>
  options.reduce<string[][]>(
    (made, { values }) => made.flatMap((each) => values.map((value) => [...each, value])),
    [[]],
  );
