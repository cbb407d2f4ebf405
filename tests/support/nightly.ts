import { NextStep, type NightlyJob } from "~/http/nightly-job.server";

/**
 * Runs all steps of a nightly job.
 *
 * @param bindings of each step, for instance ones that count
 * @returns the last result, with the number of things that all steps did if it is a number
 */
export async function allSteps(job: NightlyJob, bindings: () => Env): Promise<unknown> {
  let done = 0;
  for (let cursor: string | undefined; ; ) {
    const result = await job(bindings(), cursor);
    if (!(result instanceof NextStep)) return typeof result === "number" ? done + result : result;
    ({ cursor } = result);
    done += result.done;
  }
}
