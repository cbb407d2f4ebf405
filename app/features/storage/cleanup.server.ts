import { openDb } from "~/db/client.server";
import { deletePlannedRuns, isSourceKey } from "~/features/product-import/runs.queries.server";
import { keysInUse } from "./queries.server";

/** Minimum age of a removed object, seconds: an open form or a planned import may still name a newer one. */
export const UNUSED_OBJECT_SECONDS = 24 * 60 * 60;
/** Lifetime of the files of rejected import rows, seconds. */
const REJECTED_ROWS_SECONDS = 90 * 24 * 60 * 60;

/** Keys per page, and pages per folder and night; the next night continues behind them. */
const PAGE_SIZE = 1000;
const MAX_PAGES = 100;
/** Prefix of the objects that store the last scanned key of a folder. */
const CURSOR_PREFIX = "sweep/";

/** Limits of one run. */
interface ScanLimits {
  pageSize: number;
  maxPages: number;
}

/**
 * Removes images that no product names, files of imports that nobody committed, and old rejected rows. Run nightly.
 *
 * @param now epoch milliseconds
 * @returns number of removed objects
 */
export async function removeUnusedObjects(
  env: Env,
  now = Date.now(),
  limits: ScanLimits = { pageSize: PAGE_SIZE, maxPages: MAX_PAGES },
): Promise<number> {
  const { db } = openDb(env.DB, "first-primary");
  const selectUnused = async (objects: R2Object[]) => {
    const keys = objects.map(({ key }) => key);
    const used = await keysInUse(db, keys);
    return keys.filter((key) => !used.has(key));
  };
  const isExpired = ({ key, uploaded }: R2Object) =>
    isSourceKey(key) || uploaded.getTime() < now - REJECTED_ROWS_SECONDS * 1000;
  const selectExpired = async (objects: R2Object[]) => objects.filter(isExpired).map(({ key }) => key);
  const folder = (name: string) => ({ name, before: now - UNUSED_OBJECT_SECONDS * 1000, limits });
  await deletePlannedRuns(db, Math.floor(now / 1000) - UNUSED_OBJECT_SECONDS);
  const images = await removeOld(env.BUCKET, folder("products/"), selectUnused);
  const imports = await removeOld(env.BUCKET, folder("imports/"), selectExpired);
  return images + imports;
}

interface Folder {
  name: string;
  /** Epoch milliseconds; newer objects stay. */
  before: number;
  limits: ScanLimits;
}

/** @param select picks the keys to remove, right before they are removed */
async function removeOld(
  bucket: R2Bucket,
  { name, before, limits }: Folder,
  select: (objects: R2Object[]) => Promise<string[]>,
): Promise<number> {
  const cursor = CURSOR_PREFIX + name;
  let after = (await (await bucket.get(cursor))?.text()) ?? "";
  const from = after;
  let removed = 0;
  for (let page = 0; page < limits.maxPages; page++) {
    const { objects, truncated } = await bucket.list({
      prefix: name,
      limit: limits.pageSize,
      ...(after && { startAfter: after }),
    });
    const old = objects.filter(({ uploaded }) => uploaded.getTime() < before);
    const unused = old.length > 0 ? await select(old) : [];
    if (unused.length > 0) await bucket.delete(unused);
    removed += unused.length;
    after = truncated ? (objects.at(-1)?.key ?? "") : "";
    if (after === "") break;
  }
  if (after) await bucket.put(cursor, after);
  else if (from) await bucket.delete(cursor);
  return removed;
}
