import type { ZodType } from "zod";
import { identityKey } from "~/db/text";
import { CATEGORIES, type Category, parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { dollars } from "~/domain/money";
import { MAX_STOCK } from "~/domain/stock-levels";
import { type StoredDescription, storedDescription } from "~/features/catalogue/operations/writes.server";
import { PRODUCT_SHEET, type ProductField } from "~/features/catalogue/product";
import { AppError } from "~/http/errors";
import type { RecordField } from "~/records/fields";
import type { RowOf } from "~/records/record";
import type { Draft, LayoutField, SourceKey } from "./draft";
import {
  type NumberStyle,
  numberStyle,
  type Parsed,
  type Problem,
  parsePrice,
  parseStock,
  quoted,
} from "./money";
import type { VariantPrice } from "./price-column";
import { MAX_TAGS, textOf } from "./sheet";

const CACHE_SIZE = 50;
/** Prices of variants that a message names. */
const MAX_NAMED_PRICES = 4;

type Content = RowOf<typeof PRODUCT_SHEET.fields>;

/** Values of a row by column; null for a blank, which keeps the stored value. */
export type RowValues = { [Column in keyof Content]: Content[Column] | null } & {
  name: string;
  key: string;
  /** Guess for a new product where the file names no category; null otherwise. */
  newCategory: Category | null;
  searchText: string | null;
  searchDescription: string | null;
};

/** A parsed draft, with the prices in cents of its variants where they differ. */
export type ReadRow = { draft: Draft; variantPrices?: number[] } & ({ values: RowValues } | RowError);

interface RowError {
  error: string;
  /** Choices in the dry run solve it: staff may still keep the row. */
  isOpen?: boolean;
}

/** Parses drafts by the rules of the product's fields, one by one. */
export function* readDrafts(drafts: Draft[], variantPrice: VariantPrice | null = null): Generator<ReadRow> {
  const price = priceStyle(drafts);
  const stockStyle = numberStyle(drafts.flatMap((draft) => draft.stock ?? []));
  // Whole numbers rarely show their style: a file with 12,50 writes 1.200 for a thousand and more.
  const stock: NumberStyle = {
    comma: stockStyle.comma || price.comma,
    point: stockStyle.point || price.point,
  };
  const sanitise = cachedSanitiser();
  for (const draft of drafts) {
    const { notes = [], ...read } = parseDraft(draft, { price, stock, variantPrice }, sanitise);
    yield { draft: notes.length > 0 ? { ...draft, notes: [...draft.notes, ...notes] } : draft, ...read };
  }
}

/** Finds the decimal mark of the prices: the one that they show, else the one that the layout writes. */
function priceStyle(drafts: Draft[]): NumberStyle {
  const style = numberStyle(
    drafts.flatMap(({ price = "", variantPrices = [] }) => [price, ...variantPrices]),
  );
  const hasPoints = !style.comma && drafts.some(({ hasDecimalPoints }) => hasDecimalPoints);
  return { ...style, point: style.point || hasPoints };
}

type Sanitise = (text: string) => StoredDescription;

/**
 * Creates a sanitiser that caches descriptions. It throws AppError tooLarge (413) for too many tags in all, invalid (400)
 * for a description that gets too long.
 */
function cachedSanitiser(): Sanitise {
  const cache = new Map<string, ReturnType<Sanitise>>();
  let tags = 0;
  return (text) => {
    const cached = cache.get(text);
    if (cached) return cached;
    tags += text.split("<").length - 1;
    if (tags > MAX_TAGS) throw new AppError("tooLarge", "The descriptions have too many tags");
    const description = storedDescription(text);
    if (cache.size === CACHE_SIZE) cache.clear();
    cache.set(text, description);
    return description;
  };
}

type ParsedDraft = Omit<ReadRow, "draft"> & { notes?: string[] } & ({ values: RowValues } | RowError);

function parseDraft(draft: Draft, styles: NumberStyles, sanitise: Sanitise): ParsedDraft {
  if (draft.problem) return { error: draft.problem };
  const problems: Problem[] = [];
  const notes: string[] = [];
  const take = <T>(read: Parsed<T> | null): T | null => {
    if (!read) return null;
    if ("problem" in read) problems.push(read);
    else if (read.note) notes.push(read.note);
    return "value" in read ? read.value : null;
  };
  const optional = <C>(cell: C | undefined, read: (cell: C) => Parsed<number>) =>
    cell === undefined || textOf(cell as string) === "" ? null : read(cell);
  const { prices, price } = parseDraftPrice(draft, styles);
  const variantPrices = prices.length > 1 ? { variantPrices: prices } : {};
  const name = take(parseName(draft.name));
  const { rules } = PRODUCT_SHEET;
  const html = draft.description ? take(validate("Description", rules.description, draft.description)) : null;
  const others = PRODUCT_SHEET.columns.map(({ column, name, field }) => {
    const text = draft.cells[name as ProductField];
    return [column, text ? take(parseCell(field, text)) : null];
  });
  const values = {
    ...(Object.fromEntries(others) as Omit<RowValues, LayoutField>),
    name: name ?? "",
    key: identityKey(name ?? ""),
    priceCents: take(price),
    stock: take(optional(draft.stock, (cell) => parseStock(cell, styles.stock, MAX_STOCK))),
    category: draft.category ? take(parseCategoryCell(draft.category)) : null,
    newCategory: null,
    colors: draft.colors.length > 0 ? take(validate("Colors", rules.colors, draft.colors)) : null,
    imageUrls:
      draft.imageUrls.length > 0
        ? take(validate("Images", rules.imageUrls, withHttps(draft.imageUrls)))
        : null,
  };
  const sanitised = html === null || problems.length > 0 ? BLANK : take(parseDescription(sanitise, html));
  if (problems.length > 0) return { ...variantPrices, ...rowError(problems) };
  const guess = draft.isGuessed && { category: null, newCategory: values.category };
  return { ...variantPrices, notes, values: { ...values, ...guess, ...(sanitised ?? BLANK) } };
}

function rowError(problems: Problem[]): RowError {
  const error = problems.map(({ problem, hint }) => `${problem}. ${hint}`).join("; ");
  return { error, isOpen: problems.every(({ isOpen }) => isOpen) };
}

interface NumberStyles {
  price: NumberStyle;
  stock: NumberStyle;
  variantPrice: VariantPrice | null;
}

interface DraftPrice {
  /** Different prices of its variants, in cents; empty where one can't be read. */
  prices: number[];
  /** The price, or that of its variants which staff chose. */
  price: Parsed<number> | null;
}

function parseDraftPrice(draft: Draft, { price: style, variantPrice }: NumberStyles): DraftPrice {
  const { price, variantPrices = [], takesFirstPrice = false, currency } = draft;
  const cells = new Set(variantPrices.length > 0 ? variantPrices : [price ?? ""]);
  const read = [...cells]
    .filter((cell) => textOf(cell) !== "")
    .map((cell) => parsePrice(cell, style, currency));
  const failed = read.find((each) => "problem" in each);
  if (failed) return { prices: [], price: failed };
  const prices = [...new Set(read.flatMap((each) => ("value" in each ? each.value : [])))];
  const [first] = read;
  if (!first || prices.length === 1) return { prices, price: first ?? null };
  const chosen = choosePrice(prices, variantPrice ?? (takesFirstPrice ? "first" : null));
  if ("problem" in chosen) return { prices, price: chosen };
  const notes = read.flatMap((each) => ("value" in each && each.note) || []);
  if (!variantPrice) notes.push(`${costs(prices)}. It gets the first`);
  return { prices, price: { ...chosen, ...(notes.length > 0 && { note: notes.join("; ") }) } };
}

/** Chooses among the prices, in cents, of a product's variants. */
function choosePrice(cents: number[], choice: VariantPrice | null): Parsed<number> {
  if (choice === "lowest") return { value: Math.min(...cents) };
  if (choice === "highest") return { value: Math.max(...cents) };
  if (choice === "first") return { value: cents[0] ?? 0 };
  return { problem: costs(cents), hint: "Choose the lowest, the highest or the first price", isOpen: true };
}

function costs(cents: number[]): string {
  const some = cents.slice(0, MAX_NAMED_PRICES).map(dollars).join(", ");
  return `Its variants cost ${some}${cents.length > MAX_NAMED_PRICES ? ", …" : ""}`;
}

const BLANK = { description: null, searchText: null, searchDescription: null };

function parseDescription(sanitise: Sanitise, html: string): Parsed<ReturnType<Sanitise>> {
  try {
    return { value: sanitise(html) };
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid")
      return { problem: "Description", hint: error.details?.[0]?.message ?? error.message };
    throw error;
  }
}

function parseName(text: string): Parsed<string> {
  if (text === "") return { problem: "Name is empty", hint: "Every row needs a name" };
  const read = PRODUCT_SHEET.rules.name.safeParse(text);
  if (read.success) return { value: read.data };
  return {
    problem: `Name ${quoted(text)}: ${read.error.issues[0]?.message ?? ""}`,
    hint: "Shorten or retype it",
  };
}

function parseCategoryCell(text: string): Parsed<Category> {
  const known = parseCategory(text);
  if (known) return { value: known };
  const names = CATEGORIES.map(categoryName).join(", ");
  return {
    problem: `Category ${quoted(text)} is not one of the nine`,
    hint: `They are ${names}`,
    isOpen: true,
  };
}

const YES = /^(?:yes|y|true|1|x|on|ja|oui)$/i;
const NO = /^(?:no|n|false|0|off|nein|non)$/i;

function parseYesNo(label: string, text: string): Parsed<boolean> {
  if (YES.test(text) || NO.test(text)) return { value: YES.test(text) };
  return { problem: `${label} ${quoted(text)} is neither yes nor no`, hint: "Write yes or no" };
}

/** Parses a cell by the rule of its field. */
function parseCell({ label, control, rule }: RecordField, text: string): Parsed<unknown> {
  if (control.kind === "flag") return parseYesNo(label, text);
  return validate(`${label} ${quoted(text)}`, rule, text);
}

function validate<T>(label: string, rule: ZodType<T>, value: unknown): Parsed<T> {
  const read = rule.safeParse(value);
  if (read.success) return { value: read.data };
  const issue = read.error.issues[0];
  const entry = Array.isArray(value) && issue?.path[0] !== undefined ? value[Number(issue.path[0])] : null;
  return { problem: entry === null ? label : `${label}: ${quoted(entry)}`, hint: issue?.message ?? "" };
}

/** Replaces http by https, the only scheme that pages load images by. */
function withHttps(urls: string[]): string[] {
  return urls.map((url) => url.replace(/^http:\/\//i, "https://"));
}

const MISSING_PRICE = "Price is empty. A new product needs one, such as 161.50";
const NO_PRICE_COLUMN = "Price is empty, and no column is mapped to it. Name a column “price”, or map one";

/** One product of a file: the values of all its rows, later ones over earlier ones. */
export interface Entry {
  values: RowValues;
  /** Its rows in the file's order with their values, in which the stock of variants is added up. */
  rows: { draft: Draft; values: RowValues }[];
  /** Index among stored products of the same name, the oldest being 0; 0 where a key identifies the product. */
  nth: number;
  /** The file's own key; undefined where the name identifies the product. */
  key: SourceKey | undefined;
  /** Id of the stored product that the key identifies, or that gets the key; null for a new product. */
  target: string | null;
  /** The stored product has the key already. */
  hasKey: boolean;
  /** JSON of the rows as the file has them, once there are several. */
  seen?: Set<string>;
}

/** A file's products, and the rows that were rejected or skipped. */
export interface MergedRows {
  entries: Entry[];
  rejected: ({ draft: Draft } & RowError)[];
  skipped: Draft[];
  /** Products whose rows or variants have prices of their own. */
  priced: SeveralPrices[];
  missingPrice: string;
}

/** A product whose variants have prices of their own. */
interface SeveralPrices {
  name: string;
  /** In the file's order, in cents. */
  prices: number[];
}

/**
 * Merges rows of the same key into one product, or of the same name where they have none. Where the shop stores several
 * products of that name, the rows stand for them in order, so that a catalogue with a duplicate name survives its own
 * export.
 *
 * @param storedCount number of stored products of a name
 * @param hasPrices a column is read as the price
 * @param variantPrice choice for products whose rows have several prices; null rejects them
 */
export function mergeRows(
  rows: Iterable<ReadRow>,
  storedCount: (key: string) => number,
  hasPrices: boolean,
  variantPrice: VariantPrice | null = null,
): MergedRows {
  const missingPrice = hasPrices ? MISSING_PRICE : NO_PRICE_COLUMN;
  const merged: MergedRows = { entries: [], rejected: [], skipped: [], priced: [], missingPrice };
  const byIdentity = new Map<string, Entry[]>();
  for (const row of rows) {
    if (row.draft.skip) {
      merged.skipped.push(row.draft);
      continue;
    }
    if (row.variantPrices) merged.priced.push({ name: row.draft.name, prices: row.variantPrices });
    if ("error" in row) merged.rejected.push(row);
    else addRow(merged.entries, byIdentity, row, storedCount);
  }
  return withOnePrice(merged, variantPrice);
}

/** Gives each product whose rows have several prices the chosen one; without a choice its rows are rejected. */
function withOnePrice(merged: MergedRows, variantPrice: VariantPrice | null): MergedRows {
  const entries = merged.entries.filter((entry) => {
    const cents = [...new Set(entry.rows.flatMap(({ values }) => values.priceCents ?? []))];
    if (cents.length < 2) return true;
    merged.priced.push({ name: entry.values.name, prices: cents });
    const chosen = choosePrice(cents, variantPrice);
    if ("problem" in chosen) {
      const error = `${chosen.problem}. ${chosen.hint}`;
      merged.rejected.push(...entry.rows.map(({ draft }) => ({ draft, error, isOpen: true })));
      return false;
    }
    for (const row of [entry, ...entry.rows])
      if (row.values.priceCents !== null) row.values = { ...row.values, priceCents: chosen.value };
    return true;
  });
  return { ...merged, entries };
}

function addRow(
  entries: Entry[],
  byIdentity: Map<string, Entry[]>,
  row: Entry["rows"][number],
  storedCount: (key: string) => number,
): void {
  const { key } = row.draft;
  const identity = key ? JSON.stringify([key.system, key.value]) : row.values.key;
  const same = byIdentity.get(identity) ?? [];
  byIdentity.set(identity, same);
  const last = same.at(-1);
  if (last && (key || same.length >= storedCount(row.values.key))) {
    const added = key ? row : withAddedStock(last, row);
    last.values = mergeInto(last.values, added.values, key !== undefined);
    last.rows.push(added);
    return;
  }
  const entry: Entry = {
    values: row.values,
    rows: [row],
    nth: same.length,
    key,
    target: null,
    hasKey: false,
  };
  same.push(entry);
  entries.push(entry);
}

/** Adds the stock of earlier rows to that of a row that differs from all of them: such rows are variants. */
function withAddedStock(entry: Entry, row: Entry["rows"][number]): Entry["rows"][number] {
  entry.seen ??= new Set(entry.rows.map(({ values }) => JSON.stringify(values)));
  const own = JSON.stringify(row.values);
  const [before, { stock }] = [entry.values.stock, row.values];
  if (stock === null || before === null || entry.seen.has(own)) return row;
  entry.seen.add(own);
  const notes = [...row.draft.notes, `Stock added up: ${before} + ${stock}`];
  const values = { ...row.values, stock: Math.min(MAX_STOCK, before + stock) };
  return { draft: { ...row.draft, notes }, values };
}

/**
 * Applies a row's values to earlier ones; a blank keeps the earlier value.
 *
 * @param renames applies the name too, which a key allows
 */
export function mergeInto(before: RowValues, row: RowValues, renames = false): RowValues {
  const filled = Object.entries(row).filter(
    ([field, value]) => value !== null && (renames || (field !== "name" && field !== "key")),
  );
  return { ...before, ...Object.fromEntries(filled) };
}
