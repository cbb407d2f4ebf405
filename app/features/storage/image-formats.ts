import { readGif } from "./gif";
import {
  concatBytes,
  dataView,
  defaultHeader,
  EXIF_PREFIX,
  exifOrientation,
  hasText,
  type ImageHeader,
  type ImageType,
} from "./image-header";

/** Brands of ISO media files whose pictures are HEVC. */
const HEIC = ["heic", "heix", "hevc", "hevx", "heim", "heis"];
/** Brands of ISO media files whose pictures may have any codec. */
const HEIF = ["mif1", "msf1", "heif"];

/** Bytes of the file header and the smallest picture header. */
const BMP_HEADER_BYTES = 26;

/**
 * Reads an image's header. The type comes from the content; file name and declared type are ignored.
 *
 * @param bytes complete file
 * @returns null for unsupported formats, among them SVG and HTML
 */
export function readImage(bytes: Uint8Array): ImageHeader | null {
  return (
    readJpeg(bytes) ?? readPng(bytes) ?? readWebp(bytes) ?? readGif(bytes) ?? recogniseBrowserFormat(bytes)
  );
}

/** Removes metadata of JPEG and WebP. Other formats stay unchanged: they lose theirs when they are encoded again. */
export function stripMetadata(
  bytes: Uint8Array<ArrayBuffer>,
  { type }: ImageHeader,
): Uint8Array<ArrayBuffer> {
  if (type === "image/jpeg") return stripJpegMetadata(bytes);
  return type === "image/webp" ? stripWebpMetadata(bytes) : bytes;
}

/** Recognises BMP, HEIC and HEIF by their first bytes; their headers are left to the browser that decodes them. */
function recogniseBrowserFormat(bytes: Uint8Array): ImageHeader | null {
  const brand = hasText(bytes, 4, "ftyp") ? String.fromCharCode(...bytes.subarray(8, 12)) : "";
  let type: ImageType | null = null;
  if (hasText(bytes, 0, "BM") && bytes.length > BMP_HEADER_BYTES) type = "image/bmp";
  else if (HEIC.includes(brand)) type = "image/heic";
  else if (HEIF.includes(brand)) type = "image/heif";
  // The browser notices a missing end when it decodes the file.
  return type && { ...defaultHeader(type), isComplete: true };
}

const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";
/** Bytes of the signature and of the chunk IHDR with its length, name and checksum. */
const PNG_HEADER_BYTES = 33;
/** Bytes of a chunk's length, name and checksum. */
const PNG_CHUNK_FRAME = 12;
/** Bit of the color type for an alpha channel. */
const PNG_ALPHA = 4;

function readPng(bytes: Uint8Array): ImageHeader | null {
  if (!hasText(bytes, 0, PNG_SIGNATURE) || !hasText(bytes, 12, "IHDR") || bytes.length < PNG_HEADER_BYTES)
    return null;
  const view = dataView(bytes);
  const header = {
    ...defaultHeader("image/png"),
    width: view.getUint32(16),
    height: view.getUint32(20),
    hasAlpha: ((bytes[25] ?? 0) & PNG_ALPHA) !== 0,
  };
  for (let offset = PNG_SIGNATURE.length; offset + PNG_CHUNK_FRAME <= bytes.length; ) {
    const end = offset + PNG_CHUNK_FRAME + view.getUint32(offset);
    if (end > bytes.length) break;
    if (hasText(bytes, offset + 4, "tRNS")) header.hasAlpha = true;
    if (hasText(bytes, offset + 4, "IEND")) return { ...header, isComplete: true };
    offset = end;
  }
  return header;
}

/** Markers of JPEG segments. */
const JPEG_SOI = 0xd8;
const JPEG_EOI = 0xd9;
const JPEG_SOS = 0xda;
const JPEG_APP1 = 0xe1;

interface Segment {
  marker: number;
  /** Offset of the marker. */
  start: number;
  /** Offset of the next segment; a scan includes its picture data. */
  end: number;
}

function readJpeg(bytes: Uint8Array): ImageHeader | null {
  if (bytes[0] !== 0xff || bytes[1] !== JPEG_SOI || bytes[2] !== 0xff) return null;
  const view = dataView(bytes);
  const header = defaultHeader("image/jpeg");
  for (const { marker, start, end } of segments(bytes)) {
    if (isStartOfFrame(marker) && start + 9 <= end && header.width === 0) {
      header.height = view.getUint16(start + 5);
      header.width = view.getUint16(start + 7);
    }
    if (marker === JPEG_APP1 && hasText(bytes, start + 4, EXIF_PREFIX))
      header.orientation = exifOrientation(bytes.subarray(start + 4, end));
    if (marker === JPEG_EOI) header.isComplete = true;
  }
  return header;
}

