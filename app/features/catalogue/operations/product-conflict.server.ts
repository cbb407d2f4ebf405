import { categoryName } from "~/domain/category-name";
import { decimalDollars } from "~/domain/money";
import { AppError, type ErrorDetail } from "~/http/errors";
import { type ProductChanges, productPlates } from "../product-schema";
import type { NewProductRow } from "../queries.server";
import { richText } from "../rich-text.server";

type Stored = Pick<
  NewProductRow,
  | "name"
  | "description"
  | "priceCents"
  | "category"
  | "hasEngraving"
  | "colors"
  | "imageUrls"
  | "optionLabel"
  | "plates"
>;

/** Fields that two people may edit at once, as a form holds them, and how a stored value is named; the stock has a rule of its own. */
const FIELDS = {
  name: { of: ({ name }: Stored) => name, named: ({ name }: Stored) => `the name is “${name}”` },
  price: {
    of: ({ priceCents }: Stored) => decimalDollars(priceCents),
    named: ({ priceCents }: Stored) => `the price is ${decimalDollars(priceCents)}`,
  },
  category: {
    of: ({ category }: Stored) => category,
    named: ({ category }: Stored) => `the category is ${categoryName(category)}`,
  },
  hasEngraving: {
    of: ({ hasEngraving }: Stored) => Boolean(hasEngraving),
    named: ({ hasEngraving }: Stored) => `engraving is ${hasEngraving ? "offered" : "not offered"}`,
  },
  colors: {
    of: ({ colors }: Stored) => colors,
    named: ({ colors }: Stored) => `the colors are ${colors.join(", ") || "none"}`,
  },
  description: {
    of: ({ description }: Stored) => description,
    named: () => "the description is another one",
  },
  imageUrls: { of: ({ imageUrls }: Stored) => imageUrls, named: () => "the images are other ones" },
  optionLabel: {
    of: ({ optionLabel }: Stored) => optionLabel,
    named: ({ optionLabel }: Stored) => `the choice is called “${optionLabel || "Colour"}”`,
  },
  plates: { of: ({ plates }: Stored) => plates, named: () => "the engraving plates are other ones" },
} as const;
type Field = keyof typeof FIELDS;

/** Values of a form and of the API's input in one shape. */
function comparable(field: Field, value: unknown): string {
  if (field === "hasEngraving") return String(value === true || value === "on" || value === "true");
  if (field === "price" && typeof value === "number") return JSON.stringify(decimalDollars(value));
  if (field === "description") return richText(String(value ?? ""));
  if (field === "plates") return comparablePlates(value);
  return JSON.stringify(value ?? null);
}

/** Plates in one order, of images and of their values. */
function comparablePlates(value: unknown): string {
  const plates = Object.entries(productPlates.safeParse(value).data ?? {});
  return JSON.stringify(plates.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Value that the caller saw: a price in dollars, as the API answers it or a form holds it. */
function comparableSeen(field: Field, value: unknown): string {
  const isPrice = field === "price" && (typeof value === "number" || typeof value === "string");
  return isPrice ? JSON.stringify(Number(value).toFixed(2)) : comparable(field, value);
}

/** Picks the stored values of the fields that an edit changes and its caller has seen, which the write compares again. */
export function seenColumns(stored: Stored, { was = {}, ...changes }: ProductChanges): Partial<Stored> {
  const edited = (Object.keys(FIELDS) as Field[]).filter(
    (field) => field in was && changes[field] !== undefined,
  );
  const columns = edited.map((field) => (field === "price" ? "priceCents" : field));
  return Object.fromEntries(columns.map((column) => [column, stored[column]]));
}

/**
 * Rejects an edit of fields that somebody else has changed since the caller saw them; the same value conflicts with none.
 *
 * @throws AppError conflict (409) that names the stored values, with those in the detail `was` for an edit that overwrites them
 */
export function rejectStaleProduct(stored: Stored, { was, ...changes }: ProductChanges): void {
  if (!was) return;
  const isStale = (field: Field) => {
    const now = comparable(field, FIELDS[field].of(stored));
    const isEdited = field in changes && changes[field] !== undefined;
    return (
      isEdited &&
      field in was &&
      comparableSeen(field, was[field]) !== now &&
      comparable(field, changes[field]) !== now
    );
  };
  const stale = (Object.keys(FIELDS) as Field[]).filter(isStale);
  if (stale.length === 0) return;
  const details = stale.map(
    (field): ErrorDetail => ({ path: field, message: `Now ${FIELDS[field].named(stored)}` }),
  );
  const values = Object.fromEntries(stale.map((field) => [field, FIELDS[field].of(stored)]));
  const sentence = stale.map((field) => FIELDS[field].named(stored)).join(", ");
  throw new AppError(
    "conflict",
    `Somebody else has just saved this product: ${sentence}. Save again to overwrite it, or close to keep it.`,
    { details: [...details, { path: "was", message: JSON.stringify(values) }], isPublic: true },
  );
}
