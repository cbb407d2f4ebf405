import type { JobResult } from "~/db/schema";
import { epochSeconds } from "~/domain/durations";
import { notRecorded, recordDb } from "~/features/incidents/operations.server";
import { NextStep, type NightlyJob } from "~/http/nightly-job.server";
import { describeError } from "~/http/request-log.server";
import { insertNightlyRun, saveJobResult } from "./queries.server";

export type { JobResult };

/** Records that a nightly run begins. Never rejects. @returns its beginning, by which it is recorded */
export async function beginRun(env: Env, names: string[]): Promise<number> {
  const startedAt = epochSeconds();
  await insertNightlyRun(recordDb(env), startedAt, names).catch(notRecorded);
  return startedAt;
}

/** Result of a step; a job has one more with `next`. */
export interface StepResult {
  result: string;
  failed: boolean;
  next?: string;
  /** Number of things that the steps did up to now. */
  done: number;
}

/** Runs one step of a job. Never rejects. @param before number of things that the steps before did */
export async function runStep(
  env: Env,
  job: NightlyJob,
  cursor: string | undefined,
  before: number,
): Promise<StepResult> {
  try {
    const result = await job(env, cursor);
    if (result instanceof NextStep)
      return { result: "", failed: false, next: result.cursor, done: before + result.done };
    const done = before + (typeof result === "number" ? result : 0);
    const text = typeof result === "string" ? result : typeof result === "number" ? String(done) : "done";
    return { result: text, failed: false, done };
  } catch (error) {
    return { result: describeError(error), failed: true, done: before };
  }
}

/** Logs and records the end of a job in the runs that wait for it. Never rejects. */
export async function endJob(env: Env, runs: number[], result: JobResult): Promise<void> {
  const line = JSON.stringify({ level: result.failed ? "error" : "info", kind: "nightly", ...result });
  if (result.failed) console.error(line);
  else console.info(line);
  await saveJobResult(recordDb(env), runs, result, Date.now()).catch(notRecorded);
}
