import { z } from "zod";
import { parseCategory } from "~/domain/categories";
import { AMOUNT_EXAMPLE, parseAmount } from "~/domain/money";
import { storedEntry } from "~/features/storage/schema";
import { dollarsToCents, flag, id, optionalText, requiredText, wholeNumber } from "~/http/fields";
import { MAX_ENGRAVING } from "./engraving";
import { platesOf } from "./plate-schema";
import { MAX_STOCK, type ProductField } from "./product-fields";

/** Product fields with their messages (docs/product.md, 5.1), shared by forms, API and product import. */

export const MAX_NAME_LENGTH = 200;
export const MAX_DESCRIPTION_LENGTH = 20_000;
/** Maximum number of tags in a description, which bounds the time of sanitising. */
export const MAX_TAGS = 500;
export const MAX_TAGS_MESSAGE = `Must have at most ${MAX_TAGS} tags`;
export const MAX_COLOR_LENGTH = 60;
export const MAX_OPTION_LABEL = 30;
const MAX_URL_LENGTH = 1000;
/** Maximum number of colors and of images of a product; Shopify allows as many images. */
export const MAX_LIST_LENGTH = 250;

export const MAX_LENGTH_MESSAGE = `Must be at most ${MAX_DESCRIPTION_LENGTH.toLocaleString("en")} characters`;

/** Control characters other than tabs and line breaks. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** Normalises a name for comparison: the product import treats products of one name as the same. */
export function nameKey(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

export const productName = requiredText("Name is required", MAX_NAME_LENGTH);

/** HTML that the server sanitises. */
export const productDescription = z.preprocess(
  (value) => value ?? "",
  z
    .string({ error: "Must be text" })
    .trim()
    .max(MAX_DESCRIPTION_LENGTH, MAX_LENGTH_MESSAGE)
    .refine((text) => text.split("<", MAX_TAGS + 2).length <= MAX_TAGS + 1, {
      error: MAX_TAGS_MESSAGE,
      when: ({ issues }) => issues.length === 0,
    })
    .refine((text) => !CONTROL.test(text) && text.isWellFormed(), "Contains characters that are not allowed"),
);

const PRICE_RULE = "Must be an amount above 0, such as 12.50, up to 99,999,999.99";

const isUncertain = (value: unknown) => typeof value === "string" && parseAmount(value)?.isCertain === false;

export const productPrice = z.unknown().transform((value, context) => {
  const fail = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (value === undefined || value === null || value === "") return fail("Price is required");
  const cents = dollarsToCents.safeParse(value);
  if (!cents.success) return fail(isUncertain(value) ? AMOUNT_EXAMPLE : PRICE_RULE);
  return cents.data > 0 ? cents.data : fail("Price must be above 0");
});

export const productStock = wholeNumber(0, MAX_STOCK);

/** Category in any spelling. */
export const productCategory = z
  .string({ error: (issue) => (issue.input === undefined ? "Category is required" : "Must be text") })
  .transform((text, context) => {
    const known = parseCategory(text);
    if (known) return known;
    context.addIssue({ code: "custom", message: "There is no such category" });
    return z.NEVER;
  });

/** Converts JSON or form values to a list without blank entries; a single value becomes a list of one. */
const toList = (value: unknown) => {
  if (value === null || value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.filter((entry) => !(entry === undefined || (typeof entry === "string" && entry.trim() === "")));
};

function unique(key: (entry: string) => string) {
  return (list: string[]) => {
    const seen = new Set<string>();
    return list.filter((entry) => !seen.has(key(entry)) && seen.add(key(entry)));
  };
}

const tooMany = (items: string) => `At most ${MAX_LIST_LENGTH} ${items}`;

/**
 * List of distinct entries. Its length is checked before its entries, of which a body can hold 100,000, and again
 * without the repeated ones.
 *
 * @param keyOf entries with equal keys are one entry
 */
function distinctList<T extends z.ZodType<string>>(
  entry: T,
  items: string,
  keyOf: (entry: string) => string,
) {
  return z.preprocess(
    toList,
    z
      .array(z.unknown())
      .max(2 * MAX_LIST_LENGTH, tooMany(items))
      .pipe(z.array(entry))
      .transform(unique(keyOf))
      .refine((list) => list.length <= MAX_LIST_LENGTH, tooMany(items)),
  );
}

/** Distinct names of colors. */
export const productColors = distinctList(requiredText("Required", MAX_COLOR_LENGTH), "colors", (color) =>
  color.toLowerCase(),
);

/** True when words may be engraved; null, as a form without the tick sends it, means no. */
export const productEngraving = z.preprocess((value) => value ?? false, flag);

/** `minio:{key}` or an https URL; this shop's URL of a stored object becomes its `minio:` entry. */
const imageUrl = requiredText("Required", MAX_URL_LENGTH).transform((text, context) => {
  const entry = storedEntry(text) ?? (isHttpsUrl(text) ? text : null);
  if (entry !== null) return entry;
  context.addIssue({ code: "custom", message: "Must be an address that begins with https://" });
  return z.NEVER;
});

function isHttpsUrl(text: string): boolean {
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Distinct images in display order. */
export const productImages = distinctList(imageUrl, "images", (url) => url);

/** Label of the choices, such as Material; blank for “Colour”. */
export const productOptionLabel = optionalText(MAX_OPTION_LABEL);

/** Engraving plates by image; those of other images than the product's own have no effect. */
export const productPlates = platesOf(imageUrl);

/** Fields that spreadsheets do not have; their import keeps them. */
const pageFields = {
  optionLabel: productOptionLabel.optional(),
  plates: productPlates.optional(),
};

const fields = {
  name: productName,
  description: productDescription,
  price: productPrice,
  stock: productStock,
  category: productCategory,
  colors: productColors,
  hasEngraving: productEngraving,
  imageUrls: productImages,
} satisfies Record<ProductField, z.ZodType>;

/** Ids that routes beside api/product/{id} occupy; checked by tests/structure/routes.test.ts. */
export const RESERVED_IDS = ["all", "bulk-upload", "categories", "category", "id", "random", "suggest"];

/** Id chosen by the client, so that a repeated request stores one product. */
export const newProductId = z.preprocess(
  (value) => (value === "" || value === null ? undefined : value),
  z
    .string({ error: "Must be text" })
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be 1 to 64 of A-Z, a-z, 0-9, _ and -")
    .refine(
      (text) => !RESERVED_IDS.includes(text.toLowerCase()),
      "Must be another one: this word is an address",
    )
    .optional(),
);

/** POST product; name, price and category are required. */
export const NewProductInput = z.object({
  id: newProductId,
  ...fields,
  stock: z.preprocess(
    (value) => (value === "" || value === null ? undefined : value),
    productStock.default(0),
  ),
  ...pageFields,
});
export type NewProduct = z.output<typeof NewProductInput>;

/** PUT product/{id}; missing fields stay unchanged. */
export const ProductChangesInput = z.object({
  id,
  stockWas: productStock.optional(),
  was: z
    .looseObject({ stock: productStock.nullish() })
    .meta({ examples: [{ price: 24.5 }] })
    .optional(),
  ...Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, optionalField(rule)])),
  ...pageFields,
}) as unknown as z.ZodType<ProductChanges>;

