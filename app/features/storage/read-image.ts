import { readGif } from "./formats/gif";
import { hasText, type ImageHeader, type ImageType } from "./formats/header";
import { readJpeg, stripJpegMetadata } from "./formats/jpeg";
import { readPng } from "./formats/png";
import { readWebp, stripWebpMetadata } from "./formats/webp";

/** Brands of an ISO media file that say it holds HEVC stills, or stills of some kind. */
const HEIC = ["heic", "heix", "hevc", "hevx", "heim", "heis"];
const HEIF = ["mif1", "msf1", "heif"];

/**
 * Tells by its content what an image is: its name and its sender's word count for nothing.
 *
 * @param bytes the whole file
 * @returns null for anything but the seven formats (SVG and HTML among them)
 */
export function readImage(bytes: Uint8Array): ImageHeader | null {
  return readJpeg(bytes) ?? readPng(bytes) ?? readWebp(bytes) ?? readGif(bytes) ?? named(bytes);
}

/**
 * An image without what else its file carries, above all where it was taken and how it should be turned.
 *
 * @param header of the same bytes
 */
export function stripMetadata(
  bytes: Uint8Array<ArrayBuffer>,
  { type }: ImageHeader,
): Uint8Array<ArrayBuffer> {
  if (type === "image/jpeg") return stripJpegMetadata(bytes);
  return type === "image/webp" ? stripWebpMetadata(bytes) : bytes;
}

/** Formats that only the browser may be able to decode: known by name, not read further. */
function named(bytes: Uint8Array): ImageHeader | null {
  const type = namedType(bytes);
  return type && { type, width: 0, height: 0, hasAlpha: false, orientation: 1, isWhole: true };
}

function namedType(bytes: Uint8Array): ImageType | null {
  if (hasText(bytes, 0, "BM") && bytes.length > 26) return "image/bmp";
  if (!hasText(bytes, 4, "ftyp")) return null;
  if (HEIC.some((brand) => hasText(bytes, 8, brand))) return "image/heic";
  return HEIF.some((brand) => hasText(bytes, 8, brand)) ? "image/heif" : null;
}
