import { z } from "zod";
import { AppError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { rejectedRowsKey } from "./bulk-upload.server";
import { fileResponse } from "./export.server";
import type { RunView } from "./plan";
import { findRun, findRuns, type ImportRun } from "./queries.server";
import { rejectedRowsName } from "./rejected-rows.server";

const SHOWN_RUNS = 20;
/** Seconds after which a run that hasn't ended is taken for one that was cut off. */
const LONGEST_RUN = 3 * 60;

/** The latest runs, newest first, for the screen. */
export async function latestRuns({ db, now }: StaffContext): Promise<RunView[]> {
  return (await findRuns(db, SHOWN_RUNS)).map((run) => viewOf(run, now));
}

/** One run with what was refused in it; null when there is none. */
export async function runView({ db, now }: StaffContext, id: string): Promise<RunView | null> {
  const run = await findRun(db, id);
  if (!run) return null;
  const [errorDetails, notes] = [run.errorDetails as RunView["errorDetails"], run.notes as RunView["notes"]];
  return { ...viewOf(run, now), errorDetails, notes };
}

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

function viewOf(run: ImportRun, now: number): RunView {
  const { errorDetails: _, notes: __, ...rest } = run;
  const wasCutOff = run.state === "running" && now - run.startedAt > LONGEST_RUN;
  return { ...rest, state: wasCutOff ? "cut off" : run.state, errorDetails: [], notes: [] };
}
