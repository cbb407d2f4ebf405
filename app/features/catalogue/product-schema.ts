import { z } from "zod";
import { storedEntry } from "~/features/storage/image-entries";
import { dollarsToCents, id, requiredText, wholeNumber } from "~/http/fields";
import { parseCategory } from "./categories";
import type { ProductField } from "./product-fields";

/** The rules of a product's fields and their words (back office 3 and 5). Forms, API and bulk upload check by the same ones. */

export const NAME_LENGTH = 200;
/** Characters of a description, tags included. */
export const DESCRIPTION_LENGTH = 20_000;
/** Stock is whole, 0 to a million (contract: Money). */
export const MAX_STOCK = 1_000_000;
/** Tags of a description: cleaning takes longer the more there are. */
export const MAX_TAGS = 500;
/** What a description with more is refused with, as it was typed and as it would be stored. */
export const MAX_TAGS_MESSAGE = `Must have at most ${MAX_TAGS} tags`;
const COLOR_LENGTH = 60;
const ADDRESS_LENGTH = 1000;
/** Colors, and images, of one product: as many images as Shopify keeps of one. */
export const LIST_LENGTH = 250;

/** What a description that is too long is refused with, as it was typed and as it would be stored. */
export const MAX_LENGTH_MESSAGE = `Must be at most ${DESCRIPTION_LENGTH.toLocaleString("en")} characters`;

/** What breaks a line is part of a text; other control characters are not. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/**
 * What products are compared by where one name is one product (contract: Bulk upload).
 *
 * @param name as typed
 */
export function nameKey(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

export const productName = requiredText("Name is required", NAME_LENGTH);

/** Rich text; what it may hold is the server's to clean. */
export const productDescription = z.preprocess(
  (value) => value ?? "",
  z
    .string({ error: "Must be text" })
    .trim()
    .max(DESCRIPTION_LENGTH, MAX_LENGTH_MESSAGE)
    .refine((text) => text.split("<", MAX_TAGS + 2).length <= MAX_TAGS + 1, {
      error: MAX_TAGS_MESSAGE,
      when: ({ issues }) => issues.length === 0,
    })
    .refine((text) => !CONTROL.test(text) && text.isWellFormed(), "Contains characters that are not allowed"),
);

const PRICE_RULE = "Must be an amount above 0, such as 12.50, up to 99,999,999.99";

/** Dollars in, cents out; above 0. */
export const productPrice = z.unknown().transform((value, context) => {
  const refused = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (value === undefined || value === null || value === "") return refused("Price is required");
  const cents = dollarsToCents.safeParse(value);
  if (!cents.success) return refused(PRICE_RULE);
  return cents.data > 0 ? cents.data : refused("Price must be above 0");
});

export const productStock = wholeNumber(0, MAX_STOCK);

/** One of the nine, however it is spelt. */
export const productCategory = z
  .string({ error: (issue) => (issue.input === undefined ? "Category is required" : "Must be text") })
  .transform((text, context) => {
    const known = parseCategory(text);
    if (known) return known;
    context.addIssue({ code: "custom", message: "There is no such category" });
    return z.NEVER;
  });

/** A list as JSON has it, or as forms send it: one value is a list of one, blank ones are left out. */
const asList = (value: unknown) => {
  if (value === null || value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.filter((entry) => !(entry === undefined || (typeof entry === "string" && entry.trim() === "")));
};

/** The first of entries that are alike. */
function withoutDoubles(key: (entry: string) => string) {
  return (list: string[]) => {
    const seen = new Set<string>();
    return list.filter((entry) => !seen.has(key(entry)) && seen.add(key(entry)));
  };
}

const tooMany = (things: string) => `At most ${LIST_LENGTH} ${things}`;

/** Names of colors; the same one is kept once (back office 5). */
export const productColors = z.preprocess(
  asList,
  z
    .array(requiredText("Required", COLOR_LENGTH))
    .transform(withoutDoubles((color) => color.toLowerCase()))
    .refine((list) => list.length <= LIST_LENGTH, tooMany("colors")),
);

/** `minio:{key}` or an https address; the address under which we show a stored object is read as that object. */
const imageUrl = requiredText("Required", ADDRESS_LENGTH).transform((text, context) => {
  const entry = storedEntry(text) ?? (isWebAddress(text) ? text : null);
  if (entry !== null) return entry;
  context.addIssue({ code: "custom", message: "Must be an address that begins with https://" });
  return z.NEVER;
});

function isWebAddress(text: string): boolean {
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Images in the order they are shown; the same one is kept once. */
export const productImages = z.preprocess(
  asList,
  z
    .array(imageUrl)
    .transform(withoutDoubles((url) => url))
    .refine((list) => list.length <= LIST_LENGTH, tooMany("images")),
);

const fields = {
  name: productName,
  description: productDescription,
  price: productPrice,
  stock: productStock,
  category: productCategory,
  colors: productColors,
  imageUrls: productImages,
} satisfies Record<ProductField, z.ZodType>;

/** Names of routes beside api/product/{id}, by which no product could be reached; tests/structure/routes.test.ts. */
export const RESERVED_IDS = ["all", "bulk-upload", "categories", "category", "id", "random"];

/** An id of the client's making, by which a product that is sent twice is stored once (budgets: Never loses). */
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

/** POST product: name, price and category are needed. */
export const NewProductInput = z.object({
  id: newProductId,
  ...fields,
  stock: z.preprocess(
    (value) => (value === "" || value === null ? undefined : value),
    productStock.default(0),
  ),
});
export type NewProduct = z.output<typeof NewProductInput>;

/** PUT product/{id}: what is missing stays as it was (contract: Routes). */
export const ProductChangesInput = z.object({
  id,
  ...Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, kept(rule)])),
}) as unknown as z.ZodType<ProductChanges>;

export type ProductChanges = { id: string } & { [Field in keyof NewProduct]?: NewProduct[Field] };

/** A field that may be missing, which is not the same as blank. */
function kept(rule: z.ZodType) {
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

/** Naming a product. */
export const ProductPathInput = z.object({ id });
