import { z } from "zod";
import type { Category } from "~/domain/categories";
import { categoryFrom } from "~/domain/category-rule";
import { parseAmount } from "~/domain/typed-amount";
import { choiceText } from "~/domain/unit-name";
import { dollarsToCents, id, listWindow, optional } from "~/http/fields";
import { MAX_ENGRAVING } from "./engraving";

/** Sorts of the shop (docs/product.md, 5.1). */
export const SORTS = ["default", "price-asc", "price-desc", "name-asc", "name-desc"] as const;
export type Sort = (typeof SORTS)[number];

export const PAGE_SIZE = 24;

const category = categoryFrom();

/** Characters of a search that are used; the rest is ignored. */
const MAX_SEARCH_LENGTH = 200;
const search = z.string().transform((text) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .slice(0, MAX_SEARCH_LENGTH)
    .trim(),
);

/** Filter and order of a product list. An empty search matches all; prices are cents, both ends included. */
export interface ShopFilter {
  search: string;
  category: Category | null;
  min: number | null;
  max: number | null;
  inStock: boolean;
  sort: Sort;
}

/** Filter of a list without a search. */
export type ListFilter = Omit<ShopFilter, "search">;

export const NO_FILTER: ShopFilter = {
  search: "",
  category: null,
  min: null,
  max: null,
  inStock: false,
  sort: "default",
};

/** Numbers of products beside the filters; each respects the other filters. */
export interface Facets {
  /** Products that match. */
  total: number;
  /** Products in stock within the price range. */
  inStock: number;
  /** Products within the price range. */
  anyStock: number;
  /** Products of each of PRICE_RANGES. */
  prices: number[];
  /** Matches of a search without filters. */
  unfiltered?: number;
  /** Products by category within the other filters, unless no filter but the category is on. */
  categories?: { category: Category; products: number }[];
}

const price = optional(dollarsToCents);

/** `1` keeps `minio:` entries as they are stored. */
const raw = optional(z.enum(["0", "1"], { error: "Must be 0 or 1" }));

/** GET product/all; invalid filters are errors. */
export const ProductListInput = z
  .object({
    ...listWindow,
    category: optional(category),
    search: search.optional(),
    sort: optional(z.enum(SORTS, { error: `Must be one of ${SORTS.join(", ")}` })).transform(
      (sort) => sort ?? "default",
    ),
    min: price,
    max: price,
    stock: optional(z.literal("in", { error: "Must be in" })),
    raw,
    /** `1` finds hidden products too, for staff. */
    hidden: optional(z.enum(["0", "1"], { error: "Must be 0 or 1" })),
  })
  .refine(({ min = 0, max = min }) => min <= max, { path: ["max"], error: "Must not be below min" });

export const CategoryInput = z.object({ ...listWindow, category });

export const ProductIdInput = z.object({ id, raw });

/** A price as people type it: `$12`, `12.50`, `1,200`. */
const typedPrice = z
  .unknown()
  .transform((text) => parseAmount(String(text ?? ""))?.cents ?? null)
  .catch(null);

/** URL parameters of /shop; invalid ones are ignored, and an inverted price range is turned round. */
export const ShopInput = z
  .object({
    search: search.catch("").default(""),
    category: category.nullable().catch(null).default(null),
    min: typedPrice,
    max: typedPrice,
    stock: z.string().optional().catch(undefined),
    sort: z.enum(SORTS).catch("default").default("default"),
    page: z.coerce.number().int().min(1).max(100_000).catch(1).default(1),
  })
  .transform(({ stock, min, max, ...rest }) => {
    const isInverted = min !== null && max !== null && min > max;
    return { ...rest, min: isInverted ? max : min, max: isInverted ? min : max, inStock: stock === "in" };
  });
export type ShopQuery = z.infer<typeof ShopInput>;

/** GET product/suggest. */
export const SuggestInput = z.object({
  q: z
    .string({ error: "Required" })
    .transform((text) =>
      text
        .toWellFormed()
        .replace(/\p{Cc}+/gu, " ")
        .trim(),
    )
    .pipe(z.string().min(2, "Must have 2 to 60 characters").max(60, "Must have 2 to 60 characters")),
});

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

const choiceInput = z.string().trim().max(200).optional().catch(undefined);

/** Fields of a form without a script, which names the chosen value of each option (`choiceField`). */
export const choiceInputs = { choice1: choiceInput, choice2: choiceInput, choice3: choiceInput };

/** Joins the values that a form names to the choice that they make, in place of the one that a script wrote. */
export function joinChoice<Input extends Partial<Record<keyof typeof choiceInputs, string | undefined>>>({
  choice1,
  choice2,
  choice3,
  ...input
}: Input) {
  const values = [choice1, choice2, choice3].filter((value) => value !== undefined && value !== "");
  return values.length > 0 ? { ...input, color: choiceText(values as string[]).slice(0, 200) } : input;
}
