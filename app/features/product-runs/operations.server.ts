import { epochSeconds } from "~/domain/durations";
import { AppError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { fullName } from "~/session/caller.server";
import { formatDate, formatDateTime } from "~/ui/format";
import { withNames } from "./names.server";
import {
  claimUndo,
  countOutcomes,
  findRun,
  findUndo,
  finishRun,
  hasChanges,
  type ImportRun,
  runAuthor,
} from "./queries/runs.server";
import {
  type ChangeRow,
  countJudged,
  findChanges,
  findJudged,
  findSlices,
  judgeChanges,
  undoSlice,
} from "./queries/undo.server";
import {
  countsOf,
  countsOfRun,
  describeCounts,
  MAX_RUN_SECONDS,
  type OutcomeCounts,
  thisRun,
  UNDO_SECONDS,
} from "./runs";
import { MAX_STAYING, UndoAnswer, UndoInput, type UndoResult } from "./schema";
import { describeStaying } from "./staying.server";

/** Outcomes of an undo that leave something of a product. */
const STAYING = ["partial", "hidden", "stayed"];

/**
 * POST product/bulk-upload/{runId}/undo: takes an import, an act on many products or an undo back, or says with `dryRun` what
 * that would do.
 *
 * @throws AppError notFound (404); conflict (409) for a run that is being stored, was taken back, changed nothing, or is older
 * than 30 days
 */
export const undoRun = operation({
  route: "POST product/bulk-upload/:runId/undo",
  summary: "Take an import back",
  answer: UndoAnswer,
  query: ["dryRun"],
  errors: [409],
  access: "staff",
  input: UndoInput,
  async run({ input, ...context }): Promise<UndoResult> {
    const run = await requireRun(context, input.runId);
    const refusal = await undoRefusal(context, run);
    if (refusal) throw refusal;
    return input.dryRun ? dryRun(context, run) : takeBack(context, run);
  },
});

/** Finds a run that was begun. @throws AppError notFound */
export async function requireRun({ db }: Pick<StaffContext, "db">, id: string): Promise<ImportRun> {
  const run = await findRun(db, id);
  if (!run || run.state === "planned") throw new AppError("notFound", "There is no such upload");
  return run;
}

/** Tells that a run has begun and is neither finished nor interrupted. */
const isRunning = ({ state, startedAt }: ImportRun, now: number): boolean =>
  state === "running" && now - startedAt <= MAX_RUN_SECONDS;

/** Returns the instant until which a run can be taken back, epoch seconds. */
export const undoEnd = ({ finishedAt, startedAt }: Pick<ImportRun, "finishedAt" | "startedAt">): number =>
  (finishedAt ?? startedAt) + UNDO_SECONDS;

/**
 * Says why a run can't be taken back; null when it can.
 *
 * @param undo of the run, where the caller has read it
 */
export async function undoRefusal(
  context: StaffContext,
  run: ImportRun,
  undo?: ImportRun | null,
): Promise<AppError | null> {
  const { db, now, settings } = context;
  if (isRunning(run, now))
    return new AppError(
      "conflict",
      `${opening(thisRun(run))} is still being stored. Take it back when it has ended.`,
    );
  const earlier = undo === undefined ? await findUndo(db, run.id) : undo;
  if (earlier) return refusalBy(context, run, earlier);
  const end = undoEnd(run);
  if (now > end) {
    const day = formatDate(end, settings.timezone);
    return new AppError("conflict", `30 days are over: ${thisRun(run)} could be taken back until ${day}.`);
  }
  if (await hasChanges(db, run.id)) return null;
  return new AppError("conflict", `There is nothing to take back: ${thisRun(run)} changed no product.`);
}

const opening = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const underWay = (run: ImportRun) => `${opening(thisRun(run))} is being taken back right now.`;

/** Says what an earlier undo of a run did; null for one that has broken off, which goes on. */
function refusalBy({ now, settings }: StaffContext, run: ImportRun, undo: ImportRun): AppError | null {
  const details = [{ path: "runId", message: undo.id }];
  if (isRunning(undo, now))
    return new AppError("conflict", underWay(run), {
      details,
      isPublic: true,
    });
  if (undo.state !== "done") return null;
  const at = formatDateTime(undo.finishedAt ?? undo.startedAt, settings.timezone);
  const counts = describeCounts(countsOfRun(undo), true);
  return new AppError(
    "conflict",
    `${opening(thisRun(run))} was taken back on ${at} by ${undo.userName}: ${counts}.`,
    {
      details,
      isPublic: true,
    },
  );
}

async function dryRun(context: StaffContext, run: ImportRun): Promise<UndoResult> {
  const counts = await judgedCounts(context, run.id);
  const window = { limit: MAX_STAYING, offset: 0 };
  const rows = await judgeChanges(context.db, await findJudged(context.db, run.id, STAYING, window));
  return {
    message: `Nothing is changed yet: ${describeCounts(counts, false)}`,
    runId: null,
    ...counts,
    staying: await stayingOf(context, run, await withNames(context.db, rows), null),
  };
}

/** Counts the products of a run by what an undo would do with them. */
export async function judgedCounts({ db }: Pick<StaffContext, "db">, run: string): Promise<OutcomeCounts> {
  const rows = await countJudged(db, run);
  return countsOf(Object.fromEntries(rows.map(({ outcome, products }) => [outcome, products])));
}

/** Lists what stays of products. @param undo null for a dry run */
async function stayingOf(
  context: StaffContext,
  run: ImportRun,
  rows: ChangeRow[],
  undo: string | null,
): Promise<UndoResult["staying"]> {
  const period = { from: run.startedAt, until: context.now + 1 };
  const staying = await describeStaying(context, rows, period, undo ? [run.id, undo] : [run.id]);
  return rows.flatMap(({ row, productId, name }) =>
    (staying.get(row) ?? []).map(({ reason, by }) => ({ productId, product: name ?? "", reason, by })),
  );
}

/** Takes a run back to its end, even if the client disconnects. @throws AppError conflict when somebody else does so */
async function takeBack(context: StaffContext, run: ImportRun): Promise<UndoResult> {
  const { db, now, waitUntil } = context;
  const undo = await claimUndo(db, newUndo(context, run), now - MAX_RUN_SECONDS);
  if (!undo) {
    const other = await findUndo(db, run.id);
    throw (other && refusalBy(context, run, other)) ?? new AppError("conflict", underWay(run));
  }
  const work = undoSlices(context, run, undo);
  waitUntil(work.catch(() => undefined));
  const counts = await work;
  const window = { limit: MAX_STAYING, offset: 0 };
  const rows = await findChanges(db, undo, STAYING, window);
  return {
    message: `Taken back: ${describeCounts(counts, true)}`,
    runId: undo,
    ...counts,
    staying: await stayingOf(context, run, await withNames(db, rows), undo),
  };
}

function newUndo({ user, now }: StaffContext, { id, fileName, source, rows }: ImportRun) {
  return {
    id: crypto.randomUUID(),
    userName: fullName(user),
    fileName: `Undo of ${fileName}`.slice(0, 200),
    kind: "undo",
    undoes: id,
    source,
    state: "running",
    rows,
    startedAt: now,
  } as const;
}

/** Takes a run back slice by slice, after those of an earlier attempt. */
async function undoSlices(
  { db, user, now }: StaffContext,
  run: ImportRun,
  undo: string,
): Promise<OutcomeCounts> {
  try {
    let after = (await findRun(db, undo))?.position ?? 0;
    for (const upTo of await findSlices(db, run.id, after)) {
      const slice = { undo, run: run.id, after, upTo, actor: fullName(user), author: runAuthor(db, undo) };
      await undoSlice(db, slice, now);
      // The local engine accepts no request while a Worker calls D1 again right after an answer.
      await scheduler.wait(PAUSE);
      after = upTo;
    }
    return await endUndo(db, undo, "done");
  } catch (error) {
    await endUndo(db, undo, "failed").catch(() => undefined);
    throw error;
  }
}

/** Milliseconds between two transactions. */
const PAUSE = 5;

async function endUndo(
  db: StaffContext["db"],
  undo: string,
  state: "done" | "failed",
): Promise<OutcomeCounts> {
  const counts = countsOf(await countOutcomes(db, undo));
  const { stayed, ...others } = counts;
  const end = { ...others, unchanged: stayed, rejected: 0, errorDetails: [], notes: [] };
  await finishRun(db, undo, { ...end, state, finishedAt: epochSeconds() });
  return counts;
}
