import { openDb } from "~/db/client.server";
import { DAY_SECONDS } from "~/domain/durations";
import { deletePlannedRuns } from "~/features/product-runs/queries/runs.server";
import { removeOldObjects, UNUSED_OBJECT_SECONDS } from "~/features/storage/operations/objects.server";
import { isSourceKey } from "./plan";

/** Lifetime of the files of rejected import rows, seconds. */
const REJECTED_ROWS_SECONDS = 90 * DAY_SECONDS;

/**
 * Removes uncommitted imports with their files, and old rejected rows. Runs nightly.
 *
 * @param now epoch milliseconds
 * @returns number of removed objects
 */
export async function removeOldImports(env: Env, now = Date.now()): Promise<number> {
  const isExpired = ({ key, uploaded }: R2Object) =>
    isSourceKey(key) || uploaded.getTime() < now - REJECTED_ROWS_SECONDS * 1000;
  await deletePlannedRuns(openDb(env.DB).db, Math.floor(now / 1000) - UNUSED_OBJECT_SECONDS);
  const folder = { name: "imports/", before: now - UNUSED_OBJECT_SECONDS * 1000 };
  const select = async (objects: R2Object[]) => objects.filter(isExpired).map(({ key }) => key);
  return (await removeOldObjects(env.BUCKET, folder, select)).removed;
}
