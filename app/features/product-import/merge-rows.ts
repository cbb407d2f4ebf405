import type { Draft } from "./draft";
import type { ReadRow, RowValues } from "./read-draft.server";

const PRICELESS = "Price is empty. A new product needs one, such as 161.50";
const NO_PRICES = "Price is empty, as no column is read as it. Name that column “price”, or say which it is";

/** One product of a file: what all of its rows say together, later ones over earlier ones. */
export interface Entry {
  values: RowValues;
  /** Its rows in the file's order, each with what it says by itself. */
  rows: { draft: Draft; values: RowValues }[];
  /** Which of several stored products of the same name is meant, the oldest being 0. */
  nth: number;
}

/** A file's products, and the rows that were refused or left out. */
export interface MergedEntry {
  entries: Entry[];
  refused: { draft: Draft; error: string }[];
  skipped: Draft[];
  /** What a new product without a price is refused with. */
  priceless: string;
}

/**
 * Puts rows of the same name together. Where as many products of that name are stored, its rows mean one of them each, in
 * order: so a catalogue that holds a name twice comes back from its own export unchanged.
 *
 * @param storedOf how many products of a name are stored
 * @param hasPrices whether a column is read as the price
 */
export function mergeRows(
  rows: Iterable<ReadRow>,
  storedOf: (key: string) => number,
  hasPrices: boolean,
): MergedEntry {
  const folded: MergedEntry = {
    entries: [],
    refused: [],
    skipped: [],
    priceless: hasPrices ? PRICELESS : NO_PRICES,
  };
  const byName = new Map<string, Entry[]>();
  for (const row of rows) {
    if (row.draft.skip) folded.skipped.push(row.draft);
    else if ("error" in row) folded.refused.push({ draft: row.draft, error: row.error });
    else {
      const known = byName.get(row.values.key) ?? [];
      byName.set(row.values.key, known);
      const last = known.at(-1);
      if (last && known.length >= Math.max(1, storedOf(row.values.key))) merge(last, row);
      else {
        const entry = { values: row.values, rows: [row], nth: known.length };
        known.push(entry);
        folded.entries.push(entry);
      }
    }
  }
  return folded;
}

function merge(entry: Entry, row: { draft: Draft; values: RowValues }): void {
  entry.values = mergeInto(entry.values, row.values);
  entry.rows.push(row);
}

/** What a row says over what was said before; blank leaves it. */
export function mergeInto(before: RowValues, row: RowValues): RowValues {
  const said = Object.entries(row).filter(([field, value]) => value !== null && field !== "name");
  return { ...before, ...Object.fromEntries(said) };
}

/** Whether a row says anything else than what holds before it. */
export function hasMoreData(before: RowValues, row: RowValues): boolean {
  const after = mergeInto(before, row);
  return JSON.stringify(after) !== JSON.stringify(before);
}
