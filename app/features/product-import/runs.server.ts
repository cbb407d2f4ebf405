import { epochSeconds } from "~/domain/durations";
import {
  claimRun,
  findRun,
  findRuns,
  findUndo,
  finishRun,
  type ImportRun,
  insertRun,
  type ListedRun,
  type NewRun,
  type RunCursor,
  upsertPlannedRun,
} from "~/features/product-runs/queries/runs.server";
import { MAX_RUN_SECONDS } from "~/features/product-runs/runs";
import { AppError } from "~/http/errors";
import type { OperationContext, StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/tokens.server";
import { type ImportCounts, NO_COUNTS, rejectedRows, startCounts, storeEntries } from "./commit.server";
import { quoted } from "./money";
import { type ImportResult, type RowNote, type RunView, rejectedRowsKey, sourceKey } from "./plan";
import { type Prepared, prepareImport, type SourceFile, saveChoices } from "./prepare.server";
import type { ImportRequest } from "./schema";
import { ENCODING_NAMES, FILE_TOO_LARGE, MAX_FILE_BYTES } from "./sheet";

const MAX_LISTED_RUNS = 20;
/** Errors and notes stored with a run; the file of rejected rows has all errors. */
const MAX_DETAILS = 500;

type ImportContext = OperationContext<"staff", ImportRequest>;

/** A spreadsheet, with the planned run that it is stored for. */
export interface ImportSource extends SourceFile {
  run: ImportRun | null;
}

/**
 * Loads the spreadsheet that a request carries, or the stored one of the run that it names.
 *
 * @throws AppError tooLarge (413), notFound (404) when the run or its file is gone
 */
export async function loadSource(
  { db, env }: Pick<RequestContext, "db" | "env">,
  source: ImportRequest["source"],
): Promise<ImportSource> {
  if (source instanceof File) {
    if (source.size > MAX_FILE_BYTES) throw new AppError("tooLarge", FILE_TOO_LARGE);
    return { name: source.name, bytes: new Uint8Array(await source.arrayBuffer()), run: null };
  }
  const run = await findRun(db, source.run);
  const object = run && (await env.BUCKET.get(sourceKey(run.id)));
  if (!object) throw new AppError("notFound", "The file is no longer stored. Choose it again.");
  return { name: run.fileName, bytes: new Uint8Array(await object.arrayBuffer()), run };
}

/**
 * Stores a spreadsheet for a run to be committed later. The same file of the same person gets the same run until that is
 * committed, so a repeated request stores nothing twice.
 *
 * @returns the run's id
 */
export async function storeSource(
  { db, env, user, now }: StaffContext,
  { name, bytes }: ImportSource,
  prepared: Prepared,
): Promise<string> {
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const fingerprint = await sha256(JSON.stringify([user.id, name, digest]));
  const planned = { ...newRun(prepared, name, user, now), state: "planned" as const, fingerprint };
  const run = await upsertPlannedRun(db, planned);
  await env.BUCKET.put(sourceKey(run), bytes);
  return run;
}

export interface RunningImport {
  run: string;
  /** Products to store. */
  total: number;
  /** Stores the products; yields how many are done. */
  steps(): AsyncGenerator<number>;
  result(): ImportResult;
}

/**
 * Starts the run of a spreadsheet. A run is committed once: naming a finished one again returns its result.
 *
 * @throws AppError conflict (409) while the run is being stored; those of loadSource and prepareImport
 */
export async function startImport(context: ImportContext): Promise<RunningImport> {
  const { db, input } = context;
  const earlier = "run" in input.source ? await findRun(db, input.source.run) : undefined;
  if (earlier?.state === "done") return finishedImport(earlier);
  const source = await loadSource(context, input.source);
  const isPlanned = source.run !== null;
  const prepared = await prepareImport(context, source, { choices: input.choices, isPlanned });
  return startPrepared(context, source, prepared);
}

/** Starts the run of a file that was read. */
export async function startPrepared(
  context: ImportContext,
  source: ImportSource,
  prepared: Prepared,
): Promise<RunningImport> {
  const { input } = context;
  const run = await beginRun(context, source, prepared);
  if (input.choices) await saveChoices(context, prepared, input.choices);
  const counts = startCounts(prepared.merged);
  counts.notes.push(...readingNotes(prepared));
  return {
    run,
    total: prepared.merged.entries.length,
    async *steps() {
      try {
        yield* storeEntries(context, run, prepared.batches, counts);
        await endRun(context, run, prepared, counts, "done");
      } catch (error) {
        await endRun(context, run, prepared, counts, "failed").catch(() => undefined);
        throw error;
      }
    },
    result: () => importResult(run, counts),
  };
}

/** Remarks on what the reader guessed about the file as a whole, and on columns that were chosen for another one. */
function readingNotes({ sheet, isRemembered }: Prepared): RowNote[] {
  const { headerRow, headerNotes, isGuessed, encoding, samples } = sheet.reading;
  const notes = isRemembered
    ? ["The columns are read as they were chosen for an earlier file of these headers"]
    : [];
  if (headerRow > 1) notes.push(`The headers were found in row ${headerRow} of the file`);
  if (isGuessed && encoding)
    notes.push(`The text was read as ${ENCODING_NAMES[encoding]}: ${samples.map(quoted).join(", ")}`);
  const atRow = (row: number) => (note: string) => ({ row, product: "", note });
  return [...notes.map(atRow(1)), ...headerNotes.map(atRow(headerRow))];
}

function finishedImport({ id, errorDetails, notes, ...counts }: ImportRun): RunningImport {
  const details = errorDetails as ImportResult["errorDetails"];
  const result = importResult(id, { ...counts, details, notes: notes as RunView["notes"] });
  return { run: id, total: 0, async *steps() {}, result: () => result };
}

/** Begins a run, or continues that of the planned file. @returns its id */
async function beginRun(
  { db, user, now }: StaffContext,
  { name, run: planned }: ImportSource,
  prepared: Prepared,
): Promise<string> {
  const run = newRun(prepared, name, user, now);
  if (!planned) {
    await insertRun(db, run);
    return run.id;
  }
  const { source, rows } = run;
  if (await claimRun(db, planned.id, { source, rows, startedAt: now }, now - MAX_RUN_SECONDS))
    return planned.id;
  if (await findUndo(db, planned.id))
    throw new AppError("conflict", "This upload was taken back. Choose the file again to store it.");
  throw new AppError(
    "conflict",
    "This file is already being stored. Its result is listed under Earlier uploads.",
  );
}

function newRun(
  { recognised }: Prepared,
  fileName: string,
  { firstName, lastName }: StaffContext["user"],
  now: number,
): NewRun {
  return {
    id: crypto.randomUUID(),
    userName: `${firstName} ${lastName}`.trim(),
    fileName: fileName.slice(0, 200),
    fingerprint: null,
    source: recognised.source,
    state: "running",
    rows: recognised.drafts.length,
    ...NO_COUNTS,
    errorDetails: [],
    notes: [],
    startedAt: now,
    finishedAt: null,
  };
}

/** Records the end of a run. A finished run needs its source no longer; a failed one can be started again from it. */
async function endRun(
  { db, env }: RequestContext,
  run: string,
  { sheet }: Prepared,
  counts: ImportCounts,
  state: "done" | "failed",
): Promise<void> {
  const { created, updated, unchanged, rejected, details, rejectedLines } = counts;
  if (rejectedLines.size > 0) {
    const { type, body } = await rejectedRows(sheet, rejectedLines);
    await env.BUCKET.put(rejectedRowsKey(run), body, { httpMetadata: { contentType: type } });
  }
  await finishRun(db, run, {
    ...{ created, updated, unchanged, rejected, state },
    errorDetails: details.slice(0, MAX_DETAILS),
    notes: counts.notes.slice(0, MAX_DETAILS),
    finishedAt: epochSeconds(),
  });
  if (state === "done") await env.BUCKET.delete(sourceKey(run));
}

type Outcome = Omit<ImportCounts, "rejectedLines" | "missingPrice">;

function importResult(
  runId: string,
  { created, updated, unchanged, rejected, details, notes }: Outcome,
): ImportResult {
  const parts = [`${created} created`, `${updated} updated`];
  if (unchanged > 0) parts.push(`${unchanged} skipped`);
  if (rejected > 0) parts.push(`${rejected} rejected`);
  return {
    message: parts.join(", "),
    runId,
    created,
    updated,
    errors: rejected,
    errorDetails: details,
    ...(notes.length > 0 && { notes }),
  };
}

/** Page of the history of runs. */
export interface RunHistoryPage {
  runs: RunView[];
  /** Parameter `before` of the page that follows; null on the last one. */
  earlier: string | null;
  isLatest: boolean;
}

/** Reads a page of the runs, newest first. @param before parameter of its URL; the latest ones without a valid one */
export async function listRuns({ db, now }: StaffContext, before: string | null): Promise<RunHistoryPage> {
  const cursor = parseRunCursor(before);
  const found = await findRuns(db, MAX_LISTED_RUNS + 1, cursor);
  const runs = found.slice(0, MAX_LISTED_RUNS);
  const last = found.length > runs.length ? runs.at(-1) : undefined;
  return {
    runs: runs.map((run) => runSummary(run, now)),
    earlier: last ? `${last.startedAt}.${last.id}` : null,
    isLatest: cursor === null,
  };
}

function parseRunCursor(text: string | null): RunCursor | null {
  const [, startedAt, id] = /^(\d{1,12})\.([\w-]{1,100})$/.exec(text ?? "") ?? [];
  return startedAt && id ? { startedAt: Number(startedAt), id } : null;
}

/** Reads one run with its errors and notes; null for an unknown id. */
export async function runView({ db, now }: StaffContext, id: string): Promise<RunView | null> {
  const run = await findRun(db, id);
  if (!run || run.state === "planned") return null;
  const [errorDetails, notes] = [run.errorDetails as RunView["errorDetails"], run.notes as RunView["notes"]];
  return { ...runSummary(run, now), errorDetails, notes };
}

function runSummary(run: ListedRun, now: number): RunView {
  const { fingerprint: _, ...rest } = run;
  const isInterrupted = run.state === "running" && now - run.startedAt > MAX_RUN_SECONDS;
  return { ...rest, state: isInterrupted ? "interrupted" : run.state, errorDetails: [], notes: [] };
}
