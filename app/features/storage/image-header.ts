export interface ImageHeader {
  type: ImageType;
  /** Stored width before rotation, px; 0 for a format whose header is not read. */
  width: number;
  /** Stored height before rotation, px; 0 like the width. */
  height: number;
  hasAlpha: boolean;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  /** The file has its end. True for a format whose header is not read. */
  isComplete: boolean;
}

/** Types of product images (docs/product.md, 5.2). */
export const IMAGE_TYPES = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "image/bmp",
  "image/heic",
  "image/heif",
] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Creates a header with defaults, of unknown size. */
export function defaultHeader(type: ImageType): ImageHeader {
  return { type, width: 0, height: 0, hasAlpha: false, orientation: 1, isComplete: false };
}

/** Opens a DataView on bytes that may be a part of a buffer. */
export function dataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Tests for text of one byte a character at an offset. */
export function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  if (offset + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[offset + i] !== text.charCodeAt(i)) return false;
  return true;
}

export function concatBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

export const EXIF_PREFIX = "Exif\0\0";
const ORIENTATION_TAG = 0x0112;
const MAX_IFD_ENTRIES = 512;

/**
 * Reads the EXIF orientation.
 *
 * @param exif EXIF data with or without prefix; may be malformed
 * @returns 1 to 8; 1 (upright) by default
 */
export function exifOrientation(exif: Uint8Array): number {
  const tiff = hasText(exif, 0, EXIF_PREFIX) ? exif.subarray(EXIF_PREFIX.length) : exif;
  if (tiff.length < 10) return 1;
  const isLittleEndian = hasText(tiff, 0, "II*\0");
  if (!isLittleEndian && !hasText(tiff, 0, "MM\0*")) return 1;
  const view = dataView(tiff);
  const ifd = view.getUint32(4, isLittleEndian);
  if (ifd + 2 > tiff.length) return 1;
  const entries = Math.min(view.getUint16(ifd, isLittleEndian), MAX_IFD_ENTRIES);
  for (let i = 0, entry = ifd + 2; i < entries && entry + 12 <= tiff.length; i++, entry += 12) {
    if (view.getUint16(entry, isLittleEndian) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, isLittleEndian);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
