import { openDb } from "~/db/client.server";
import { DAY_SECONDS } from "~/domain/durations";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { IMAGE_TYPES } from "../image-header";
import { keysInUse } from "../queries.server";
import { resizeImage } from "../resize.server";
import { IMAGE_WIDTHS, ObjectInput } from "../schema";

/** Folder and types that are served; other objects of the bucket are private. */
const SERVED_FOLDER = "products/";
const SERVED_TYPES = new Set<string>(IMAGE_TYPES);
/** Types that the Images binding resizes; others are served unchanged. */
const RESIZABLE = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);
/** Types that a PDF file contains. */
const EMBEDDABLE = new Set(["image/jpeg", "image/png"]);
const IMMUTABLE = "public, max-age=31536000, immutable";
const NO_STORE = "no-store";
/** Maximum side of a WebP, px. */
const MAX_WEBP_SIDE = 16_383;
/** Policy for an image opened as a document. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * GET storage/object?key=&w=: an image, immutable, with ETag. A width that is not offered gets the next larger one; above the largest, the stored image is served.
 * The Worker caches images, resized ones as well (workers/shared-cache.ts). When resizing fails, the stored image is served, uncached.
 */
export const readObject = operation({
  route: "GET storage/object",
  summary: "Read a picture",
  answer: "file",
  errors: [404],
  access: "anyone",
  input: ObjectInput,
  async run({ env, input }) {
    if (!input.key.startsWith(SERVED_FOLDER)) throw imageNotFound();
    const width =
      input.w === undefined ? undefined : IMAGE_WIDTHS.find((offered) => offered >= (input.w ?? 0));
    return loadImage(env, input.key, width);
  },
});

const imageNotFound = () => new AppError("notFound", "No such image");

async function loadImage(env: Env, key: string, width: number | undefined): Promise<Response> {
  const object = await storedImage(env, key);
  const { type } = object;
  if (!width || !RESIZABLE.has(type)) return imageResponse(object.body, type, object.etag);
  const resized = await resizeImage(env, object.body, {
    place: "Resized image of a product",
    transform: { width, height: MAX_WEBP_SIDE, fit: "scale-down" },
    output: { format: type === "image/gif" ? "image/gif" : "image/webp", quality: 82 },
  });
  if (resized)
    return imageResponse(resized.image(), resized.contentType(), object.etag.replace(/"$/, `-${width}"`));
  const stored = await storedImage(env, key);
  return imageResponse(stored.body, type, stored.etag, NO_STORE);
}

/** Reads an image of the bucket. @throws AppError notFound, also for an object of another type */
async function storedImage(env: Env, key: string) {
  const object = await env.BUCKET.get(key);
  const type = object?.httpMetadata?.contentType ?? "";
  if (!object || !SERVED_TYPES.has(type)) throw imageNotFound();
  return { body: object.body, type, etag: object.httpEtag };
}

/** Reads the bytes of a stored JPEG or PNG; null for a key without one. */
export async function readPicture(env: Env, key: string): Promise<Uint8Array | null> {
  const object = key.startsWith(SERVED_FOLDER) ? await env.BUCKET.get(key) : null;
  const isEmbeddable = EMBEDDABLE.has(object?.httpMetadata?.contentType ?? "");
  return object && isEmbeddable ? new Uint8Array(await object.arrayBuffer()) : null;
}

function imageResponse(body: ReadableStream, type: string, etag: string, caching = IMMUTABLE): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": caching,
      ETag: etag,
      "Content-Security-Policy": IMAGE_POLICY,
      "Content-Disposition": "inline",
    },
  });
}

/** Minimum age of a removed object, seconds: an open form or a planned import may still name a newer one. */
export const UNUSED_OBJECT_SECONDS = DAY_SECONDS;

/** Keys per page, and pages per folder and night; the next night continues behind them. */
const PAGE_SIZE = 1000;
const MAX_PAGES = 100;
/** Prefix of the objects that store the last scanned key of a folder. */
const CURSOR_PREFIX = "sweep/";
export const SCAN_LIMITS: ScanLimits = { pageSize: PAGE_SIZE, maxPages: MAX_PAGES };

interface ScanLimits {
  pageSize: number;
  maxPages: number;
}

/**
 * Removes images that no product names. Runs nightly.
 *
 * @param now epoch milliseconds
 * @returns number of removed objects
 */
export async function removeUnusedImages(env: Env, now = Date.now(), limits = SCAN_LIMITS): Promise<number> {
  const { db } = openDb(env.DB);
  const selectUnused = async (objects: R2Object[]) => {
    const keys = objects.map(({ key }) => key);
    const used = await keysInUse(db, keys);
    return keys.filter((key) => !used.has(key));
  };
  const folder = { name: SERVED_FOLDER, before: now - UNUSED_OBJECT_SECONDS * 1000, limits };
  return (await removeOldObjects(env.BUCKET, folder, selectUnused)).removed;
}

interface Folder {
  name: string;
  /** Epoch milliseconds; newer objects stay. */
  before: number;
  limits?: ScanLimits;
}

/**
 * Removes old objects of a folder.
 *
 * @param select picks the keys to remove, right before they are removed
 * @returns number of removed objects, and whether the end of the folder is reached
 */
export async function removeOldObjects(
  bucket: R2Bucket,
  { name, before, limits = SCAN_LIMITS }: Folder,
  select: (objects: R2Object[]) => Promise<string[]>,
): Promise<{ removed: number; isComplete: boolean }> {
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
  return { removed, isComplete: after === "" };
}
