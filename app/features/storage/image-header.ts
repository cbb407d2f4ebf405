export interface ImageHeader {
  type: ImageType;
  /** Stored size before rotation, px; 0 where the header is not read. */
  width: number;
  height: number;
  hasAlpha: boolean;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  isWhole: boolean;
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

/** Creates the header of an image whose size is unknown. */
export function blankHeader(type: ImageType): ImageHeader {
  return { type, width: 0, height: 0, hasAlpha: false, orientation: 1, isWhole: false };
}

/** Opens a DataView on bytes that may be a part of a buffer. */
export function dataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Tests for ASCII text at an offset in bytes. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

export function concatBytes(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const EXIF_PREFIX = "Exif\0\0";
const ORIENTATION = 0x0112;
const MAX_ENTRIES = 512;

/**
 * Reads the EXIF orientation.
 *
 * @param exif EXIF data with or without prefix; any bytes
 * @returns 1 to 8; 1 (upright) by default
 */
export function exifOrientation(exif: Uint8Array): number {
  const tiff = hasText(exif, 0, EXIF_PREFIX) ? exif.subarray(EXIF_PREFIX.length) : exif;
  const little = hasText(tiff, 0, "II*\0");
  if (!little && !hasText(tiff, 0, "MM\0*")) return 1;
  const view = dataView(tiff);
  if (tiff.length < 10) return 1;
  const ifd = view.getUint32(4, little);
  if (ifd + 2 > tiff.length) return 1;
  const entries = Math.min(view.getUint16(ifd, little), MAX_ENTRIES);
  for (let i = 0, at = ifd + 2; i < entries && at + 12 <= tiff.length; i++, at += 12) {
    if (view.getUint16(at, little) !== ORIENTATION) continue;
    const value = view.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
