import { validationError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { storedKey } from "./image-entries";
import { keysInUse } from "./queries.server";
import { LEFT_ALONE } from "./sweep.server";
import { newImageKey } from "./upload.server";

/** Explains an entry that names nothing the server has stored. */
export const NO_SUCH_IMAGE = "There is no such image. Upload it first";
/** Matches keys of the server's making: of uploads, and of the demo's pictures. */
const ISSUED = /^products\/[\w-]+\.(jpg|png|webp)$/;
/** Seconds after which an image without a product may be swept before its new product is stored. */
const SOON_SWEPT = LEFT_ALONE / 2;
/** Keys of one query. */
const KEYS_AT_ONCE = 1000;
/** Keys up to which single objects are looked up, and whole pages of the bucket above. */
const FEW = 20;
const PAGE = 1000;

type Storage = Pick<RequestContext, "db" | "env" | "now">;

/**
 * Checks the images of one product.
 *
 * @param known entries that the product names already
 * @returns the entries to store
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
  const details = imageUrls.flatMap((entry, at) =>
    known.includes(entry) || claims.has(entry) ? [] : [{ path: `imageUrls.${at}`, message: NO_SUCH_IMAGE }],
  );
  if (details.length > 0) throw validationError(details);
  return imageUrls.map((entry) => claims.get(entry) ?? entry);
}

/**
 * Finds the entries of imageUrls that a product may name: addresses, images of any product, and stored ones. The
 * nightly sweep may just be removing an old image without a product, so such an image is copied to a key of its own.
 *
 * @param isTrial nothing is going to be stored: nothing is copied
 * @returns for each such entry the one to store in its place
 */
export async function claimImages(
  { db, env, now }: Storage,
  entries: Iterable<string>,
  isTrial = false,
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
    const isOld = uploaded < now - SOON_SWEPT && !isTrial;
    const kept = isOld ? await copied(env.BUCKET, key) : key;
    if (kept) claims.set(entry, `minio:${kept}`);
  }
  return claims;
}

async function usedKeys(db: Storage["db"], keys: string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
    for (const key of await keysInUse(db, keys.slice(from, from + KEYS_AT_ONCE))) used.add(key);
  return used;
}

/**
 * Looks keys up in the order of the bucket: many of them cost a call for each page and not for each key.
 *
 * @returns the keys that are there, and when each was uploaded (epoch seconds)
 */
async function findObjects(bucket: R2Bucket, keys: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const wanted = keys.toSorted();
  const limit = keys.length > FEW ? PAGE : 1;
  for (let after = ""; wanted[0] !== undefined; ) {
    // Listing begins behind a key: the wanted one comes behind itself without its last letter.
    const before = wanted[0].slice(0, -1);
    const startAfter = after > before ? after : before;
    const { objects, truncated } = await bucket.list({ prefix: "products/", limit, startAfter });
    for (const { key, uploaded } of objects) found.set(key, uploaded.getTime() / 1000);
    after = objects.at(-1)?.key ?? "";
    const rest = truncated ? wanted.findIndex((key) => key > after) : -1;
    wanted.splice(0, rest === -1 ? wanted.length : rest);
  }
  return found;
}

/** Copies an image; null when it is gone. */
async function copied(bucket: R2Bucket, key: string): Promise<string | null> {
  const object = await bucket.get(key);
  if (!object) return null;
  const copy = newImageKey(ISSUED.exec(key)?.[1] ?? "jpg");
  const { httpMetadata = {}, customMetadata = {} } = object;
  await bucket.put(copy, await object.arrayBuffer(), { httpMetadata, customMetadata });
  return copy;
}
