import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { rejectedRowsKey } from "./bulk-upload.server";
import { fileResponse } from "./export.server";
import type { RunView } from "./plan";
import { findRun, findRuns, type ImportRun } from "./queries.server";
import { rejectedRowsName } from "./rejected-rows.server";

const SHOWN_RUNS = 20;
/** Seconds after which a run that hasn't ended is taken for one that was cut off. */
const LONGEST_RUN = 3 * 60;

/** The latest runs, newest first, for the screen. */
export async function latestRuns({ db, now }: RequestContext): Promise<RunView[]> {
  return (await findRuns(db, SHOWN_RUNS)).map((run) => viewOf(run, now));
}

/** One run with what was refused in it; null when there is none. */
export async function runView({ db, now }: RequestContext, id: string): Promise<RunView | null> {
  const run = await findRun(db, id);
  if (!run) return null;
  const [errorDetails, notes] = [run.errorDetails as RunView["errorDetails"], run.notes as RunView["notes"]];
  return { ...viewOf(run, now), errorDetails, notes };
}

/**
 * The refused rows of a run as a file.
 *
 * @param context of a member of staff
 * @throws AppError notFound (404): there are none, or no longer
 */
export async function rejectedRowsFile({ db, env }: RequestContext, id: string): Promise<Response> {
  const run = await findRun(db, id);
  const file = run && (await env.BUCKET.get(rejectedRowsKey(run.id)));
  if (!file) throw new AppError("notFound", "There is no such file");
  const type = file.httpMetadata?.contentType;
  return fileResponse(file.body, rejectedRowsName(run.fileName, type), type);
}

function viewOf(run: ImportRun, now: number): RunView {
  const { errorDetails: _, notes: __, ...rest } = run;
  const wasCutOff = run.state === "running" && now - run.startedAt > LONGEST_RUN;
  return { ...rest, state: wasCutOff ? "cut off" : run.state, errorDetails: [], notes: [] };
}
