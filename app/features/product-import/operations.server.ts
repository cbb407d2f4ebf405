import { z } from "zod";
import { AppError } from "~/http/errors";
import { asAppError, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { fileResponse } from "./export.server";
import type { ImportProgress, ImportResult, Plan } from "./plan";
import { makePlan, planRows } from "./plan.server";
import { prepareImport } from "./prepare.server";
import { rejectedRows, rejectedRowsName } from "./rejected-rows.server";
import { findRun, rejectedRowsKey } from "./runs.queries.server";
import { loadSource, type RunningImport, startImport, storeSource } from "./runs.server";
import { ImportRequestInput } from "./schema";
import { MAX_BYTES } from "./sheet";

const STREAM_TYPE = "application/x-ndjson";

/** Access and limits of every operation that takes a spreadsheet. */
const SPREADSHEET = {
  access: "staff",
  input: ImportRequestInput,
  maxBytes: MAX_BYTES,
  accepts: "multipart",
} as const;

/**
 * POST product/bulk-upload: stores the valid rows and reports the others. A client that accepts `application/x-ndjson`
 * receives the progress after each batch.
 *
 * @throws AppError unsupportedType (415), tooLarge (413), invalid (400), notFound (404), conflict (409)
 */
export const bulkUpload = operation({
  ...SPREADSHEET,
  async run(context): Promise<ImportResult | Response> {
    const running = await startImport(context, false);
    if (context.request.headers.get("Accept") === STREAM_TYPE) return streamProgress(running, context);
    await runToEnd(running, context);
    return running.result();
  },
});

/** Imports a spreadsheet from the page's form without JavaScript. */
export const bulkUploadByForm = operation({
  ...SPREADSHEET,
  async run(context): Promise<{ run: string; result: ImportResult }> {
    const running = await startImport(context, true);
    await runToEnd(running, context);
    return { run: running.run, result: running.result() };
  },
});

/** Plans an import without storing any product. A spreadsheet sent here is stored for the run that the plan names. */
export const planBulkUpload = operation({
  ...SPREADSHEET,
  async run(context): Promise<Plan> {
    const { source: requested, choices } = context.input;
    const source = await loadSource(context, requested);
    const prepared = await prepareImport(context, source, {
      choices,
      remembers: true,
      allowsUnmapped: true,
      isTrial: true,
    });
    const run = source.run?.id ?? (await storeSource(context, source, prepared));
    return { run, ...(await makePlan(context.db, source, prepared, choices !== null)) };
  },
});

/** Downloads the rows that committing a plan would reject. */
export const rejectedRowsOfPlan = operation({
  ...SPREADSHEET,
  async run(context): Promise<Response> {
    const source = await loadSource(context, context.input.source);
    const { choices } = context.input;
    const reading = { choices, remembers: true, isTrial: true };
    const { sheet, recognised, merged } = await prepareImport(context, source, reading);
    const linesByRow = new Map(recognised.drafts.map(({ row, lines }) => [row, lines]));
    const rejected = new Map<number, string>();
    for (const { row, action, reason = "" } of await planRows(context.db, merged))
      if (action === "reject") for (const line of linesByRow.get(row) ?? []) rejected.set(line, reason);
    const { type, body } = await rejectedRows(sheet, rejected);
    return fileResponse(body, rejectedRowsName(source.name, type), type);
  },
});

/**
 * Downloads the rejected rows of a run.
 *
 * @throws AppError notFound (404) when the run has none, or no longer
 */
export const rejectedRowsFile = operation({
  access: "staff",
  input: z.object({ id: z.string() }),
  async run({ db, env, input }): Promise<Response> {
    const run = await findRun(db, input.id);
    const file = run && (await env.BUCKET.get(rejectedRowsKey(run.id)));
    if (!file) throw new AppError("notFound", "There is no such file");
    const type = file.httpMetadata?.contentType;
    return fileResponse(file.body, rejectedRowsName(run.fileName, type), type);
  },
});

/** Stores everything, even if the client disconnects. */
async function runToEnd(running: RunningImport, { waitUntil }: RequestContext): Promise<void> {
  const work = async () => {
    for await (const _ of running.steps());
  };
  const done = work();
  waitUntil(done.catch(() => undefined));
  await done;
}

/** Streams the progress; storing continues if the client disconnects. */
function streamProgress(running: RunningImport, { waitUntil }: RequestContext): Response {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const send = (line: ImportProgress) =>
    void writer.write(encoder.encode(`${JSON.stringify(line)}\n`)).catch(() => undefined);
  const work = async () => {
    try {
      for await (const stored of running.steps()) send({ stored, total: running.total });
      send({ result: running.result(), run: running.run });
    } catch (error) {
      send({ failure: asAppError(error).message });
    }
    void writer.close().catch(() => undefined);
  };
  waitUntil(work());
  return new Response(readable, { headers: { "Content-Type": STREAM_TYPE, "Cache-Control": "no-store" } });
}
