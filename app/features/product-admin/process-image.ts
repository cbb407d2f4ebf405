import { readImage } from "~/features/storage/read-image";
import { IMAGE_WIDTH, JPEG_QUALITY, MAX_PIXELS } from "~/features/storage/schema";

/** A picture as it will be uploaded. */
export interface ProcessedImage {
  blob: Blob;
  /** A small copy as a data address. */
  preview: string;
}

const PREVIEW_WIDTH = 160;

/**
 * Makes a picked file what the shop keeps (back office 9): at most 1,024 px wide, JPEG at 0.85, PNG where a PNG or GIF
 * is transparent. The first picture of an animated one; upright; nothing else of what its file tells.
 *
 * @throws Error with the words of back office 8
 */
export async function processImage(file: File): Promise<ProcessedImage> {
  const bytes = new Uint8Array(await file.arrayBuffer().catch(() => fail("Failed to read file")));
  const header = readImage(bytes);
  if (!header) return fail("Unsupported image format");
  if (header.width * header.height > MAX_PIXELS) return fail("It has more than 50 megapixels");
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() =>
    fail("Failed to load image"),
  );
  const mayStayPng = header.hasAlpha && (header.type === "image/png" || header.type === "image/gif");
  const type =
    mayStayPng && isTransparent(drawn(bitmap, PREVIEW_WIDTH * 2, null)) ? "image/png" : "image/jpeg";
  const background = type === "image/jpeg" ? "#fff" : null;
  const blob = await encoded(drawn(bitmap, IMAGE_WIDTH, background), type);
  const preview = drawn(bitmap, PREVIEW_WIDTH, background).toDataURL(type, JPEG_QUALITY);
  bitmap.close();
  return { blob, preview };
}

function drawn(bitmap: ImageBitmap, width: number, background: string | null): HTMLCanvasElement {
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

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error("Failed to compress image"));
    canvas.toBlob(done, type, JPEG_QUALITY);
  });
}

function fail(message: string): never {
  throw new Error(message);
}