/** Removes the segments of metadata and the data after the picture. */
function stripJpegMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const remaining = [...segments(bytes)].filter(({ marker }) => !isMetadata(marker));
  return concatBytes([
    bytes.subarray(0, 2),
    ...remaining.map(({ start, end }) => bytes.subarray(start, end)),
  ]);
}

/** Recognises SOF0 to SOF15, which hold the size; among their numbers, C4, C8 and CC have other meanings. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Recognises comments and application data except APP0 (JFIF), APP2 (color profile) and APP14 (Adobe's color transform). */
function isMetadata(marker: number): boolean {
  return marker === 0xfe || (marker >= JPEG_APP1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee);
}

/** Lists the segments up to the end of the image; stops at the first that is damaged or cut off. */
function* segments(bytes: Uint8Array): Generator<Segment> {
  let start = 2;
  while (start + 1 < bytes.length && bytes[start] === 0xff) {
    const marker = bytes[start + 1] ?? 0;
    if (marker === 0xff) {
      start++;
      continue;
    }
    const length = isStandalone(marker) ? 0 : ((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0);
    let end = start + 2 + length;
    if (end > bytes.length) return;
    if (marker === JPEG_SOS) end = endOfScan(bytes, end);
    yield { marker, start, end };
    if (marker === JPEG_EOI) return;
    start = end;
  }
}

/** Recognises a marker without length and data: TEM, restarts, and the start and end of the image. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= JPEG_EOI);
}

/** Finds the end of picture data: the next marker that is neither a stuffed FF nor a restart. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(0xff, start); offset !== -1; offset = bytes.indexOf(0xff, offset + 1)) {
    const next = bytes[offset + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return offset;
  }
  return bytes.length;
}

/** Flags of a WebP's VP8X chunk. */
const FLAG_ALPHA = 0x10;
const FLAGS_EXIF_AND_XMP = 0x0c;

interface Chunk {
  name: string;
  /** Offset of the chunk's header of 8 bytes; its data follow. */
  start: number;
  /** Offset of the next chunk. */
  end: number;
}

function readWebp(bytes: Uint8Array): ImageHeader | null {
  if (!hasText(bytes, 0, "RIFF") || !hasText(bytes, 8, "WEBP")) return null;
  const header = defaultHeader("image/webp");
  header.isComplete = dataView(bytes).getUint32(4, true) + 8 <= bytes.length;
  let features: WebpFeatures | null = null;
  for (const { name, start, end } of chunks(bytes)) {
    const data = bytes.subarray(start + 8, end);
    if (name === "EXIF") header.orientation = exifOrientation(data);
    features ??= webpFeatures(name, data);
  }
  return { ...header, ...features };
}

function stripWebpMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const remaining = chunks(bytes).filter(({ name }) => name !== "EXIF" && name !== "XMP ");
  const stripped = concatBytes([
    bytes.subarray(0, 12),
    ...remaining.map(({ start, end }) => bytes.subarray(start, end)),
  ]);
  dataView(stripped).setUint32(4, stripped.length - 8, true);
  if (hasText(stripped, 12, "VP8X")) stripped[20] = (stripped[20] ?? 0) & ~FLAGS_EXIF_AND_XMP;
  return stripped;
}

/** Lists the chunks of a WebP up to the first that is cut off. */
function chunks(bytes: Uint8Array): Chunk[] {
  const view = dataView(bytes);
  const found: Chunk[] = [];
  for (let start = 12; start + 8 <= bytes.length; ) {
    const size = view.getUint32(start + 4, true);
    const end = start + 8 + size + (size % 2);
    // The padding byte of the last chunk may be missing.
    if (end > bytes.length + 1) break;
    found.push({ name: String.fromCharCode(...bytes.subarray(start, start + 4)), start, end });
    start = end;
  }
  return found;
}

type WebpFeatures = Pick<ImageHeader, "width" | "height"> & { hasAlpha?: boolean };

/** Reads size and transparency from a chunk VP8X, VP8L or VP8. @returns null for another chunk */
function webpFeatures(name: string, data: Uint8Array): WebpFeatures | null {
  if (data.length < 10) return null;
  const view = dataView(data);
  if (name === "VP8X") {
    const side = (offset: number) => (view.getUint16(offset, true) | ((data[offset + 2] ?? 0) << 16)) + 1;
    return { width: side(4), height: side(7), hasAlpha: ((data[0] ?? 0) & FLAG_ALPHA) !== 0 };
  }
  if (name === "VP8L") {
    const bits = view.getUint32(1, true);
    const hasAlpha = ((bits >>> 28) & 1) === 1;
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha };
  }
  if (name !== "VP8 ") return null;
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}
