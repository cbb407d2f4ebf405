import { z } from "zod";
import { id, listWindow } from "~/http/fields";
import { parseCategory } from "./categories";

/** Sorts of the shop (docs/product.md, 5.1). */
export const SORTS = ["default", "price-asc", "price-desc", "name-asc", "name-desc"] as const;
export type Sort = (typeof SORTS)[number];

export const PAGE_SIZE = 24;

const category = z.string().transform((text, context) => {
  const known = parseCategory(text);
  if (known) return known;
  context.addIssue({ code: "custom", message: "There is no such category" });
  return z.NEVER;
});

/** Characters of a search that are used; the rest is ignored. */
const MAX_SEARCH_LENGTH = 200;
const search = z.string().transform((text) => text.toWellFormed().slice(0, MAX_SEARCH_LENGTH).trim());

/** GET product/all; invalid filters are errors. */
export const ProductListInput = z.object({
  ...listWindow,
  category: z.preprocess((value) => (value === "" ? undefined : value), category.optional()),
  search: search.optional(),
  sort: z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.enum(SORTS, { error: `Must be one of ${SORTS.join(", ")}` }).default("default"),
  ),
  raw: z.string().optional(),
});

export const CategoryInput = z.object({ ...listWindow, category });

export const ProductIdInput = z.object({ id, raw: z.string().optional() });

/** URL parameters of /shop; invalid ones are ignored. */
export const ShopInput = z.object({
  search: search.catch("").default(""),
  category: category.nullable().catch(null).default(null),
  sort: z.enum(SORTS).catch("default").default("default"),
  page: z.coerce.number().int().min(1).max(100_000).catch(1).default(1),
});
export type ShopQuery = z.infer<typeof ShopInput>;
