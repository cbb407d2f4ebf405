import { asAppError, type OperationContext, operation } from "~/http/operation.server";
import { type ImportCounts, startCounts, storeEntries } from "./commit.server";
import type { BulkResult, ImportRowResult } from "./plan";
import { type Prepared, prepareImport, rememberMapping } from "./prepare.server";
import { finishRun, type ImportRun, insertRun } from "./queries.server";
import { rejectedRows } from "./rejected-rows.server";
import { type BulkUpload, BulkUploadInput } from "./schema";
import { MAX_BYTES } from "./sheet";

/** What was wrong with that many rows is kept with the run; the rest stands in its file. */
const KEPT_DETAILS = 500;
const STREAM_TYPE = "application/x-ndjson";

type Staff = OperationContext<"staff", BulkUpload>;

/** The bucket's key of a run's refused rows. */
export const rejectedRowsKey = (run: string) => `imports/${run}`;

/**
 * POST product/bulk-upload (contract: Settled, Bulk upload): good rows are stored, bad ones reported. Who accepts
 * `application/x-ndjson` is told after each batch how far it is.
 *
 * @throws AppError unsupportedType (415), tooLarge (413), invalid (400)
 */
export const bulkUpload = operation({
  access: "staff",
  input: BulkUploadInput,
  maxBytes: MAX_BYTES,
  accepts: "multipart",
  async run(context): Promise<BulkResult | Response> {
    const import_ = await startImport(context, false);
    if (context.request.headers.get("Accept") === STREAM_TYPE) return streamed(import_, context);
    await wholly(import_, context);
    return import_.result();
  },
});

/** The same from the page without a script: told on a page of its own. */
export const bulkUploadByForm = operation({
  access: "staff",
  input: BulkUploadInput,
  maxBytes: MAX_BYTES,
  accepts: "multipart",
  async run(context): Promise<{ run: string; result: BulkResult }> {
    const import_ = await startImport(context, true);
    await wholly(import_, context);
    return { run: import_.run, result: import_.result() };
  },
});

interface Import {
  run: string;
  total: number;
  /** Stores; yields how many products are done. */
  steps(): AsyncGenerator<number>;
  result(): BulkResult;
}

/** @param remembers whether what was said of such a file last time holds where nothing is said */
async function startImport(context: Staff, remembers: boolean): Promise<Import> {
  const { db, input, user, now } = context;
  const prepared = await prepareImport(context, input.file, { choices: input.choices, remembers });
  const run = newRun(prepared, input.file.name, `${user.firstName} ${user.lastName}`.trim(), now);
  await insertRun(db, run);
  if (input.choices) await rememberMapping(context, prepared);
  const tally = startCounts(prepared.folded);
  return {
    run: run.id,
    total: prepared.folded.entries.length,
    async *steps() {
      try {
        yield* storeEntries(context, run.id, prepared.folded.entries, tally);
        await end(context, run.id, prepared, tally, "done");
      } catch (error) {
        await end(context, run.id, prepared, tally, "failed").catch(() => undefined);
        throw error;
      }
    },
    result: () => resultOf(tally),
  };
}

function newRun({ recognised }: Prepared, fileName: string, userName: string, now: number): ImportRun {
  return {
    id: crypto.randomUUID(),
    userName,
    fileName: fileName.slice(0, 200),
    source: recognised.source,
    state: "running",
    rows: recognised.drafts.length,
    created: 0,
    updated: 0,
    unchanged: 0,
    refused: 0,
    errorDetails: [],
    notes: [],
    startedAt: now,
    finishedAt: null,
  };
}

async function end(
  { db, env }: Staff,
  run: string,
  { sheet }: Prepared,
  tally: ImportCounts,
  state: "done" | "failed",
): Promise<void> {
  const { created, updated, unchanged, refused, details, refusedLines } = tally;
  const notes = tally.notes.slice(0, KEPT_DETAILS);
  if (refusedLines.size > 0) {
    const { type, body } = await rejectedRows(sheet, refusedLines);
    await env.BUCKET.put(rejectedRowsKey(run), body, { httpMetadata: { contentType: type } });
  }
  const finishedAt = Math.floor(Date.now() / 1000);
  const errorDetails = details.slice(0, KEPT_DETAILS);
  await finishRun(db, run, { created, updated, unchanged, refused, state, errorDetails, notes, finishedAt });
}

function resultOf({ created, updated, unchanged, refused, details, notes }: ImportCounts): BulkResult {
  const parts = [`${created} created`, `${updated} updated`];
  if (unchanged > 0) parts.push(`${unchanged} skipped`);
  if (refused > 0) parts.push(`${refused} refused`);
  return {
    message: parts.join(", "),
    created,
    updated,
    errors: refused,
    errorDetails: details,
    ...(notes.length > 0 && { notes }),
  };
}

/** Stores all of it, whether or not somebody still waits for the answer. */
async function wholly(import_: Import, { waitUntil }: Staff): Promise<void> {
  const work = async () => {
    for await (const _ of import_.steps());
  };
  const done = work();
  waitUntil(done.catch(() => undefined));
  await done;
}

/** Tells each batch as it is stored; storing goes on when the reader goes away. */
function streamed(import_: Import, { waitUntil }: Staff): Response {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const tell = (line: ImportRowResult) =>
    void writer.write(encoder.encode(`${JSON.stringify(line)}\n`)).catch(() => undefined);
  const work = async () => {
    try {
      for await (const stored of import_.steps()) tell({ stored, total: import_.total });
      tell({ result: import_.result(), run: import_.run });
    } catch (error) {
      tell({ failure: asAppError(error).message });
    }
    void writer.close().catch(() => undefined);
  };
  waitUntil(work());
  return new Response(readable, { headers: { "Content-Type": STREAM_TYPE, "Cache-Control": "no-store" } });
}
