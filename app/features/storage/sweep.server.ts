import { openDb } from "~/db/client.server";
import { keysInUse } from "./queries.server";

/** Seconds that an object is left alone: a form that is open may still name it. */
const LEFT_ALONE = 24 * 60 * 60;
/** Seconds that the files of an import's refused rows are kept. */
const IMPORTS_KEPT = 90 * 24 * 60 * 60;

/**
 * Removes stored images that no product names, and the refused rows of old imports. Run nightly.
 *
 * @param now epoch milliseconds
 * @returns how many objects were removed
 */
export async function sweepObjects(env: Env, now = Date.now()): Promise<number> {
  const { db } = openDb(env.DB, "first-primary");
  const orphans = async (keys: string[]) => {
    const used = await keysInUse(db, keys);
    return keys.filter((key) => !used.has(key));
  };
  const images = await sweep(env.BUCKET, "products/", now - LEFT_ALONE * 1000, orphans);
  const imports = await sweep(env.BUCKET, "imports/", now - IMPORTS_KEPT * 1000, async (keys) => keys);
  return images + imports;
}

/** @param choose which of the old enough keys go; asked right before they do */
async function sweep(
  bucket: R2Bucket,
  prefix: string,
  before: number,
  choose: (keys: string[]) => Promise<string[]>,
): Promise<number> {
  let removed = 0;
  for (let cursor: string | undefined, more = true; more; ) {
    const page: R2Objects = await bucket.list({ prefix, ...(cursor && { cursor }) });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key);
    const going = old.length > 0 ? await choose(old) : [];
    if (going.length > 0) await bucket.delete(going);
    removed += going.length;
    more = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return removed;
}
