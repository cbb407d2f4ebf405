import { readGif } from "./formats/gif";
import { dataView, hasText, type ImageHeader, type ImageType } from "./formats/header";
import { readJpeg, stripJpegMetadata } from "./formats/jpeg";
import { readWebp, stripWebpMetadata } from "./formats/webp";

/** Brands of ISO media files with HEVC stills, and with stills of any codec. */
const HEIC = ["heic", "heix", "hevc", "hevx", "heim", "heis"];
const HEIF = ["mif1", "msf1", "heif"];

/**
 * Reads an image's header. The content alone decides the type, not the name or the declared type.
 *
 * @param bytes complete file
 * @returns null for unsupported formats, among them SVG and HTML
 */
export function readImage(bytes: Uint8Array): ImageHeader | null {
  return readJpeg(bytes) ?? readPng(bytes) ?? readWebp(bytes) ?? readGif(bytes) ?? headerByType(bytes);
}

/**
 * Removes metadata such as location and orientation.
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

/** Recognises formats that only browsers may decode, without reading their header. */
function headerByType(bytes: Uint8Array): ImageHeader | null {
  const type = undecodedType(bytes);
  return type && { type, width: 0, height: 0, hasAlpha: false, orientation: 1, isWhole: true };
}

function undecodedType(bytes: Uint8Array): ImageType | null {
  if (hasText(bytes, 0, "BM") && bytes.length > 26) return "image/bmp";
  if (!hasText(bytes, 4, "ftyp")) return null;
  if (HEIC.some((brand) => hasText(bytes, 8, brand))) return "image/heic";
  return HEIF.some((brand) => hasText(bytes, 8, brand)) ? "image/heif" : null;
}

const SIGNATURE = "\x89PNG\r\n\x1a\n";
/** Bit of the color type for an alpha channel. */
const ALPHA = 4;

/** Reads the header of a PNG; null for other formats. */
function readPng(bytes: Uint8Array): ImageHeader | null {
  if (!hasText(bytes, 0, SIGNATURE) || !hasText(bytes, 12, "IHDR") || bytes.length < 33) return null;
  const view = dataView(bytes);
  const header: ImageHeader = {
    type: "image/png",
    width: view.getUint32(16),
    height: view.getUint32(20),
    hasAlpha: ((bytes[25] ?? 0) & ALPHA) !== 0,
    orientation: 1,
    isWhole: false,
  };
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) break;
    if (hasText(bytes, at + 4, "tRNS")) header.hasAlpha = true;
    if (hasText(bytes, at + 4, "IEND")) return { ...header, isWhole: true };
    at = end;
  }
  return header;
}
