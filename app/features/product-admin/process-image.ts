import { readImage } from "~/features/storage/image-formats";
import { IMAGE_WIDTH, JPEG_QUALITY, MAX_PIXELS } from "~/features/storage/schema";
import { listNames } from "~/ui/format";

export interface ProcessedImage {
  blob: Blob;
  /** Small copy as a data URL. */
  preview: string;
}

const PREVIEW_WIDTH = 160;

/**
 * Converts a file to the stored form of images (docs/product.md, 5.2).
 *
 * @throws Error with the message for the user
 */
export async function processImage(file: File): Promise<ProcessedImage> {
  const bytes = new Uint8Array(await file.arrayBuffer().catch(() => fail("Failed to read file")));
  const header = readImage(bytes);
  if (!header) return fail("Unsupported image format");
  if (header.width * header.height > MAX_PIXELS) return fail("It has more than 50 megapixels");
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() =>
    fail("Failed to load image"),
  );
  const mayBePng = header.hasAlpha && (header.type === "image/png" || header.type === "image/gif");
  const type = mayBePng && isTransparent(draw(bitmap, PREVIEW_WIDTH * 2, null)) ? "image/png" : "image/jpeg";
  const background = type === "image/jpeg" ? "#fff" : null;
  const blob = await encode(draw(bitmap, IMAGE_WIDTH, background), type);
  const preview = draw(bitmap, PREVIEW_WIDTH, background).toDataURL(type, JPEG_QUALITY);
  bitmap.close();
  return { blob, preview };
}

function draw(bitmap: ImageBitmap, width: number, background: string | null): HTMLCanvasElement {
  const scale = Math.min(1, width / bitmap.width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return fail("Failed to load image");
  if (background) {
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function isTransparent(canvas: HTMLCanvasElement): boolean {
  const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  for (let alpha = 3; alpha < pixels.length; alpha += 4) if ((pixels[alpha] ?? 255) < 255) return true;
  return false;
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error("Failed to compress image"));
    canvas.toBlob(done, type, JPEG_QUALITY);
  });
}

function fail(message: string): never {
  throw new Error(message);
}

export interface RefusedFile {
  name: string;
  reason: string;
}

const MAX_NAMES = 3;
const HEIC = /\.hei[cf]$/i;

/** Formats one message per reason, with advice. */
export function refusalMessages(files: RefusedFile[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, reason } of files) {
    const kind = reason === "Failed to load image" && HEIC.test(name) ? "HEIC" : reason;
    const names = groups.get(kind) ?? [];
    if (!names.includes(name)) groups.set(kind, [...names, name]);
  }
  return [...groups].map(([reason, names]) => refusalMessage(reason, listNames(names, MAX_NAMES)));
}

function refusalMessage(reason: string, names: string): string {
  switch (reason) {
    case "Already there":
      return `Already there: ${names}`;
    case "Unsupported image format":
      return `${reason}: ${names}. Save it as JPEG or PNG and add that.`;
    case "HEIC":
      return `Failed to process images: ${names}. This browser can’t open HEIC: save it as JPEG and add that.`;
    case "Failed to load image":
      return `Failed to process images: ${names} (${reason}). The file seems damaged: save it anew as JPEG and add that.`;
    default:
      return `Failed to process images: ${names}${reason ? ` (${reason})` : ""}`;
  }
}
