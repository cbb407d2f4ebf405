import { openDb } from "~/db/client.server";
import { NextStep } from "~/http/nightly-job.server";
import { writeSortKeys } from "./sort-keys.queries.server";

/**
 * Computes the sort keys of names that were stored without: by a migration, by an earlier version or by SQL alone. Runs
 * nightly, and one step every 15 minutes.
 */
export async function completeSortKeys(env: Env): Promise<NextStep | number> {
  const { done, hasMore } = await writeSortKeys(openDb(env.DB).db);
  return hasMore ? new NextStep("", done) : done;
}
