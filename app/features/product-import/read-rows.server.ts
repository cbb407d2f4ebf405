import type { ZodType } from "zod";
import { identityKey } from "~/db/text";
import { CATEGORIES, type Category, parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { dollars } from "~/domain/money";
import { MAX_STOCK } from "~/domain/stock-levels";
import { type StoredDescription, storedDescription } from "~/features/catalogue/operations/writes.server";
import { PRODUCT_SHEET, type ProductField } from "~/features/catalogue/product";
import { UNIT } from "~/features/catalogue/units";
import { AppError } from "~/http/errors";
import type { RecordField } from "~/records/fields";
import type { RowOf } from "~/records/record";
import type { Draft, LayoutField } from "./draft";
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
import { type ReadUnits, readUnits } from "./read-units";
import { MAX_TAGS, MAX_TEXT_BYTES, TEXTS_TOO_LONG, textOf } from "./sheet";

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
  /** Options with their units; null for a product that is counted as a whole. */
  units: ReadUnits | null;
  /** Codes of the only unit. */
  sku: string | null;
  barcode: string | null;
};

/** A parsed draft, with the prices in cents of its variants where they differ. */
export type ReadRow = { draft: Draft; variantPrices?: number[] } & ({ values: RowValues } | RowError);

export interface RowError {
  error: string;
  /** Choices in the dry run solve it: staff may still keep the row. */
  isOpen?: boolean;
}

/** Parses drafts by the rules of the product's fields, one by one. */
export function* readDrafts(
  drafts: Draft[],
  { variantPrice = null, untracked = null }: Partial<DraftChoices> = {},
): Generator<ReadRow> {
  const price = priceStyle(drafts);
  const stockStyle = numberStyle(new Set(drafts.flatMap(stockCells)));
  // Whole numbers rarely show their style: a file with 12,50 writes 1.200 for a thousand and more.
  const stock: NumberStyle = {
    comma: stockStyle.comma || price.comma,
    point: stockStyle.point || price.point,
  };
  const sanitise = cachedSanitiser();
  for (const draft of drafts) {
    const { notes = [], ...read } = parseDraft(draft, { price, stock, variantPrice, untracked }, sanitise);
    // What was read of its variants is in the values: hundreds of thousands of cells are held once.
    const { variants: _, listed: __, ...rest } = draft;
    yield { draft: { ...rest, isUncounted: isUncounted(draft), notes: [...draft.notes, ...notes] }, ...read };
  }
}

/** Choices in the dry run on which values depend. */
interface DraftChoices {
  variantPrice: VariantPrice | null;
  /** Stock of what the other system does not count; null leaves it. */
  untracked: number | null;
}

const stockCells = ({ stock, variants = [] }: Draft) =>
  [stock, ...variants.map((each) => each.stock)].filter((cell) => cell !== undefined);

/** Finds the decimal mark of the prices: the one that they show, else the one that the layout writes. */
function priceStyle(drafts: Draft[]): NumberStyle {
  const cells = drafts.flatMap(({ price = "", variantPrices = [], variants = [] }) => [
    ...[price, ...variantPrices],
    ...variants.flatMap((each) => [each.price ?? "", each.surcharge ?? ""]),
  ]);
  const style = numberStyle(new Set(cells));
  const hasPoints = !style.comma && drafts.some(({ hasDecimalPoints }) => hasDecimalPoints);
  return { ...style, point: style.point || hasPoints };
}

type Sanitise = (text: string) => StoredDescription;

/**
 * Creates a sanitiser that caches descriptions. It throws AppError tooLarge (413) for too many tags or bytes in all, invalid
 * (400) for a description that gets too long.
 */
