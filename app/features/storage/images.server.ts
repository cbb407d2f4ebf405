import { AppError } from "~/http/errors";
import type { ImageHeader } from "./formats/header";
import { pictureAlone, readImage } from "./read-image";
import { FILE_BYTES, IMAGE_WIDTH, JPEG_QUALITY, MOST_PIXELS } from "./schema";

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

/**
 * How each EXIF orientation is turned upright: turned first, then mirrored, each a step of its own so that the order is
 * certain. The local engine doesn't mirror: there such a picture stands upright, and stays mirrored.
 */
const UPRIGHT: Record<number, { turn?: ImageTransform; mirror?: ImageTransform }> = {
  2: { mirror: { flip: "h" } },
  3: { turn: { rotate: 180 } },
  4: { turn: { rotate: 180 }, mirror: { flip: "h" } },
  5: { turn: { rotate: 90 }, mirror: { flip: "h" } },
  6: { turn: { rotate: 90 } },
  7: { turn: { rotate: 270 }, mirror: { flip: "h" } },
  8: { turn: { rotate: 270 } },
};

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
  if (header.width * header.height > MOST_PIXELS)
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
  const staysPng = header.hasAlpha && (header.type === "image/png" || header.type === "image/gif");
  const type = staysPng ? "image/png" : "image/jpeg";
  const picture = new Blob([pictureAlone(image.bytes, header)]).stream();
  const { turn = {}, mirror = {} } = UPRIGHT[header.orientation] ?? {};
  try {
    const result = await images
      .input(picture)
      .transform(turn)
      .transform({ ...mirror, width: IMAGE_WIDTH, fit: "scale-down" })
      .output({ format: type, quality: JPEG_QUALITY * 100, background: "#ffffff", anim: false });
    return { bytes: await result.response().arrayBuffer(), type };
  } catch {
    throw unprocessed("invalid", name);
  }
}

function unprocessed(code: "invalid" | "unsupportedType", name: string): AppError {
  return new AppError(code, `Failed to process images: ${name}`);
}
