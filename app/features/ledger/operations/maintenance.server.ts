import { openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { findDifferences, purgeDeleted } from "../queries/entries.server";

/** Seconds that a deleted entry can be restored. */
const UNDO_SECONDS = DAY_SECONDS;
/** Differences in one log entry. */
const MAX_LOGGED = 20;

/** Compares the ledger's sums with their rows and logs an error when they differ. Runs nightly. */
export async function checkLedger(env: Env): Promise<void> {
  const differences = await findDifferences(openDb(env.DB).db);
  if (differences.length === 0) return;
  const lines = differences
    .slice(0, MAX_LOGGED)
    .map(({ sums, key, stored, expected }) => `${sums} ${key}: ${stored} stored, ${expected} expected`);
  console.error(`The ledger's sums differ from its rows (${differences.length}):\n${lines.join("\n")}`);
}

/** Purges entries that were deleted a day ago or earlier. Runs nightly. */
export async function purgeDeletedEntries(env: Env): Promise<void> {
  await purgeDeleted(openDb(env.DB).db, epochSeconds() - UNDO_SECONDS);
}