function cachedSanitiser(): Sanitise {
  const cache = new Map<string, ReturnType<Sanitise>>();
  let tags = 0;
  let bytes = 0;
  return (text) => {
    const cached = cache.get(text);
    if (cached) return cached;
    tags += text.split("<").length - 1;
    if (tags > MAX_TAGS) throw new AppError("tooLarge", "The descriptions have too many tags");
    const description = storedDescription(text);
    // Before all of them are held in memory: a search form has up to 18 times the characters of its text.
    for (const form of Object.values(description)) bytes += Buffer.byteLength(form ?? "");
    if (bytes > MAX_TEXT_BYTES) throw new AppError("tooLarge", TEXTS_TOO_LONG);
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
  const { prices, price } = parseDraftPrice(draft, styles);
  const variantPrices = prices.length > 1 ? { variantPrices: prices } : {};
  const name = take(parseName(draft));
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
    ...(draft.variants ? takeUnits(draft, styles, take) : takeWhole(draft, styles, take)),
    category: draft.category ? take(parseCategoryCell(draft.category)) : null,
    newCategory: null,
    imageUrls:
      draft.imageUrls.length > 0
        ? take(validate("Images", rules.imageUrls, withHttps(draft.imageUrls)))
        : null,
    ...takeCodes(draft, take),
  };
  if (isUncounted(draft)) notes.push(untrackedNote(styles.untracked));
  const sanitised = html === null || problems.length > 0 ? BLANK : take(parseDescription(sanitise, html));
  if (problems.length > 0) return { ...variantPrices, ...rowError(problems) };
  const guess = draft.isGuessed && { category: null, newCategory: values.category };
  return { ...variantPrices, notes, values: { ...values, ...guess, ...(sanitised ?? BLANK) } };
}

function rowError(problems: Problem[]): RowError {
  const error = problems.map(({ problem, hint }) => `${problem}. ${hint}`).join("; ");
  return { error, isOpen: problems.every(({ isOpen }) => isOpen) };
}

type Take = <T>(read: Parsed<T> | null) => T | null;

type Counted = Pick<RowValues, "stock" | "colors" | "units">;

/** Reads the units of a product with variants. */
function takeUnits(draft: Draft, styles: NumberStyles, take: Take): Counted & Pick<RowValues, "priceCents"> {
  const units = take(readUnits(draft, styles));
  return { units, priceCents: units?.priceCents ?? null, stock: null, colors: null };
}

/** Reads the stock and the colors of a product that is counted as a whole; null keeps the stored ones. */
function takeWhole({ stock, colors, isUncounted }: Draft, styles: NumberStyles, take: Take): Counted {
  const isBlank = stock === undefined || textOf(stock) === "";
  const untracked = isUncounted ? styles.untracked : null;
  return {
    units: null,
    stock: isBlank ? untracked : take(parseStock(stock, styles.stock, MAX_STOCK)),
    colors: colors.length > 0 ? take(validate("Colors", PRODUCT_SHEET.rules.colors, colors)) : null,
  };
}

const isUncounted = ({ variants, isUncounted }: Draft) =>
  variants ? variants.some((each) => each.isUncounted) : isUncounted;

/** Reads the codes of a product without variants; null for a blank. */
function takeCodes({ codes }: Draft, take: Take): Pick<RowValues, "sku" | "barcode"> {
  const read = (label: string, rule: ZodType<string>, text = "") =>
    text === "" ? null : take(validate(`${label} ${quoted(text)}`, rule, text));
  return {
    sku: read("SKU", UNIT.rules.sku, codes?.sku),
    barcode: read("Barcode", UNIT.rules.barcode, codes?.barcode),
  };
}

/** Note on what the other shop does not count. @param stock that it gets; null leaves it */
const untrackedNote = (stock: number | null) =>
  stock === null
    ? "Stock is not tracked in the other shop: it stays as it is, 0 on a new product"
    : `Stock is not tracked in the other shop: it gets ${stock.toLocaleString("en")}`;

interface NumberStyles extends DraftChoices {
  price: NumberStyle;
  stock: NumberStyle;
}

interface DraftPrice {
  /** Different prices of its variants, in cents; empty where one can't be read. */
  prices: number[];
  /** The price, or that of its variants which staff chose. */
  price: Parsed<number> | null;
}

function parseDraftPrice(draft: Draft, { price: style, variantPrice }: NumberStyles): DraftPrice {
  const { price, variantPrices = [], takesFirstPrice = false, currency } = draft;
  if (draft.variants) return { prices: [], price: null };
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
export function choosePrice(cents: number[], choice: VariantPrice | null): Parsed<number> {
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

function parseName({ name: text, isPart }: Draft): Parsed<string> {
  if (isPart) return { value: "" };
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
