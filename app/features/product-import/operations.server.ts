import { z } from "zod";
import { FIELDS, PRODUCT_SHEET } from "~/features/catalogue/product";
import { findRun } from "~/features/product-runs/queries/runs.server";
import { AppError } from "~/http/errors";
import { asAppError, type OperationContext, operation } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { csvFile } from "~/http/streams.server";
import { ImportAnswer } from "./answers";
import { rejectedRows, rejectedRowsName } from "./commit.server";
import { type ImportProgress, type ImportResult, type Plan, type PlanPage, rejectedRowsKey } from "./plan";
import { makePlan, planRows, variantsOf } from "./plan.server";
import { type Prepared, prepareImport } from "./prepare.server";
import {
  type ImportSource,
  loadSource,
  type RunningImport,
  startImport,
  startPrepared,
  storeSource,
} from "./runs.server";
import { ImportForm, type ImportRequest, ImportRequestInput } from "./schema";
import { MAX_REQUEST_BYTES } from "./sheet";

const STREAM_TYPE = "application/x-ndjson";

/** Access and limits of every operation that takes a spreadsheet. */
const SPREADSHEET = {
  access: "staff",
  input: ImportRequestInput,
  maxBytes: MAX_REQUEST_BYTES,
  accepts: "multipart",
} as const;

/**
 * POST product/bulk-upload: stores the valid rows and reports the others. A client that accepts `application/x-ndjson`
 * receives the progress after each batch.
 *
 * @throws AppError unsupportedType (415), tooLarge (413), invalid (400), notFound (404), conflict (409)
 */
export const importProducts = operation({
  route: "POST product/bulk-upload",
  summary: "Import a spreadsheet of products",
  answer: ImportAnswer,
  body: ImportForm,
  errors: [404, 409],
  ...SPREADSHEET,
  async run(context): Promise<ImportResult | Response> {
    const running = await startImport(context);
    if (context.request.headers.get("Accept") === STREAM_TYPE) return streamProgress(running, context);
    await runToEnd(running, context);
    return running.result();
  },
});

/**
 * Imports a spreadsheet from the page's form without JavaScript. A file about which something must be asked is planned
 * instead, and so is a planned run whose question is still open.
 */
export const importByForm = operation({
  ...SPREADSHEET,
  async run(context): Promise<{ run: string; result: ImportResult } | PlanPage> {
    const { source: requested } = context.input;
    const earlier = "run" in requested ? await findRun(context.db, requested.run) : undefined;
    if (earlier?.state === "done") return { run: earlier.id, result: (await startImport(context)).result() };
    const source = await loadSource(context, requested);
    const prepared = await prepareImport(context, source, {
      ...planning(context.input.choices),
      isDryRun: false,
    });
    const { problem } = prepared.recognised;
    if (problem) throw new AppError("invalid", problem);
    if (needsAnswer(prepared, source.run !== null)) return { plan: await planOf(context, source, prepared) };
    const running = await startPrepared(context, source, prepared);
    await runToEnd(running, context);
    return { run: running.run, result: running.result() };
  },
});

/** Detects an open question, or a guess about the file that was not displayed yet. @param isSeen the file was planned before */
function needsAnswer(prepared: Prepared, isSeen: boolean): boolean {
  const { recognised, choices, sheet, merged } = prepared;
  const { isGuessed, headerRow, sheet: index } = sheet.reading;
  const isGuess = isGuessed || headerRow > 1 || index > 0;
  const isOpen = !choices?.variantPrice && variantsOf(merged) !== null;
  return recognised.priceColumns !== undefined || ((isGuess || isOpen) && !isSeen);
}

/** Plans an import without storing any product. A spreadsheet sent here is stored for the run that the plan names. */
export const planImport = operation({
  ...SPREADSHEET,
  async run(context): Promise<Plan> {
    const source = await loadSource(context, context.input.source);
    return planOf(context, source, await prepareImport(context, source, planning(context.input.choices)));
  },
});

/** Plans the import of a form without JavaScript; a choice that can't be applied is told beside the plan without it. */
export const planByForm = operation({
  ...SPREADSHEET,
  async run(context): Promise<PlanPage> {
    const source = await loadSource(context, context.input.source);
    try {
      const prepared = await prepareImport(context, source, planning(context.input.choices));
      return { plan: await planOf(context, source, prepared) };
    } catch (error) {
      if (!(error instanceof AppError && error.code === "invalid" && context.input.choices)) throw error;
      const prepared = await prepareImport(context, source, planning(null));
      return { plan: await planOf(context, source, prepared), failure: messageOf(error) };
    }
  },
});

const planning = (choices: ImportRequest["choices"]) => ({
  choices,
  usesSavedChoices: true,
  allowsUnmapped: true,
  isDryRun: true,
});

async function planOf(
  context: OperationContext<"staff", ImportRequest>,
  source: ImportSource,
  prepared: Prepared,
): Promise<Plan> {
  const run = source.run?.id ?? (await storeSource(context, source, prepared));
  return { run, ...(await makePlan(context, source, prepared)) };
}

export const rejectedRowsOfPlan = operation({
  ...SPREADSHEET,
  async run(context): Promise<Response> {
    const source = await loadSource(context, context.input.source);
    const { choices } = context.input;
    const reading = { choices, usesSavedChoices: true, isDryRun: true };
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

/** Returns the message for the reader of a page, without the path of a field. */
const messageOf = ({ details, message }: AppError): string => details?.[0]?.message ?? message;

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
      send({ failure: messageOf(asAppError(error)) });
    }
    void writer.close().catch(() => undefined);
  };
  waitUntil(work());
  return new Response(readable, { headers: { "Content-Type": STREAM_TYPE, "Cache-Control": "no-store" } });
}

/** Downloads the template of a product import: the columns and one example row. */
export const templateCsv = operation({
  access: "staff",
  input: PageInput,
  run: async () =>
    csvFile("product_template", [...FIELDS], [[PRODUCT_SHEET.columns.map(({ field }) => field.example)]]),
});

function fileResponse(body: BodyInit, fileName: string, type = "text/csv; charset=utf-8"): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "no-store",
    },
  });
}
