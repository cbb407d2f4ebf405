import { asAppError } from "~/http/api-route.server";
import { type OperationContext, operation } from "~/http/operation.server";
import { readCategory } from "../categories";
import { startTally, storeEntries, type Tally } from "./commit.server";
import { fileResponse } from "./export.server";
import { finishRun, type ImportRun, insertRun } from "./imports.queries.server";
import { kindKey } from "./layouts/recognise";
import type { BulkLine, BulkResult, KindGuess, Plan } from "./plan";
import { planRows } from "./plan.server";
import { type Prepared, prepare, remember } from "./prepare.server";
import { refusedName, refusedRows } from "./refused-rows.server";
import { type BulkUpload, BulkUploadInput } from "./schema";
import { FILE_BYTES, textOf } from "./sheet";

/** The file, and the form around it. */
const MAX_BYTES = FILE_BYTES + 256 * 1024;
/** What was wrong with that many rows is kept with the run; the rest stands in its file. */
const KEPT_DETAILS = 500;
const SHOWN_KINDS = 200;
const STREAM_TYPE = "application/x-ndjson";

type Staff = OperationContext<"staff", BulkUpload>;

/** The bucket's key of a run's refused rows. */
export const refusedKey = (run: string) => `imports/${run}`;

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
    if (context.request.headers.get("Accept") === STREAM_TYPE) return streamed(import_);
    for await (const _ of import_.steps());
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
    for await (const _ of import_.steps());
    return { run: import_.run, result: import_.result() };
  },
});

/** Says what a bulk upload would do, row by row, and how the file was understood. Stores nothing. */
export const planBulkUpload = operation({
  access: "staff",
  input: BulkUploadInput,
  maxBytes: MAX_BYTES,
  accepts: "multipart",
  async run(context): Promise<Plan> {
    const { file, choices: said } = context.input;
    const prepared = await prepare(context, file, { choices: said, remembers: true, mayAsk: true });
    const { choices, folded } = prepared;
    return {
      ...describe(file, prepared),
      remembered: !said && Boolean(choices?.columns),
      choices: choices && { columns: choices.columns, categories: choices.categories },
      rows: await planRows(context.db, folded),
    };
  },
});

/** The rows that storing would refuse, as the file that they would be. */
export const refusedOfPlan = operation({
  access: "staff",
  input: BulkUploadInput,
  maxBytes: MAX_BYTES,
  accepts: "multipart",
  async run(context): Promise<Response> {
    const { file, choices } = context.input;
    const { sheet, recognised, folded } = await prepare(context, file, { choices, remembers: true });
    const linesOf = new Map(recognised.drafts.map(({ row, lines }) => [row, lines]));
    const refused = new Map<number, string>();
    for (const { row, does, why = "" } of await planRows(context.db, folded))
      if (does === "refuse") for (const line of linesOf.get(row) ?? []) refused.set(line, why);
    const { type, body } = await refusedRows(sheet, refused);
    return fileResponse(body, refusedName(file.name, type), type);
  },
});

function describe(
  file: File,
  { sheet, recognised }: Prepared,
): Omit<Plan, "rows" | "remembered" | "choices"> {
  return {
    fileName: file.name,
    bytes: file.size,
    sheetName: sheet.name,
    source: recognised.source,
    fileRows: sheet.rows.length,
    headers: sheet.headers,
    samples: sheet.headers.map((_, place) => textOf(sheet.rows[0]?.cells[place]).slice(0, 80)),
    mapping: recognised.mapping,
    kinds: kindsOf(recognised),
    ...(recognised.problem && { problem: recognised.problem }),
  };
}

/** The kinds that a file names, the most frequent first. */
function kindsOf({ drafts }: Prepared["recognised"]): KindGuess[] {
  const kinds = new Map<string, KindGuess>();
  for (const { kind, category } of drafts) {
    if (kind === "") continue;
    const known = kinds.get(kindKey(kind));
    if (known) known.products++;
    else
      kinds.set(kindKey(kind), { kind: kind.slice(0, 200), products: 1, category: readCategory(category) });
  }
  return [...kinds.values()].sort((a, b) => b.products - a.products).slice(0, SHOWN_KINDS);
}

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
  const prepared = await prepare(context, input.file, { choices: input.choices, remembers });
  const run = newRun(prepared, input.file.name, `${user.firstName} ${user.lastName}`.trim(), now);
  await insertRun(db, run);
  if (input.choices) await remember(context, prepared);
  const tally = startTally(prepared.folded);
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
    startedAt: now,
    finishedAt: null,
  };
}

async function end(
  { db, env }: Staff,
  run: string,
  { sheet }: Prepared,
  tally: Tally,
  state: "done" | "failed",
): Promise<void> {
  const { created, updated, unchanged, refused, details, refusedLines } = tally;
  if (refusedLines.size > 0) {
    const { type, body } = await refusedRows(sheet, refusedLines);
    await env.BUCKET.put(refusedKey(run), body, { httpMetadata: { contentType: type } });
  }
  const finishedAt = Math.floor(Date.now() / 1000);
  const errorDetails = details.slice(0, KEPT_DETAILS);
  await finishRun(db, run, { created, updated, unchanged, refused, state, errorDetails, finishedAt });
}

function resultOf({ created, updated, unchanged, leftOut, refused, details }: Tally): BulkResult {
  const parts = [`${created} created`, `${updated} updated`];
  if (unchanged > leftOut) parts.push(`${unchanged - leftOut} unchanged`);
  if (leftOut > 0) parts.push(`${leftOut} left out`);
  if (refused > 0) parts.push(`${refused} refused`);
  return { message: parts.join(", "), created, updated, errors: refused, errorDetails: details };
}

/** Tells each batch as it is stored; when the reader goes away, what is stored stays. */
function streamed(import_: Import): Response {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const tell = (line: BulkLine) => writer.write(encoder.encode(`${JSON.stringify(line)}\n`));
  const work = async () => {
    try {
      for await (const stored of import_.steps()) await tell({ stored, total: import_.total });
      await tell({ result: import_.result(), run: import_.run });
    } catch (error) {
      await tell({ failure: asAppError(error).message }).catch(() => undefined);
    }
    await writer.close().catch(() => undefined);
  };
  void work();
  return new Response(readable, { headers: { "Content-Type": STREAM_TYPE, "Cache-Control": "no-store" } });
}
