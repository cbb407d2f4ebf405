import { isTransient } from "~/db/metered-d1.server";
import { searchForm, sortKey } from "~/db/text";
import { colorsForm } from "~/features/catalogue/operations/writes.server";
import { SHUFFLE_RANGE } from "~/features/catalogue/queries.server";
import type { RunCounts } from "~/features/product-runs/queries/runs.server";
import { AppError } from "~/http/errors";
import { escapeFormula, unescapeFormula } from "~/http/formula";
import type { StaffContext } from "~/http/operation.server";
import { isRefused } from "~/http/refused-write.server";
import { BOM, csvLines } from "~/http/streams.server";
import { fullName } from "~/session/caller.server";
import { categoryNotes } from "./draft";
import { type EntryPlan, planEntryUnits } from "./entry-units.server";
import { resolveKeys } from "./keys.server";
import type { Entry, MergedRows } from "./merge-rows.server";
import { type ImportResult, type RowNote, STOCK_STAYS } from "./plan";
import { type BatchResult, type StoredEntry, storeBatch } from "./queries/batch.server";
import {
  BATCH_BYTES,
  BATCH_QUERIES,
  type Cell,
  ERROR_HEADER,
  isErrorColumn,
  MAX_BATCH_QUERIES,
  type Sheet,
  TEXTS_TOO_LONG,
  UNIT_QUERIES,
} from "./sheet";

const BATCH_SIZE = 500;
const ATTEMPTS = 3;
/** Milliseconds between two transactions. */
const PAUSE = 5;
const MAX_NAME_LENGTH = 100;

export interface ImportCounts extends RunCounts {
  details: ImportResult["errorDetails"];
  notes: RowNote[];
  rejectedLines: Map<number, string>;
  missingPrice: string;
}

export const NO_COUNTS: RunCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };

/** Returns the counts after reading, before anything is stored. */
export function startCounts({ rejected, skipped, missingPrice }: MergedRows): ImportCounts {
  const counts: ImportCounts = {
    ...NO_COUNTS,
    unchanged: skipped.length,
    details: [],
    notes: skipped.map((draft) => ({ ...rowAndProduct(draft), note: draft.skip ?? "" })),
    rejectedLines: new Map(),
    missingPrice,
  };
  for (const { draft, error } of rejected) {
    countRejected(counts, draft, error);
    noteRemarks(counts, draft);
  }
  return counts;
}

/**
 * Stores a file's products in batches, each a transaction of its own.
 *
 * @param counts is updated after each batch
 * @yields after each batch the number of products done
 */
export async function* storeEntries(
  { db, now, user }: Pick<StaffContext, "db" | "now" | "user">,
  run: string,
  batches: ImportBatch[],
  counts: ImportCounts,
): AsyncGenerator<number> {
  const author = { kind: "import", userId: user.id, sourceId: run } as const;
  let done = 0;
  for (const batch of batches) {
    const { created, updated, unchanged, rejected } = counts;
    const progress = { created, updated, unchanged, rejected };
    const stored = await retried(async (attempt) => {
      // Another run may have added a product of these keys.
      if (attempt > 1) await resolveKeys(db, batch);
      return storeEntriesOf(db, batch, { now, run: { id: run, actor: fullName(user), author, progress } });
    });
    for (const { entry, error } of stored.refused)
      for (const { draft } of entry.rows) countRejected(counts, draft, error);
    for (const entry of stored.entries) countStored(counts, entry, stored.result);
    // The local engine accepts no request while a Worker calls D1 again right after an answer.
    await scheduler.wait(PAUSE);
    done += batch.length;
    yield done;
  }
  counts.details.sort((a, b) => a.row - b.row);
  counts.notes.sort((a, b) => a.row - b.row);
}

/** Stores a batch, whose units are planned from what is stored at that time. */
async function storeEntriesOf(
  db: StaffContext["db"],
  batch: ImportBatch,
  { now, run }: { now: number; run: Parameters<typeof storeBatch>[3] },
) {
  const { plans, refused } = await planEntryUnits(db, batch);
  const lost = new Set(refused.map(({ entry }) => entry));
  const entries = batch.filter((entry) => !lost.has(entry));
  const stored = entries.map((entry) => storedEntry(entry, plans.get(entry)));
  return {
    entries,
    refused,
    result: await storeBatch(db, { entries: stored, units: [...plans.values()] }, now, run),
  };
}

/** Products that one transaction stores. */
export type ImportBatch = Entry[];

