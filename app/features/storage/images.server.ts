import { AppError } from "~/http/errors";
import type { ImageHeader } from "./formats/header";
import { readImage, stripMetadata } from "./read-image";
import { FILE_BYTES, IMAGE_WIDTH, JPEG_QUALITY, MAX_PIXELS } from "./schema";

/** What the Images binding decodes; the other formats are the browser's to decode (contract: Image formats). */
const DECODED = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);
const SHOWN_NAME = 100;

/** An image as it is stored. */
export interface ProcessedImage {
  bytes: ArrayBuffer;
  type: "image/jpeg" | "image/png";
}

/** An image that was looked at but not yet decoded. */
export interface CheckedImage {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  header: ImageHeader;
}

/** How each EXIF orientation is turned upright; those of a mirror are mirrored after that. */
const TURNED: Record<number, ImageTransform> = {
  3: { rotate: 180 },
  4: { rotate: 180 },
  5: { rotate: 90 },
  6: { rotate: 90 },
  7: { rotate: 270 },
  8: { rotate: 270 },
};
const MIRRORED = new Set([2, 4, 5, 7]);
/** Pixels of a picture, made small, that are looked at one by one: four bytes each. */
const MOST_RETOUCHED = 8_000_000;

/**
 * Looks at an image before anything decodes it: what it is by content, whether it is small enough and whole.
 *
 * @throws AppError tooLarge (413), unsupportedType (415), invalid (400); each names the file
 */
export async function checkImage(file: File): Promise<CheckedImage> {
  const name = file.name.slice(0, SHOWN_NAME) || "image";
  if (file.size > FILE_BYTES) throw new AppError("tooLarge", `${name} is larger than 10 MB`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const header = readImage(bytes);
  if (!header) throw new AppError("unsupportedType", `Unsupported image format: ${name}`);
  if (!DECODED.has(header.type)) throw unprocessed("unsupportedType", name);
  if (header.width * header.height > MAX_PIXELS)
    throw new AppError("tooLarge", `${name} has more than 50 megapixels`);
  if (!header.isWhole || header.width * header.height === 0) throw unprocessed("invalid", name);
  return { name, bytes, header };
}

/**
 * Makes an image what the shop keeps (back office 9): 1,024 px wide at most, upright, JPEG at 0.85, PNG where a PNG or
 * GIF is transparent, the first picture of an animated one, and nothing of what its file told besides.
 *
 * @throws AppError invalid (400) 'Failed to process images' with the file's name
 */
export async function processImage(images: ImagesBinding, image: CheckedImage): Promise<ProcessedImage> {
  const { header, name } = image;
  try {
    const small = images
      .input(new Blob([stripMetadata(image.bytes, header)]).stream())
      .transform(TURNED[header.orientation] ?? {})
      .transform({ width: IMAGE_WIDTH, fit: "scale-down" });
    if (needsRetouch(header)) return await retouched(images, small, header);
    return await made(small, mayBeTransparent(header) ? "image/png" : "image/jpeg");
  } catch {
    throw unprocessed("invalid", name);
  }
}

/** Only of these two does what is transparent stay so (back office 9). */
function mayBeTransparent({ type, hasAlpha }: ImageHeader): boolean {
  return hasAlpha && (type === "image/png" || type === "image/gif");
}

function needsRetouch({ width, height, hasAlpha, orientation }: ImageHeader): boolean {
  const scale = Math.min(1, IMAGE_WIDTH / Math.min(width, height));
  const isSmall = width * height * scale * scale <= MOST_RETOUCHED;
  return isSmall && (hasAlpha || MIRRORED.has(orientation));
}

/** Loaded for such pictures alone. */
async function retouched(
  images: ImagesBinding,
  small: ImageTransformer,
  header: ImageHeader,
): Promise<ProcessedImage> {
  const { retouch } = await import("./retouch.server");
  const { bytes, isTransparent } = retouch((await made(small, "image/png")).bytes, {
    mirror: MIRRORED.has(header.orientation),
    mayBeTransparent: mayBeTransparent(header),
  });
  if (isTransparent) return { bytes: bytes.buffer, type: "image/png" };
  return made(images.input(new Blob([bytes]).stream()), "image/jpeg");
}

async function made(image: ImageTransformer, type: ProcessedImage["type"]): Promise<ProcessedImage> {
  const result = await image.output({
    format: type,
    quality: JPEG_QUALITY * 100,
    background: "#ffffff",
    anim: false,
  });
  return { bytes: await result.response().arrayBuffer(), type };
}

function unprocessed(code: "invalid" | "unsupportedType", name: string): AppError {
  return new AppError(code, `Failed to process images: ${name}`);
}
