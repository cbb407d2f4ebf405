import { isTransient } from "~/db/metered-d1.server";
import { SHUFFLE_RANGE } from "~/features/catalogue/queries.server";
import type { RequestContext } from "~/http/request-context.server";
import { type Entry, hasMoreData, type MergedEntry } from "./merge-rows";
import type { BulkResult, RowNote } from "./plan";
import { type BatchResult, type RunCounts, type StoredEntry, storeBatch } from "./queries.server";

/** Products of one transaction, and how large their JSON may grow: D1 takes 2 MB. */
const BATCH_SIZE = 250;
const BATCH_CHARACTERS = 500_000;
const ATTEMPTS = 3;
/** Milliseconds between two transactions, in which others are served. */
const BREATH = 5;
const SHOWN_NAME = 100;

/** Running counts of an import, and what was refused in it. */
export interface ImportCounts extends RunCounts {
  details: BulkResult["errorDetails"];
  notes: RowNote[];
  /** Rows of the file that were refused, with why. */
  refusedLines: Map<number, string>;
  /** What a new product without a price is refused with. */
  priceless: string;
}

/** @returns counts before anything is stored: what was refused by reading alone */
export function startCounts({ refused, skipped, priceless }: MergedEntry): ImportCounts {
  const tally: ImportCounts = {
    created: 0,
    updated: 0,
    unchanged: skipped.length,
    refused: 0,
    details: [],
    notes: skipped.map((draft) => ({ ...named(draft), note: draft.skip ?? "" })),
    refusedLines: new Map(),
    priceless,
  };
  for (const { draft, error } of refused) refuse(tally, draft, error);
  return tally;
}

/**
 * Stores a file's products, batch by batch, each a transaction of its own.
 *
 * @param tally is kept up to date
 * @yields after each batch, how many products are done
 */
export async function* storeEntries(
  { db, now }: Pick<RequestContext, "db" | "now">,
  run: string,
  entries: Entry[],
  tally: ImportCounts,
): AsyncGenerator<number> {
  let done = 0;
  for (const batch of batches(entries)) {
    const { created, updated, unchanged, refused } = tally;
    const progress = { created, updated, unchanged, refused };
    const result = await repeated(() =>
      storeBatch(
        db,
        batch.map(({ stored }) => stored),
        now,
        { id: run, progress },
      ),
    );
    for (const { entry } of batch) count(tally, entry, result);
    // The local engine takes in no new request while a Worker goes from one answer of D1 straight to the next call.
    await scheduler.wait(BREATH);
    done += batch.length;
    yield done;
  }
  tally.details.sort((a, b) => a.row - b.row);
  tally.notes.sort((a, b) => a.row - b.row);
}

interface Prepared {
  entry: Entry;
  stored: StoredEntry;
}

function* batches(entries: Entry[]): Generator<Prepared[]> {
  let batch: Prepared[] = [];
  let characters = 0;
  for (const entry of entries) {
    const stored = storedEntry(entry);
    const size =
      (stored.description?.length ?? 0) * 2 + (stored.images?.length ?? 0) + (stored.colors?.length ?? 0);
    if (batch.length === BATCH_SIZE || (characters + size > BATCH_CHARACTERS && batch.length > 0)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push({ entry, stored });
    characters += size;
  }
  if (batch.length > 0) yield batch;
}

function storedEntry({ values, nth }: Entry): StoredEntry {
  const { colors, imageUrls, ...rest } = values;
  return {
    ...rest,
    nth,
    id: crypto.randomUUID(),
    shuffle: Math.floor(Math.random() * SHUFFLE_RANGE),
    colors: colors && JSON.stringify(colors),
    images: imageUrls && JSON.stringify(imageUrls),
  };
}

/** A batch may be sent again: it adds no name twice. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      await scheduler.wait(attempt * 100);
    }
  }
}

function count(tally: ImportCounts, entry: Entry, { created, updated, priceless }: BatchResult): void {
  const name = `${entry.values.key}#${entry.nth}`;
  for (const { draft } of entry.rows)
    for (const note of draft.notes) tally.notes.push({ ...named(draft), note });
  if (priceless.has(name)) {
    for (const { draft } of entry.rows) refuse(tally, draft, tally.priceless);
    return;
  }
  if (created.has(name)) {
    const more = entry.rows
      .slice(1)
      .filter(({ values }, place) => hasMoreData(entry.rows[place]?.values ?? values, values));
    tally.created++;
    tally.updated += more.length;
    tally.unchanged += entry.rows.length - 1 - more.length;
  } else if (updated.has(name)) {
    tally.updated++;
    tally.unchanged += entry.rows.length - 1;
  } else tally.unchanged += entry.rows.length;
}

function named({ row, name }: { row: number; name: string }): { row: number; product: string } {
  return { row, product: name.slice(0, SHOWN_NAME) };
}

function refuse(
  tally: ImportCounts,
  draft: { row: number; lines: number[]; name: string },
  error: string,
): void {
  tally.refused++;
  tally.details.push({ ...named(draft), error });
  for (const line of draft.lines) tally.refusedLines.set(line, error);
}
