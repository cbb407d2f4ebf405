import { openDb } from "~/db/client.server";
import { DAY_SECONDS } from "~/domain/durations";
import { NextStep } from "~/http/nightly-job.server";
import { deleteOldChanges } from "./queries/runs.server";
import { UNDO_SECONDS } from "./runs";

/** Seconds for which changes are kept: a run that ends at midnight may have begun the day before. */
const KEPT_SECONDS = UNDO_SECONDS + DAY_SECONDS;

/**
 * Deletes what runs changed that can no longer be taken back. Runs nightly, in steps.
 *
 * @param now epoch milliseconds
 * @returns number of deleted changes, or the next step
 */
export async function removeOldChanges(env: Env, now = Date.now()): Promise<number | NextStep> {
  const before = Math.floor(now / 1000) - KEPT_SECONDS;
  const { deleted, isLast } = await deleteOldChanges(openDb(env.DB).db, before);
  return isLast ? deleted : new NextStep("more", deleted);
}
