import { openDb } from "~/db/client.server";
import { purgeDeleted } from "../queries/entries.queries.server";
import { findDifferences } from "../queries/upkeep.queries.server";

/** How long what was deleted can be put back at least, in seconds. */
const KEPT = 86_400;
/** Differences that are written to the log. */
const LOGGED = 20;

/** Compares the books' sums with their rows and logs an error when they differ. Run nightly. */
export async function checkLedger(env: Env): Promise<void> {
  const differences = await findDifferences(openDb(env.DB, null).db);
  if (differences.length === 0) return;
  const told = differences
    .slice(0, LOGGED)
    .map(({ sums, of, kept, counted }) => `${sums} ${of}: ${kept}, but its rows make ${counted}`);
  console.error(`The ledger's sums differ from its rows (${differences.length}):\n${told.join("\n")}`);
}

/** Forgets entries that were deleted a day ago or earlier. Run nightly. */
export async function sweepDeleted(env: Env): Promise<void> {
  await purgeDeleted(openDb(env.DB, null).db, Math.floor(Date.now() / 1000) - KEPT);
}
