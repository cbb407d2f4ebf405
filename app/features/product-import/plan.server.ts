import type { Db } from "~/db/client.server";
import { parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { dollars } from "~/domain/money";
import { OTHER_FORMAT, shortenedPair } from "~/domain/text-difference";
import { MAX_NAME_LENGTH, PRODUCT_SHEET } from "~/features/catalogue/product";
import { plainText } from "~/features/catalogue/rich-text.server";
import type { RequestContext } from "~/http/request-context.server";
import { categoryNotes, type Draft, SKU_SYSTEM } from "./draft";
import { categoryKey, type RecognisedLayout } from "./layouts/recognise";
import { type Entry, type MergedRows, mergeInto } from "./merge-rows.server";
import { type NumberStyle, numberStyle, parsePrice } from "./money";
import {
  type CategoryGuess,
  OWN_PRICES_STAY,
  type Plan,
  type PlanRow,
  type PriceQuestion,
  STOCK_STAYS,
} from "./plan";
import type { Prepared, SourceFile } from "./prepare.server";
import { NEW_VALUES } from "./queries/batch.server";
import { findCodes, type StoredProduct } from "./queries/products.server";
import type { RowValues } from "./read-rows.server";
import { type Sheet, type SheetRow, textOf } from "./sheet";
import { storedProducts } from "./stored.server";

const NAMES_PER_QUERY = 500;
const MAX_SAMPLE_LENGTH = 80;
const MAX_CATEGORIES = 200;
const SAMPLED_ROWS = 3;

/** Compares a file with the stored products. */
export async function makePlan(
  { db, now }: Pick<RequestContext, "db" | "now">,
  { name, bytes }: SourceFile,
  { sheet, recognised, choices, isRemembered, merged }: Prepared,
): Promise<Omit<Plan, "run">> {
  const { mapping, unread, problem, source, title, remark, isGrouped } = recognised;
  const rows = await planRows(db, merged);
  const needsPrice =
    !mapping.includes("price") && !problem && rows.some(({ reason }) => reason === merged.missingPrice);
  return {
    fileName: name,
    bytes: bytes.length,
    sheetName: sheet.name,
    ...{ source, title, isGrouped, ...(remark && { remark }) },
    fileRows: sheet.rows.length,
    headers: sheet.headers,
    samples: sheet.headers.map((_, column) =>
      textOf(sheet.rows[0]?.cells[column]).slice(0, MAX_SAMPLE_LENGTH),
    ),
    ...{ mapping, unread },
    ...guessedCategories(draftsToKeep(recognised.drafts, merged, rows), rows),
    ...(problem && { problem }),
    remembered: isRemembered,
    choices: choices && {
      // A form that names columns has answered for all of them.
      columns: Object.keys(choices.names).length > 0 ? mapping : choices.columns,
      categories: choices.categories,
      reading: choices.reading,
      variantPrice: choices.variantPrice,
      untracked: choices.untracked,
    },
    reading: sheet.reading,
    ...questionsOf(recognised.drafts, merged),
    checkedAt: now,
    ...(recognised.priceColumns && { prices: priceQuestion(sheet, recognised) }),
    rows,
    ...(needsPrice && { missing: "New products need a price, and no column is read as one" }),
  };
}

/** Finds the products whose variants have prices of their own; null for none. */
export function variantsOf({ priced }: MergedRows): Plan["variants"] | null {
  const [first] = priced;
  if (!first) return null;
  const prices = first.prices.slice(0, SAMPLED_ROWS).map(dollars);
  return { products: priced.length, name: first.name.slice(0, MAX_SAMPLE_LENGTH), prices };
}

function questionsOf(drafts: Draft[], merged: MergedRows): Pick<Plan, "variants" | "untracked"> {
  const [variants, untracked] = [variantsOf(merged), untrackedOf(drafts)];
  return { ...(variants && { variants }), ...(untracked && { untracked }) };
}

/** Finds the products that the other system does not count; null for none. */
function untrackedOf(drafts: Draft[]): Plan["untracked"] | null {
  const found = drafts.filter(({ skip, isUncounted }) => !skip && isUncounted);
  const [first] = found;
  return first ? { products: found.length, name: first.name.slice(0, MAX_SAMPLE_LENGTH) } : null;
}

/** Asks for the price column, with the values of the first rows that have any, as they would be stored. */
function priceQuestion({ rows }: Sheet, { priceColumns = [], mapping }: RecognisedLayout): PriceQuestion {
  const price = ({ cells }: SheetRow, column: number, style: NumberStyle) => {
    const read = parsePrice(cells[column] ?? "", style);
    // A note says what was made of the cell.
    return "value" in read && !read.note ? dollars(read.value) : null;
  };
  const cell = (row: SheetRow, column: number) => textOf(row.cells[column]).slice(0, MAX_SAMPLE_LENGTH);
  const sampled = rows
    .filter((row) => priceColumns.some(({ column }) => cell(row, column) !== ""))
    .slice(0, SAMPLED_ROWS);
  const name = mapping.indexOf("name");
  return {
    products: sampled.map((row) => ({ row: row.line, name: cell(row, name) })),
    columns: priceColumns.map((each) => {
      const style = numberStyle(rows.map(({ cells }) => cells[each.column] ?? ""));
      const { column } = each;
      return { ...each, samples: sampled.map((row) => price(row, column, style) ?? cell(row, column)) };
    }),
  };
}

/** Leaves out the products that no choice in the dry run keeps: those of another error, and those that are left out. */
function draftsToKeep(drafts: Draft[], { rejected, skipped }: MergedRows, rows: PlanRow[]): Draft[] {
  const open = new Set(rejected.flatMap(({ draft, isOpen }) => (isOpen ? [draft.row] : [])));
  const lost = new Set(
    rows.flatMap(({ row, action }) => (action === "reject" && !open.has(row) ? [row] : [])),
  );
  for (const { row } of skipped) lost.add(row);
  return drafts.filter(({ row }) => !lost.has(row));
}

/** Lists the categories that a file names, unknown ones first, then by number of products; counts those without one. */
function guessedCategories(drafts: Draft[], rows: PlanRow[]): Pick<Plan, "categories" | "uncategorised"> {
  const guesses = new Map<string, CategoryGuess>();
  const uncategorised = { products: 0, kept: 0 };
  const created = new Set(rows.flatMap(({ row, action }) => (action === "create" ? [row] : [])));
  const stored = new Set(rows.flatMap(({ row, by }) => (by !== undefined && !created.has(row) ? [row] : [])));
  for (const { row, sourceCategory, category, isGuessed, isUncategorised = false } of drafts) {
    if (sourceCategory === "") continue;
    const key = categoryKey(sourceCategory);
    const guess = guesses.get(key) ?? {
      sourceCategory: sourceCategory.slice(0, 200),
      ...{ products: 0, kept: 0 },
      category: parseCategory(category),
      isUncategorised,
    };
    guesses.set(key, guess);
    for (const count of isUncategorised ? [guess, uncategorised] : [guess]) {
      count.products++;
      if (isGuessed && stored.has(row)) count.kept++;
    }
  }
  const isKnown = ({ category }: CategoryGuess) => Number(category !== null);
  const sorted = [...guesses.values()].sort((a, b) => isKnown(a) - isKnown(b) || b.products - a.products);
  return { categories: sorted.slice(0, MAX_CATEGORIES), uncategorised };
}

/** Predicts the effect of an import on each row. @returns in the file's order */
export async function planRows(
  db: Db,
  { entries, rejected, skipped, missingPrice }: MergedRows,
): Promise<PlanRow[]> {
  const rows: PlanRow[] = [
    ...rejected.map(({ draft, error }) => rejectedRow(draft, error)),
    ...skipped.map((draft) => ({ ...rowOf(draft), action: "skip" as const, reason: draft.skip ?? "" })),
  ];
  for (let from = 0; from < entries.length; from += NAMES_PER_QUERY) {
    const slice = entries.slice(from, from + NAMES_PER_QUERY);
    const stored = await storedProducts(db, slice);
    const coded = slice.filter(({ values }) => values.sku !== null || values.barcode !== null);
    const codes = await findCodes(
      db,
      coded.flatMap((entry) => stored(entry)?.id ?? []),
    );
    for (const entry of slice) {
      const product = stored(entry);
      const before = product && storedValues(product, codes.get(product.id));
      rows.push(...planEntry(entry, before, missingPrice));
    }
  }
  return rows.sort((a, b) => a.row - b.row);
}

function planEntry(entry: Entry, before: StoredValues | undefined, missingPrice: string): PlanRow[] {
  if (!before && entry.values.priceCents === null)
    return entry.rows.map(({ draft }) => rejectedRow(draft, missingPrice));
  return before ? planUpdate(entry, before) : planCreate(entry);
}

/** Plans the rows of a stored product: the last row that changes anything lists the changes of all of them. */
function planUpdate(entry: Entry, before: StoredValues): PlanRow[] {
  const { values, rows, key, plan } = entry;
  const after = (row: RowValues) =>
    storable(mergeInto(before, row, key !== undefined), before, plan !== null);
  const changes = [...changesBetween(before, after(values)), ...(plan?.changes ?? [])];
  const changing = plan
    ? undefined
    : rows.findLast((row) => changesBetween(before, after(row.values)).length > 0);
  const last = (changing ?? rows.at(-1))?.draft.row;
  const by = entry.hasKey && key ? key.title : entry.hasSku ? "SKU" : "Name";
  const left = plan ? [] : leftOfUnits(values, before);
  return rows.map(({ draft }) => {
    const notes = rowNotes(draft, entry, draft === rows[0]?.draft ? left : []);
    const row = { ...rowOf(draft), ...(draft.row === last && { by }), ...notes };
    if (changes.length === 0) return { ...row, action: "skip", reason: "Same as stored, nothing to change" };
    if (draft.row === last) return { ...row, action: "update", changes };
    return { ...row, action: "skip", reason: takenTogether(entry, last) };
  });
}

/** Lists notes on what the units of a product keep where a row names it as a whole. */
function leftOfUnits({ stock, priceCents }: RowValues, before: StoredValues): string[] {
  const notes: string[] = [];
  if (before.isDivided && stock !== null && stock !== before.stock) notes.push(STOCK_STAYS);
  if (before.hasOwnPrices && priceCents !== null && priceCents !== before.priceCents)
    notes.push(OWN_PRICES_STAY);
  return notes;
}

/** Leaves what the units of a product have. @param hasPlan its units change too, and its colors with them */
function storable(after: RowValues, before: StoredValues, hasPlan: boolean): RowValues {
  const { stock, colors, isDivided } = before;
  if (hasPlan) return { ...after, stock };
  const { sku, barcode } = before;
  return isDivided ? { ...after, stock, colors, sku, barcode } : after;
}

const sameness = ({ key }: Entry) => key?.title ?? "name";

const takenTogether = (entry: Entry, row: number | undefined) =>
  `Taken together with row ${row} of the same ${sameness(entry)}`;

/** Plans the rows of a new product: the first creates it with the values of all of them. */
function planCreate(entry: Entry): PlanRow[] {
  const first = entry.rows[0]?.draft.row;
  return entry.rows.map(({ draft }) => {
    if (draft.row === first)
      return {
        ...rowOf(draft),
        ...rowNotes(draft, entry, categoryNotes(entry.values)),
        ...{ action: "create", by: "New", summary: summary(withDefaults(entry.values), entry) },
      };
    return {
      ...rowOf(draft),
      ...rowNotes(draft, entry),
      action: "skip",
      reason: takenTogether(entry, first),
    };
  });
}

/** A name that is too long may fill a whole file. */
function rowOf({ row, name }: Draft): Pick<PlanRow, "row" | "product"> {
  return { row, product: name.slice(0, MAX_NAME_LENGTH) };
}

/** Keeps the notes: an odd byte may be the cause of the error. */
function rejectedRow(draft: Draft, reason: string): PlanRow {
  return { ...rowOf(draft), action: "reject", reason, ...joinedNotes(draft.notes) };
}

function rowNotes(draft: Draft, entry: Entry, more: string[] = []): { notes?: string } {
  const { rows, key, target, hasKey, hasSku } = entry;
  const first = rows[0]?.draft.row;
  const notes = [...more, ...draft.notes];
  if (first !== draft.row) notes.push(`Same ${sameness(entry)} as row ${first}`);
  else if (key && target && !hasKey && !(hasSku && key.system === SKU_SYSTEM))
    notes.push(`From now on by its ${key.title}`);
  return joinedNotes(notes);
}

const joinedNotes = (notes: string[]) => (notes.length > 0 ? { notes: notes.join("; ") } : {});

const withDefaults = (values: RowValues): RowValues => ({
  ...NEW_VALUES,
  ...(values.newCategory && { category: values.newCategory }),
  ...withoutNulls(values),
});

const withoutNulls = (values: RowValues) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as RowValues;

interface StoredValues extends RowValues {
  /** Its choices have stock of their own. */
  isDivided: boolean;
  /** Its units have prices of their own. */
  hasOwnPrices: boolean;
}

const storedValues = (stored: StoredProduct, codes?: { sku: string; barcode: string }): StoredValues => ({
  ...PRODUCT_SHEET.pick(stored),
  key: stored.nameKey,
  newCategory: null,
  searchText: null,
  searchDescription: null,
  units: null,
  sku: codes?.sku ?? null,
  barcode: codes?.barcode ?? null,
  isDivided: stored.options.length > 0,
  hasOwnPrices: stored.baseCents !== null,
});

function summary(
  { category, priceCents, stock, colors, hasEngraving, imageUrls }: RowValues,
  { plan }: Entry,
): string {
  const from = plan && plan.fromCents !== null ? `from ${dollars(plan.fromCents)}` : dollars(priceCents ?? 0);
  const count = (n: number, noun: string) => (n > 0 ? `${n} ${noun}${n === 1 ? "" : "s"}` : "");
  return [
    categoryName(category ?? ""),
    from,
    `${plan?.pieces ?? stock ?? 0} in stock`,
    count(plan?.units ?? 0, "unit"),
    count(colors?.length ?? 0, "color"),
    hasEngraving ? "engraving" : "",
    count(imageUrls?.length ?? 0, "image"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Lists the fields in which two rows differ, as readers see them. */
function changesBetween(before: RowValues, after: RowValues): NonNullable<PlanRow["changes"]> {
  const codes = [
    { field: "SKU", from: before.sku, to: after.sku },
    { field: "Barcode", from: before.barcode, to: after.barcode },
  ].flatMap(({ field, from, to }) =>
    from === to ? [] : [{ field, from: from || "none", to: to || "none" }],
  );
  const fields = PRODUCT_SHEET.columns.flatMap(({ column, field }) => {
    const [from, to] = [before, after].map((values) => values[column as keyof RowValues]);
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const [was, is] =
      column === "description"
        ? shortenedPair(plainText(String(from)), plainText(String(to)))
        : [field.toText(from), field.toText(to)];
    return [{ field: field.label, from: was || "none", to: was === is ? OTHER_FORMAT : is || "none" }];
  });
  return [...fields, ...codes];
}
