import { openDb } from "~/db/client.server";
import { keysInUse } from "./queries.server";

/** Seconds that an object is left alone: a form that is open may still name it. */
export const LEFT_ALONE = 24 * 60 * 60;
/** Seconds that the files of an import's refused rows are kept. */
const IMPORTS_KEPT = 90 * 24 * 60 * 60;

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
 * Removes stored images that no product names, and the refused rows of old imports. Run nightly.
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
  const orphans = async (keys: string[]) => {
    const used = await keysInUse(db, keys);
    return keys.filter((key) => !used.has(key));
  };
  const folder = (name: string, kept: number) => ({ name, before: now - kept * 1000, extent });
  const images = await sweep(env.BUCKET, folder("products/", LEFT_ALONE), orphans);
  const imports = await sweep(env.BUCKET, folder("imports/", IMPORTS_KEPT), async (keys) => keys);
  return images + imports;
}

interface Folder {
  name: string;
  /** Epoch milliseconds: what was stored later is left alone. */
  before: number;
  extent: Extent;
}

/** @param choose which of the old enough keys go; asked right before they do */
async function sweep(
  bucket: R2Bucket,
  { name, before, extent }: Folder,
  choose: (keys: string[]) => Promise<string[]>,
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
    const old = objects.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key);
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
