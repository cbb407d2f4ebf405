import { openDb } from "~/db/client.server";
import { NextStep } from "~/http/nightly-job.server";
import { writeSearchForms } from "./search-forms.queries.server";

/**
 * Computes the forms in which the search finds texts that were stored without: by a migration, by an earlier version or by
 * SQL alone. Runs nightly, and one step every 15 minutes.
 */
export async function completeSearchForms(env: Env): Promise<NextStep | number> {
  const { done, hasMore } = await writeSearchForms(openDb(env.DB).db);
  return hasMore ? new NextStep("", done) : done;
}
