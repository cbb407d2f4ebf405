import { requireNoRestore } from "~/db/restores.server";
import { validationError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { UNUSED_OBJECT_SECONDS } from "./operations/objects.server";
import { newImageKey } from "./operations/upload.server";
import { keysInUse } from "./queries.server";
import { storedKey } from "./schema";

export const NO_SUCH_IMAGE = "There is no such image. Upload it first";
/** Matches keys issued by the server, of uploads and demo pictures. */
const ISSUED = /^products\/[\w-]+\.(jpg|png|webp)$/;
/** Age in seconds after which the nightly cleanup may remove an unused image before its new product is stored. */
const SOON_REMOVED_SECONDS = UNUSED_OBJECT_SECONDS / 2;
const MAX_KEYS = 1000;
/** Number of keys up to which objects are looked up one by one, instead of by pages of the bucket. */
const MAX_SINGLE_LOOKUPS = 20;
const PAGE_SIZE = 1000;

type Storage = Pick<RequestContext, "db" | "env" | "now">;

/**
 * Checks the images of one product.
 *
 * @param known entries of the product so far
 * @returns entries to store
 * @throws AppError invalid (400) with a detail for each entry that the server has not issued
 */
export async function claimedImages(
  storage: Storage,
  imageUrls: string[],
  known: string[] = [],
): Promise<string[]> {
  const claims = await claimImages(
    storage,
    imageUrls.filter((entry) => !known.includes(entry)),
  );
  const details = imageUrls.flatMap((entry, i) =>
    known.includes(entry) || claims.has(entry) ? [] : [{ path: `imageUrls.${i}`, message: NO_SUCH_IMAGE }],
  );
  if (details.length > 0) throw validationError(details);
  return imageUrls.map((entry) => claims.get(entry) ?? entry);
}

/**
 * Finds the entries of imageUrls that a product may name: URLs, images of any product, and stored ones. An old image
 * without a product is copied to a new key, because the nightly cleanup may be removing it right now.
 *
 * @param isDryRun copies nothing, for a dry run
 * @returns for each valid entry the one to store
 */
export async function claimImages(
  { db, env, now }: Storage,
  entries: Iterable<string>,
  isDryRun = false,
): Promise<Map<string, string>> {
  const claims = new Map<string, string>();
  const free = new Map<string, string>();
  const keys = new Map([...entries].map((entry) => [entry, storedKey(entry)]));
  const used = await usedKeys(
    db,
    [...keys.values()].filter((key) => key !== null),
  );
  for (const [entry, key] of keys) {
    if (key === null || used.has(key)) claims.set(entry, entry);
    else if (ISSUED.test(key)) free.set(key, entry);
  }
  const stored = await findObjects(env.BUCKET, [...free.keys()]);
  for (const [key, entry] of free) {
    const uploaded = stored.get(key);
    if (uploaded === undefined) continue;
    const isOld = uploaded < now - SOON_REMOVED_SECONDS && !isDryRun;
    const claimedKey = isOld ? await copyImage({ db, env }, key) : key;
    if (claimedKey) claims.set(entry, `minio:${claimedKey}`);
  }
  return claims;
}

async function usedKeys(db: Storage["db"], keys: string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (let from = 0; from < keys.length; from += MAX_KEYS)
    for (const key of await keysInUse(db, keys.slice(from, from + MAX_KEYS))) used.add(key);
  return used;
}

/**
 * Looks up keys in the order of the bucket, so that many keys cost one call per page instead of one per key.
 *
 * @returns upload time of each existing key, epoch seconds
 */
async function findObjects(bucket: R2Bucket, keys: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const missing = keys.toSorted();
  const limit = keys.length > MAX_SINGLE_LOOKUPS ? PAGE_SIZE : 1;
  for (let after = ""; missing[0] !== undefined; ) {
    // `startAfter` is exclusive, so it gets the key without its last letter.
    const before = missing[0].slice(0, -1);
    const startAfter = after > before ? after : before;
    const { objects, truncated } = await bucket.list({ prefix: "products/", limit, startAfter });
    for (const { key, uploaded } of objects) found.set(key, uploaded.getTime() / 1000);
    after = objects.at(-1)?.key ?? "";
    const rest = truncated ? missing.findIndex((key) => key > after) : -1;
    missing.splice(0, rest === -1 ? missing.length : rest);
  }
  return found;
}

/** Copies an image; null when it is gone. */
async function copyImage(
  { db, env: { BUCKET } }: Pick<Storage, "db" | "env">,
  key: string,
): Promise<string | null> {
  const object = await BUCKET.get(key);
  if (!object) return null;
  await requireNoRestore(db);
  const copy = newImageKey(ISSUED.exec(key)?.[1] ?? "jpg");
  const { httpMetadata = {}, customMetadata = {} } = object;
  await BUCKET.put(copy, await object.arrayBuffer(), { httpMetadata, customMetadata });
  return copy;
}