export type ProductChanges = {
  id: string;
  /** Stock that the caller saw; an edit of the stock is refused when it has changed. */
  stockWas?: number | undefined;
  /** Values of other fields that the caller saw; an edit of one of them is refused when somebody else has changed it. */
  was?: (Record<string, unknown> & { stock?: number | null | undefined }) | undefined;
} & { [Field in keyof NewProduct]?: NewProduct[Field] };

/** Makes a field optional; unlike a missing value, a blank one is validated. */
function optionalField(rule: z.ZodType) {
  return z
    .unknown()
    .optional()
    .transform((value, context) => {
      if (value === undefined) return undefined;
      const read = rule.safeParse(value);
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path, message });
      return z.NEVER;
    });
}

export const ProductPathInput = z.object({ id });

/** Control characters and marks that change the text direction. */
const UNENGRAVABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE = /^[\p{Z}\p{Cf}]*$/u;

/** Colour that a shopper chose; blank and missing mean none. The product decides which ones there are. */
export const colorInput = z
  .string({ error: "Must be text" })
  .nullish()
  .transform((text) => text?.trim().slice(0, 200) || null);

/** Words that a shopper wants engraved; blank and missing mean none. Repeated spaces become one. */
export const engravingInput = z
  .string({ error: "Must be text" })
  .refine((text) => !UNENGRAVABLE.test(text.trim()) && text.isWellFormed(), {
    error: "The engraving has characters that can't be engraved.",
    abort: true,
  })
  .transform((text) => (INVISIBLE.test(text) ? null : text.normalize("NFC").trim().replace(/\s+/g, " ")))
  .refine(
    (text) => [...(text ?? "")].length <= MAX_ENGRAVING,
    `The engraving is longer than ${MAX_ENGRAVING} characters.`,
  )
  .nullish()
  .transform((text) => text ?? null);
