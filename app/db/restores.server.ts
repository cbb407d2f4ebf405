import type { Db } from "./client.server";
import { RESTORING } from "./metered-d1.server";
import { restores } from "./schema";

/** Tests for a restore under way, during which only the restore stores anything. */
export async function isRestoring(db: Db): Promise<boolean> {
  return (await db.select({ one: restores.one }).from(restores)).length > 0;
}

/** Refuses to store a file or a message during a restore; rows are refused by triggers. @throws Error RESTORING */
export async function requireNoRestore(db: Db): Promise<void> {
  if (await isRestoring(db)) throw refusedByRestore();
}

/** Creates the error of a write that is refused during a restore. */
export const refusedByRestore = () => new Error(RESTORING);