/** Divides a file's products into batches. @throws AppError tooLarge (413) when one invocation can't store all of them */
export function divideEntries(entries: Entry[]): ImportBatch[] {
  const batches: ImportBatch[] = [];
  let bytes = { entries: 0, units: 0 };
  let queries = 0;
  // Units are written in statements of their own: a batch has either kind of products.
  const [plain, divided] = [entries.filter(({ plan }) => !plan), entries.filter(({ plan }) => plan)];
  for (const entry of [...plain, ...divided]) {
    const size = { entries: bytesOf(storedEntry(entry)), units: entry.plan?.bytes ?? 0 };
    const last = batches.at(-1);
    const sum = { entries: bytes.entries + size.entries, units: bytes.units + size.units };
    const isFull = !last || last.length === BATCH_SIZE || Math.max(sum.entries, sum.units) > BATCH_BYTES;
    if (!isFull && hasUnits(last) === (entry.plan !== null)) {
      last.push(entry);
      bytes = sum;
    } else {
      batches.push([entry]);
      queries += BATCH_QUERIES + (entry.plan ? UNIT_QUERIES : 0);
      bytes = size;
    }
    if (queries > MAX_BATCH_QUERIES) throw new AppError("tooLarge", TEXTS_TOO_LONG);
  }
  return batches;
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + ",".length;
const hasUnits = (batch: ImportBatch) => batch.some(({ plan }) => plan !== null);

function storedEntry({ id, rows, values, nth, key, target }: Entry, write?: EntryPlan): StoredEntry {
  const { units: _, ...rest } = values;
  return {
    ...rest,
    // A part has the name that was read of its product.
    name: rows.some(({ draft }) => draft.isPart) ? null : values.name,
    options: write?.plan.options ?? null,
    nth,
    sortKey: sortKey(values.name),
    searchName: searchForm(values.name),
    searchColors: values.colors && colorsForm(values.colors),
    system: key?.system ?? null,
    sourceKey: key?.value ?? null,
    target,
    id,
    shuffle: Math.floor(Math.random() * SHUFFLE_RANGE),
  };
}

/** Retries a batch after a transient error, or when units have changed; a repeated batch adds no name twice. */
async function retried<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === ATTEMPTS || !(isTransient(error) || isRefused(error))) throw error;
      await scheduler.wait(attempt * 100);
    }
  }
}

function noteRemarks(counts: ImportCounts, draft: Entry["rows"][number]["draft"], more: string[] = []): void {
  for (const note of [...more, ...draft.notes]) counts.notes.push({ ...rowAndProduct(draft), note });
}

function countStored(counts: ImportCounts, entry: Entry, result: BatchResult): void {
  const { id } = entry;
  const { created, updated, unpriced, divided } = result;
  const notes = [
    ...(created.has(id) ? categoryNotes(entry.values) : []),
    ...(divided.has(id) ? [STOCK_STAYS] : []),
  ];
  for (const [at, { draft }] of entry.rows.entries()) noteRemarks(counts, draft, at === 0 ? notes : []);
  if (unpriced.has(id)) {
    for (const { draft } of entry.rows) countRejected(counts, draft, counts.missingPrice);
    return;
  }
  const stored = entry.key ? (entry.target ?? "") : `${entry.values.key}#${entry.nth}`;
  if (created.has(id)) {
    counts.created++;
    counts.unchanged += entry.rows.length - 1;
  } else if (updated.has(stored)) {
    counts.updated++;
    counts.unchanged += entry.rows.length - 1;
  } else counts.unchanged += entry.rows.length;
}

function rowAndProduct({ row, name }: { row: number; name: string }): { row: number; product: string } {
  return { row, product: name.slice(0, MAX_NAME_LENGTH) };
}

function countRejected(
  counts: ImportCounts,
  draft: { row: number; lines: number[]; name: string },
  error: string,
): void {
  counts.rejected++;
  counts.details.push({ ...rowAndProduct(draft), error });
  for (const line of draft.lines) counts.rejectedLines.set(line, error);
}

const CSV_TYPE = "text/csv; charset=utf-8";
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

interface RejectedRowsFile {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

/**
 * Writes the rejected rows with the columns of their file and an `error` column, so that they can be corrected and sent
 * again. Text keeps its separator and is UTF-8 with a BOM, for spreadsheet programs; a spreadsheet becomes a .xlsx.
 *
 * @param rejected errors by row of the file
 */
export async function rejectedRows(sheet: Sheet, rejected: Map<number, string>): Promise<RejectedRowsFile> {
  const rows = [...rejectedTable(sheet, rejected)];
  if (sheet.delimiter === null) {
    const { xlsxFile } = await import("./xlsx-file.server");
    return { type: XLSX_TYPE, body: xlsxFile(sheet.name ?? "", rows.map(escapeRow)) };
  }
  return { type: CSV_TYPE, body: BOM + csvLines(rows, sheet.delimiter) };
}

/**
 * Names the file of rejected rows in characters that any header may carry.
 *
 * @param sourceName name of the uploaded file
 */
export function rejectedRowsName(sourceName: string, type: string | undefined): string {
  const name = sourceName.replace(/\.\w+$/, "").replace(/[^\w.-]+/g, "-") || "rows";
  return `rejected-${name}.${type === XLSX_TYPE ? "xlsx" : "csv"}`;
}

function* rejectedTable({ headers, rows }: Sheet, rejected: Map<number, string>): Generator<Cell[]> {
  const columns = headers
    .map((_, column) => column)
    .filter((column) => !isErrorColumn(headers[column] ?? ""));
  yield [...columns.map((column) => unescapeCell(headers[column])), ERROR_HEADER];
  for (const { line, cells } of rows) {
    const error = rejected.get(line);
    if (error !== undefined) yield [...columns.map((column) => unescapeCell(cells[column])), error];
  }
}

/** Removes the apostrophe before a formula; writing the file adds it again. */
function unescapeCell(cell: Cell | undefined): Cell {
  return typeof cell === "string" ? unescapeFormula(cell) : (cell ?? "");
}

/** Escapes formulas in a .xlsx as well: it may be saved as CSV. */
function escapeRow(row: Cell[]): Cell[] {
  return row.map((cell) => (typeof cell === "string" ? escapeFormula(cell) : cell));
}
