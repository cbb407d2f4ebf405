import type { Db } from "~/db/client.server";
import { categoryName } from "~/features/catalogue/categories";
import type { ProductField } from "~/features/catalogue/product-fields";
import { MAX_NAME_LENGTH } from "~/features/catalogue/product-schema";
import { plainText } from "~/features/catalogue/rich-text.server";
import type { Draft } from "./draft";
import { type Entry, type MergedEntry, mergeInto } from "./merge-rows";
import type { PlanRow } from "./plan";
import { findByNames, type StoredProduct } from "./queries.server";
import type { RowValues } from "./read-draft.server";

const NAMES_AT_ONCE = 500;
const SHOWN_TEXT = 60;

/**
 * Says what storing would do with each row, without doing it (issue: dry run).
 *
 * @returns in the file's order
 */
export async function planRows(
  db: Db,
  { entries, refused, skipped, priceless }: MergedEntry,
): Promise<PlanRow[]> {
  const rows: PlanRow[] = [
    ...refused.map(({ draft, error }) => ({
      row: draft.row,
      product: shownName(draft),
      does: "refuse" as const,
      why: error,
    })),
    ...skipped.map((draft) => ({
      row: draft.row,
      product: shownName(draft),
      does: "skip" as const,
      why: draft.skip ?? "",
    })),
  ];
  for (let from = 0; from < entries.length; from += NAMES_AT_ONCE) {
    const some = entries.slice(from, from + NAMES_AT_ONCE);
    const stored = Map.groupBy(
      await findByNames(
        db,
        some.map(({ values }) => values.key),
      ),
      (row) => row.nameKey,
    );
    for (const entry of some)
      rows.push(...plannedOf(entry, stored.get(entry.values.key)?.[entry.nth], priceless));
  }
  return rows.sort((a, b) => a.row - b.row);
}

function plannedOf(entry: Entry, stored: StoredProduct | undefined, priceless: string): PlanRow[] {
  if (!stored && entry.values.price === null)
    return entry.rows.map(({ draft }) => ({
      row: draft.row,
      product: shownName(draft),
      does: "refuse",
      why: priceless,
    }));
  return stored ? changedRows(entry, valuesOf(stored)) : newRows(entry);
}

/** Of a product that is stored, one row tells what all of its rows change: the last that changes anything. */
function changedRows({ values, rows }: Entry, before: RowValues): PlanRow[] {
  const changes = changesBetween(before, mergeInto(before, values));
  const changing = rows.findLast(
    ({ values }) => changesBetween(before, mergeInto(before, values)).length > 0,
  );
  const last = (changing ?? rows.at(-1))?.draft.row;
  return rows.map(({ draft }) => {
    const shown = { row: draft.row, product: shownName(draft), ...notesOf(draft, rows) };
    if (changes.length === 0) return { ...shown, does: "skip", why: "Same as stored, nothing to change" };
    if (draft.row === last) return { ...shown, does: "update", changes };
    return { ...shown, does: "skip", why: `Taken together with row ${last} of the same name` };
  });
}

/** Of a new product, the first row makes it, and each later one changes what it says otherwise. */
function newRows({ rows }: Entry): PlanRow[] {
  let before: RowValues | null = null;
  return rows.map(({ draft, values }) => {
    const after: RowValues = before ? mergeInto(before, values) : entryStart(values);
    const changes = before ? changesBetween(before, after) : [];
    const isFirst = before === null;
    before = after;
    const shown = { row: draft.row, product: shownName(draft), ...notesOf(draft, rows) };
    if (isFirst) return { ...shown, does: "create", what: summary(after) };
    if (changes.length > 0) return { ...shown, does: "update", changes };
    return { ...shown, does: "skip", why: "Says nothing else" };
  });
}

function notesOf(draft: Draft, rows: Entry["rows"]): { notes?: string } {
  const first = rows[0]?.draft.row;
  const notes = [...draft.notes, ...(first === draft.row ? [] : [`Same name as row ${first}`])].join("; ");
  return notes ? { notes } : {};
}

/** A new product, with what is taken where its row says nothing. */
function entryStart(values: RowValues): RowValues {
  return {
    ...values,
    description: values.description ?? "",
    stock: values.stock ?? 0,
    category: values.category ?? "OTHERS",
    colors: values.colors ?? [],
    imageUrls: values.imageUrls ?? [],
  };
}

function valuesOf(stored: StoredProduct): RowValues {
  const { name, nameKey: key, description, priceCents: price, stock, category, colors, imageUrls } = stored;
  return {
    name,
    key,
    description,
    searchText: null,
    price,
    stock,
    category: category as RowValues["category"],
    colors,
    imageUrls,
  };
}

function summary({ category, price, stock, colors, imageUrls }: RowValues): string {
  const count = (n: number, thing: string) => (n > 0 ? `${n} ${thing}${n === 1 ? "" : "s"}` : "");
  return [
    categoryName(category ?? ""),
    dollars(price ?? 0),
    `${stock ?? 0} in stock`,
    count(colors?.length ?? 0, "color"),
    count(imageUrls?.length ?? 0, "image"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Changes that a plan shows, in its order; a name can't change, since products are found by it. */
const SHOWN: Record<Exclude<ProductField, "name">, [label: string, show: (value: RowValues) => string]> = {
  price: ["Price", ({ price }) => dollars(price ?? 0)],
  stock: ["Stock", ({ stock }) => String(stock)],
  category: ["Category", ({ category }) => categoryName(category ?? "")],
  colors: ["Colors", ({ colors }) => (colors ?? []).join(", ") || "none"],
  imageUrls: ["Images", ({ imageUrls }) => String(imageUrls?.length ?? 0)],
  description: ["Description", ({ description }) => shortened(plainText(description ?? "")) || "none"],
};

function changesBetween(before: RowValues, after: RowValues): NonNullable<PlanRow["changes"]> {
  return Object.entries(SHOWN).flatMap(([field, [label, show]]) => {
    const name = field as keyof RowValues;
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) return [];
    return [{ field: label, from: show(before), to: show(after) }];
  });
}

/** A name that is too long may be a whole book. */
function shownName({ name }: Draft): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

function dollars(cents: number): string {
  return `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
}

function shortened(text: string): string {
  return text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT - 1)}…` : text;
}
