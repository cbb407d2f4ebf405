import type { Draft } from "./draft";
import type { ReadRow, RowValues } from "./read-draft.server";

const MISSING_PRICE = "Price is empty. A new product needs one, such as 161.50";
const NO_PRICE_COLUMN = "Price is empty, and no column is mapped to it. Name a column “price”, or map one";

/** One product of a file: the values of all its rows, later ones over earlier ones. */
export interface Entry {
  values: RowValues;
  /** Its rows in the file's order, each with its own values. */
  rows: { draft: Draft; values: RowValues }[];
  /** Index among stored products of the same name, the oldest being 0. */
  nth: number;
}

/** A file's products, and the rows that were rejected or skipped. */
export interface MergedRows {
  entries: Entry[];
  rejected: { draft: Draft; error: string }[];
  skipped: Draft[];
  /** Error message for a new product without a price. */
  missingPrice: string;
}

/**
 * Merges rows of the same name into one product. Where the shop stores several products of that name, the rows stand for
 * them in order, so that a catalogue with a duplicate name survives its own export.
 *
 * @param storedCount number of stored products of a name
 * @param hasPrices a column is read as the price
 */
export function mergeRows(
  rows: Iterable<ReadRow>,
  storedCount: (key: string) => number,
  hasPrices: boolean,
): MergedRows {
  const missingPrice = hasPrices ? MISSING_PRICE : NO_PRICE_COLUMN;
  const merged: MergedRows = { entries: [], rejected: [], skipped: [], missingPrice };
  const byName = new Map<string, Entry[]>();
  for (const row of rows) {
    if (row.draft.skip) merged.skipped.push(row.draft);
    else if ("error" in row) merged.rejected.push({ draft: row.draft, error: row.error });
    else {
      const entries = byName.get(row.values.key) ?? [];
      byName.set(row.values.key, entries);
      const last = entries.at(-1);
      if (last && entries.length >= Math.max(1, storedCount(row.values.key))) {
        last.values = mergeInto(last.values, row.values);
        last.rows.push(row);
      } else {
        const entry = { values: row.values, rows: [row], nth: entries.length };
        entries.push(entry);
        merged.entries.push(entry);
      }
    }
  }
  return merged;
}

/** Applies a row's values to earlier ones; a blank keeps the earlier value. */
export function mergeInto(before: RowValues, row: RowValues): RowValues {
  const filled = Object.entries(row).filter(([field, value]) => value !== null && field !== "name");
  return { ...before, ...Object.fromEntries(filled) };
}

/** Checks if a row changes the values before it. */
export function hasMoreData(before: RowValues, row: RowValues): boolean {
  return JSON.stringify(mergeInto(before, row)) !== JSON.stringify(before);
}
