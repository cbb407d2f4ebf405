import { MAX_STOCK } from "~/domain/stock-levels";
import type { Draft, SourceKey } from "./draft";
import type { PlanOutline } from "./entry-units.server";
import type { VariantPrice } from "./price-column";
import { choosePrice, type ReadRow, type RowError, type RowValues } from "./read-rows.server";

const MISSING_PRICE = "Price is empty. A new product needs one, such as 161.50";
const NO_PRICE_COLUMN = "Price is empty, and no column is mapped to it. Name a column “price”, or map one";

/** One product of a file: the values of all its rows, later ones over earlier ones. */
export interface Entry {
  /** Id of the product, if it is new. */
  id: string;
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
  /** The stored product was found by an SKU. */
  hasSku: boolean;
  /** Units that it gets, in outline; null leaves those of the stored product. */
  plan: PlanOutline | null;
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
    id: crypto.randomUUID(),
    values: row.values,
    rows: [row],
    nth: same.length,
    key,
    target: null,
    hasKey: false,
    hasSku: false,
    plan: null,
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
