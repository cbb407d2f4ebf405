import { z } from "zod";
import { requireNoRestore } from "~/db/restores.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { MAX_FILE_BYTES } from "../files";
import { readImage, stripMetadata } from "../image-formats";
import type { ImageHeader } from "../image-header";
import { productExists } from "../queries.server";
import { IMAGE_WIDTH, JPEG_QUALITY, MAX_PIXELS, UploadInput } from "../schema";

/** Maximum size of one call, bytes: an isolate's memory holds it twice. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const FOLDER = "products/";
const EXTENSION = { "image/jpeg": "jpg", "image/png": "png" } as const;

/**
 * POST storage/upload: stores all of the images or none.
 *
 * @throws AppError notFound (404) for an unknown product, tooLarge (413), unsupportedType (415), invalid (400)
 */
export const uploadImages = operation({
  route: "POST storage/upload",
  summary: "Store pictures",
  answer: z.object({ objectKeys: z.array(z.string()) }),
  errors: [404],
  access: "staff",
  input: UploadInput,
  status: 201,
  maxBytes: MAX_UPLOAD_BYTES,
  accepts: "multipart",
  async run({ env, db, input }) {
    if (!(await productExists(db, input.productId))) throw new AppError("notFound", "Product not found");
    return { objectKeys: await storeImages({ db, env }, input.files, input.productId) };
  },
});

/**
 * Processes images and stores them under new keys. Every file is checked before the first one is decoded.
 *
 * @param bounds of the stored images; by default those of products' pictures
 * @returns keys in the order of the files
 * @throws AppError of checkImage and processImage, Error RESTORING; the bucket is then unchanged
 */
export async function storeImages(
  { db, env }: Pick<RequestContext, "db" | "env">,
  files: File[],
  productId: string,
  bounds?: ImageBounds,
): Promise<string[]> {
  for (const file of files) await checkImage(file);
  await requireNoRestore(db);
  const keys: string[] = [];
  try {
    for (const file of files) keys.push(await storeImage(env, file, productId, bounds));
    return keys;
  } catch (error) {
    if (keys.length > 0) await env.BUCKET.delete(keys);
    throw error;
  }
}

export function newImageKey(extension: string): string {
  return `${FOLDER}${crypto.randomUUID()}.${extension}`;
}

/** Stores one image; sequential calls keep only one decoded file in memory. */
async function storeImage(env: Env, file: File, productId: string, bounds?: ImageBounds): Promise<string> {
  const { bytes, type } = await processImage(env, await checkImage(file), bounds);
  const key = newImageKey(EXTENSION[type]);
  await env.BUCKET.put(key, bytes, { httpMetadata: { contentType: type }, customMetadata: { productId } });
  return key;
}

/** Formats that the Images binding decodes; browsers decode the others (docs/product.md, 5.2). */
const DECODABLE = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);
const MAX_NAME_LENGTH = 100;

export interface ProcessedImage {
  bytes: ArrayBuffer;
  type: "image/jpeg" | "image/png";
}

export interface CheckedImage {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  header: ImageHeader;
}

/** Rotations that turn each EXIF orientation upright; mirrored ones are flipped afterwards. */
const ROTATIONS: Record<number, ImageTransform> = {
  3: { rotate: 180 },
  4: { rotate: 180 },
  5: { rotate: 90 },
  6: { rotate: 90 },
  7: { rotate: 270 },
  8: { rotate: 270 },
};
const MIRRORED = new Set([2, 4, 5, 7]);
/** Maximum size of a picture whose pixels are processed in memory, px. */
const MAX_RETOUCHED_PIXELS = 8_000_000;

/**
 * Checks type, size and completeness of an image by its content, before it is decoded.
 *
 * @throws AppError tooLarge (413), unsupportedType (415), invalid (400); with the name of the file
 */
export async function checkImage(file: File): Promise<CheckedImage> {
  const name = file.name.slice(0, MAX_NAME_LENGTH) || "image";
  if (file.size > MAX_FILE_BYTES) throw new AppError("tooLarge", `${name} is larger than 10 MB`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const header = readImage(bytes);
  if (!header) throw new AppError("unsupportedType", `Unsupported image format: ${name}`);
  if (!DECODABLE.has(header.type)) throw processingError("unsupportedType", name);
  const pixels = header.width * header.height;
  // First: a text that begins like a picture states any size.
  if (!header.isComplete || pixels === 0) throw processingError("invalid", name);
  if (pixels > MAX_PIXELS) throw new AppError("tooLarge", `${name} has more than 50 megapixels`);
  return { name, bytes, header };
}

/** Bounds of a stored image, px; no height bound by default. */
export interface ImageBounds {
  width: number;
  height?: number;
}

/**
 * Converts an image to the stored form (docs/product.md, 5.2): upright, the first frame of an animation, no metadata.
 *
 * @throws AppError invalid (400) with the name of the file, which the page Health lists: nothing tells a damaged picture
 * from an error of the Images binding
 */
export async function processImage(
  env: Env,
  image: CheckedImage,
  bounds: ImageBounds = { width: IMAGE_WIDTH },
): Promise<ProcessedImage> {
  const { header, name } = image;
  const images = env.IMAGES;
  try {
    const small = images
      .input(new Blob([stripMetadata(image.bytes, header)]).stream())
      .transform(ROTATIONS[header.orientation] ?? {})
      .transform({ ...bounds, fit: "scale-down" });
    if (needsRetouch(header, bounds.width)) return await retouchImage(images, small, header);
    return await encode(small, mayBeTransparent(header) ? "image/png" : "image/jpeg");
  } catch (error) {
    await recordFailure(env, { kind: "image", place: "Upload of a picture" }, error);
    throw processingError("invalid", name);
  }
}

/** Tells whether transparency is kept, which PNG and GIF alone allow. */
function mayBeTransparent({ type, hasAlpha }: ImageHeader): boolean {
  return hasAlpha && (type === "image/png" || type === "image/gif");
}

function needsRetouch({ width, height, hasAlpha, orientation }: ImageHeader, maxWidth: number): boolean {
  const scale = Math.min(1, maxWidth / Math.min(width, height));
  const isSmall = width * height * scale * scale <= MAX_RETOUCHED_PIXELS;
  return isSmall && (hasAlpha || MIRRORED.has(orientation));
}

/** Flips an image or puts it on white; the code is loaded on demand. */
async function retouchImage(
  images: ImagesBinding,
  small: ImageTransformer,
  header: ImageHeader,
): Promise<ProcessedImage> {
  const { retouch } = await import("../retouch.server");
  const { bytes, isTransparent } = retouch((await encode(small, "image/png")).bytes, {
    mirror: MIRRORED.has(header.orientation),
    mayBeTransparent: mayBeTransparent(header),
  });
  if (isTransparent) return { bytes: bytes.buffer, type: "image/png" };
  return encode(images.input(new Blob([bytes]).stream()), "image/jpeg");
}

async function encode(image: ImageTransformer, type: ProcessedImage["type"]): Promise<ProcessedImage> {
  const result = await image.output({
    format: type,
    quality: JPEG_QUALITY * 100,
    background: "#ffffff",
    anim: false,
  });
  return { bytes: await result.response().arrayBuffer(), type };
}

function processingError(code: "invalid" | "unsupportedType", name: string): AppError {
  return new AppError(code, `Failed to process images: ${name}`);
}
