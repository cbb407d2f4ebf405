import type { ZodType } from "zod";
import { CATEGORIES, type Category, categoryName, parseCategory } from "~/features/catalogue/categories";
import { storedDescription } from "~/features/catalogue/operations/writes.server";
import type { ProductField } from "~/features/catalogue/product-fields";
import {
  MAX_STOCK,
  nameKey,
  productColors,
  productDescription,
  productImages,
  productName,
} from "~/features/catalogue/product-schema";
import { AppError } from "~/http/errors";
import type { Draft } from "./draft";
import { type NumberStyle, numberStyle, type ParsedNumber, parsePrice, parseStock, quoted } from "./money";
import { MAX_TAGS, textOf } from "./sheet";

/** Descriptions that are remembered while a file is read. */
const KNOWN = 50;

/** What a row says of a product; null where it says nothing and what is stored stays. */
export interface RowValues extends Record<ProductField, unknown> {
  name: string;
  key: string;
  description: string | null;
  searchText: string | null;
  /** Cents. */
  price: number | null;
  stock: number | null;
  category: Category | null;
  colors: string[] | null;
  imageUrls: string[] | null;
}

/** A row whose values were read, or why they can't be. */
export type ReadRow = { draft: Draft } & ({ values: RowValues } | { error: string });

/**
 * Reads what drafts say, by the rules of a product's fields and, for numbers, as people write them.
 *
 * @returns in the drafts' order, one by one: nothing is held that isn't asked for
 */
export function* readDrafts(drafts: Draft[]): Generator<ReadRow> {
  const price = numberStyle(drafts.flatMap((draft) => draft.price ?? []));
  const counted = numberStyle(drafts.flatMap((draft) => draft.stock ?? []));
  // Whole numbers tell little: who writes 12,50 writes 1.200 for a thousand and more.
  const stock = { comma: counted.comma || price.comma, point: counted.point || price.point };
  const clean = descriptions();
  for (const draft of drafts) yield { draft, ...valuesOf(draft, { price, stock }, clean) };
}

type Clean = (text: string) => { description: string; searchText: string };

/**
 * Cleans descriptions; the same one again costs nothing.
 *
 * @throws (what is returned) AppError tooLarge (413) when all together have too many tags, invalid (400) when one gets too long
 */
function descriptions(): Clean {
  const known = new Map<string, ReturnType<Clean>>();
  let tags = 0;
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    tags += text.split("<").length - 1;
    if (tags > MAX_TAGS) throw new AppError("tooLarge", "The descriptions have too many tags");
    const clean = storedDescription(text);
    if (known.size === KNOWN) known.clear();
    known.set(text, clean);
    return clean;
  };
}

function valuesOf(draft: Draft, styles: Record<"price" | "stock", NumberStyle>, clean: Clean) {
  if (draft.problem) return { error: draft.problem };
  const problems: string[] = [];
  const take = <T>(read: ParsedNumber<T> | null): T | null => {
    if (!read) return null;
    if ("value" in read) return read.value;
    problems.push(`${read.problem}. ${read.hint}`);
    return null;
  };
  const given = <C>(cell: C | undefined, read: (cell: C) => ParsedNumber<number>) =>
    cell === undefined || textOf(cell as string) === "" ? null : read(cell);
  const name = take(nameOf(draft.name));
  const html = draft.description ? take(checked("Description", productDescription, draft.description)) : null;
  const values = {
    name: name ?? "",
    key: nameKey(name ?? ""),
    price: take(given(draft.price, (cell) => parsePrice(cell, styles.price))),
    stock: take(given(draft.stock, (cell) => parseStock(cell, styles.stock, MAX_STOCK))),
    category: draft.category ? take(categoryOf(draft.category)) : null,
    colors: draft.colors.length > 0 ? take(checked("Colors", productColors, draft.colors)) : null,
    imageUrls:
      draft.imageUrls.length > 0 ? take(checked("Images", productImages, secure(draft.imageUrls))) : null,
  };
  const cleaned = html === null || problems.length > 0 ? BLANK : take(cleanedBy(clean, html));
  return problems.length > 0
    ? { error: problems.join("; ") }
    : { values: { ...values, ...(cleaned ?? BLANK) } };
}

const BLANK = { description: null, searchText: null };

function cleanedBy(clean: Clean, html: string): ParsedNumber<ReturnType<Clean>> {
  try {
    return { value: clean(html) };
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid")
      return { problem: "Description", hint: error.details?.[0]?.message ?? error.message };
    throw error;
  }
}

function nameOf(text: string): ParsedNumber<string> {
  if (text === "") return { problem: "Name is empty", hint: "Every row needs a name" };
  const read = productName.safeParse(text);
  if (read.success) return { value: read.data };
  return {
    problem: `Name ${quoted(text)}: ${read.error.issues[0]?.message ?? ""}`,
    hint: "Shorten or retype it",
  };
}

function categoryOf(text: string): ParsedNumber<Category> {
  const known = parseCategory(text);
  if (known) return { value: known };
  const names = CATEGORIES.map(categoryName).join(", ");
  return { problem: `Category ${quoted(text)} is not one of the nine`, hint: `They are ${names}` };
}

function checked<T>(label: string, rule: ZodType<T>, value: unknown): ParsedNumber<T> {
  const read = rule.safeParse(value);
  if (read.success) return { value: read.data };
  const issue = read.error.issues[0];
  const entry = Array.isArray(value) && issue?.path[0] !== undefined ? value[Number(issue.path[0])] : null;
  return { problem: entry === null ? label : `${label}: ${quoted(entry)}`, hint: issue?.message ?? "" };
}

/** Pictures are shown by https alone; nearly every address of http has such a twin. */
function secure(urls: string[]): string[] {
  return urls.map((url) => url.replace(/^http:\/\//i, "https://"));
}
