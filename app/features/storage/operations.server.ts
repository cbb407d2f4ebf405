import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { IMAGE_TYPES } from "./formats/header";
import { IMAGE_WIDTHS } from "./image-entries";
import { ObjectInput } from "./schema";

export { sweepObjects } from "./sweep.server";
export { storeImages, uploadImages } from "./upload.server";

/** Formats that may leave the bucket as images; anything else stored there is nobody's to see. */
const SHOWN_TYPES = new Set<string>(IMAGE_TYPES);
/** Formats that the Images binding reads; the others are sent as they were stored. */
const RESIZABLE = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);
const IMMUTABLE = "public, max-age=31536000, immutable";
/** Pixels of the longest side that a WebP can have; few columns may have very many rows. */
const WEBP_SIDE = 16_383;
/** An image opened by itself may load and run nothing. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * GET storage/object?key=&w=: the image, immutable, with ETag/304; a width not in the list answers the next
 * larger (contract: Routes). Made widths are kept in the edge cache.
 */
export const readObject = operation({
  access: "anyone",
  input: ObjectInput,
  async run({ env, request, waitUntil, input }) {
    const width = input.w === undefined ? undefined : IMAGE_WIDTHS.find((made) => made >= (input.w ?? 0));
    const address = new URL("/api/storage/object", request.url);
    address.search = new URLSearchParams({ key: input.key, ...(width && { w: String(width) }) }).toString();
    const kept = await caches.default.match(address);
    const image = kept ?? (await makeImage(env, input.key, width));
    if (!kept) waitUntil(caches.default.put(address, image.clone()));
    return notModified(request, image) ?? new Response(image.body, image);
  },
});

async function makeImage(env: Env, key: string, width: number | undefined): Promise<Response> {
  const object = await env.BUCKET.get(key);
  const type = object?.httpMetadata?.contentType ?? "";
  if (!object || !SHOWN_TYPES.has(type)) throw new AppError("notFound", "No such image");
  if (!width || !RESIZABLE.has(type)) return imageResponse(object.body, type, object.httpEtag);
  const resized = await env.IMAGES.input(object.body)
    .transform({ width, height: WEBP_SIDE, fit: "scale-down" })
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
