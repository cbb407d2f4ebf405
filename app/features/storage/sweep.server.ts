import { openDb } from "~/db/client.server";
import { deletePlannedRuns, isSourceKey } from "~/features/product-import/runs.queries.server";
import { keysInUse } from "./queries.server";

/** Seconds that an object is left alone: a form that is open may still name it. */
export const LEFT_ALONE = 24 * 60 * 60;
/** Seconds that rejected rows of imports are kept. */
const REJECTED_ROWS_KEPT = 90 * 24 * 60 * 60;

/** Keys of one page, and pages of each folder that a night looks through: the next one goes on behind them. */
const PAGE = 1000;
const MOST_PAGES = 100;
/** Where it is kept how far a folder was looked through. */
const MARKS = "sweep/";

/** How much of the bucket one run looks through. */
interface Extent {
  page: number;
  pages: number;
}

/**
 * Removes stored images that no product names, files of imports that nobody committed, and old rejected rows. Run nightly.
 *
 * @param now epoch milliseconds
 * @returns how many objects were removed
 */
export async function sweepObjects(
  env: Env,
  now = Date.now(),
  extent: Extent = { page: PAGE, pages: MOST_PAGES },
): Promise<number> {
  const { db } = openDb(env.DB, "first-primary");
  const orphans = async (objects: R2Object[]) => {
    const keys = objects.map(({ key }) => key);
    const used = await keysInUse(db, keys);
    return keys.filter((key) => !used.has(key));
  };
  const isExpired = ({ key, uploaded }: R2Object) =>
    isSourceKey(key) || uploaded.getTime() < now - REJECTED_ROWS_KEPT * 1000;
  const expired = async (objects: R2Object[]) => objects.filter(isExpired).map(({ key }) => key);
  const folder = (name: string) => ({ name, before: now - LEFT_ALONE * 1000, extent });
  await deletePlannedRuns(db, Math.floor(now / 1000) - LEFT_ALONE);
  const images = await sweep(env.BUCKET, folder("products/"), orphans);
  const imports = await sweep(env.BUCKET, folder("imports/"), expired);
  return images + imports;
}

interface Folder {
  name: string;
  /** Epoch milliseconds: what was stored later is left alone. */
  before: number;
  extent: Extent;
}

/** @param choose selects the keys to remove among objects that are old enough */
async function sweep(
  bucket: R2Bucket,
  { name, before, extent }: Folder,
  choose: (objects: R2Object[]) => Promise<string[]>,
): Promise<number> {
  const mark = MARKS + name;
  let after = (await (await bucket.get(mark))?.text()) ?? "";
  const from = after;
  let removed = 0;
  for (let page = 0; page < extent.pages; page++) {
    const { objects, truncated } = await bucket.list({
      prefix: name,
      limit: extent.page,
      ...(after && { startAfter: after }),
    });
    const old = objects.filter(({ uploaded }) => uploaded.getTime() < before);
    const going = old.length > 0 ? await choose(old) : [];
    if (going.length > 0) await bucket.delete(going);
    removed += going.length;
    after = truncated ? (objects.at(-1)?.key ?? "") : "";
    if (after === "") break;
  }
  if (after) await bucket.put(mark, after);
  else if (from) await bucket.delete(mark);
  return removed;
}
