import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { IMAGE_TYPES } from "./formats/header";
import { IMAGE_WIDTHS } from "./image-entries";
import { ObjectInput } from "./schema";

export { removeUnusedObjects } from "./cleanup.server";
export { storeImages, uploadImages } from "./upload.server";

/** Types that are served; other objects of the bucket are private. */
const SERVED_TYPES = new Set<string>(IMAGE_TYPES);
/** Types that the Images binding resizes; others are served unchanged. */
const RESIZABLE = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);
const IMMUTABLE = "public, max-age=31536000, immutable";
/** Maximum side of a WebP, px. */
const MAX_WEBP_SIDE = 16_383;
/** Policy for an image opened as a document. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * GET storage/object?key=&w=: an image, immutable, with ETag. A width that is not offered gets the next larger one.
 * Resized images are stored in the edge cache.
 */
export const readObject = operation({
  access: "anyone",
  input: ObjectInput,
  async run({ env, request, waitUntil, input }) {
    const width =
      input.w === undefined ? undefined : IMAGE_WIDTHS.find((offered) => offered >= (input.w ?? 0));
    const cacheKey = new URL("/api/storage/object", request.url);
    cacheKey.search = new URLSearchParams({ key: input.key, ...(width && { w: String(width) }) }).toString();
    const cached = await caches.default.match(cacheKey);
    const image = cached ?? (await loadImage(env, input.key, width));
    if (!cached) waitUntil(caches.default.put(cacheKey, image.clone()));
    return notModified(request, image) ?? new Response(image.body, image);
  },
});

async function loadImage(env: Env, key: string, width: number | undefined): Promise<Response> {
  const object = await env.BUCKET.get(key);
  const type = object?.httpMetadata?.contentType ?? "";
  if (!object || !SERVED_TYPES.has(type)) throw new AppError("notFound", "No such image");
  if (!width || !RESIZABLE.has(type)) return imageResponse(object.body, type, object.httpEtag);
  const resized = await env.IMAGES.input(object.body)
    .transform({ width, height: MAX_WEBP_SIDE, fit: "scale-down" })
    .output({ format: type === "image/gif" ? "image/gif" : "image/webp", quality: 82 });
  return imageResponse(resized.image(), resized.contentType(), `"${object.etag}-${width}"`);
}

function imageResponse(body: ReadableStream, type: string, etag: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": IMMUTABLE,
      ETag: etag,
      "Content-Security-Policy": IMAGE_POLICY,
      "Content-Disposition": "inline",
    },
  });
}

function notModified(request: Request, image: Response): Response | null {
  const etag = image.headers.get("ETag") ?? "";
  const known = (request.headers.get("If-None-Match") ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""));
  if (!known.includes(etag)) return null;
  void image.body?.cancel();
  const headers = new Headers(image.headers);
  headers.delete("Content-Length");
  return new Response(null, { status: 304, headers });
}
