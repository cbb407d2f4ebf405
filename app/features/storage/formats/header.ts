/** What can be told of an image without decoding it. */
export interface ImageHeader {
  type: ImageType;
  /** Pixels, as stored (before any turning); 0 where the format's header isn't read. */
  width: number;
  height: number;
  /** Whether it may have transparent pixels. */
  hasAlpha: boolean;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  /** Whether its end is there. */
  isWhole: boolean;
}

/** The formats of product images (back office 5). */
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

/** Bytes as a DataView, whatever part of a buffer they are. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Whether ASCII text stands at a place.
 *
 * @param at offset in bytes; past the end is a no
 */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Pieces of bytes as one. */
export function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
