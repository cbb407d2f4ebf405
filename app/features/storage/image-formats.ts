import { readGif } from "./gif";
import {
  blankHeader,
  concatBytes,
  dataView,
  exifOrientation,
  hasText,
  type ImageHeader,
  type ImageType,
} from "./image-header";

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

/** Removes metadata such as location and orientation. The header is of the same bytes. */
export function stripMetadata(
  bytes: Uint8Array<ArrayBuffer>,
  { type }: ImageHeader,
): Uint8Array<ArrayBuffer> {
  if (type === "image/jpeg") return stripJpegMetadata(bytes);
  return type === "image/webp" ? stripWebpMetadata(bytes) : bytes;
}

/** Recognises formats that only browsers may decode, without reading their header. */
function headerByType(bytes: Uint8Array): ImageHeader | null {
  const brand = hasText(bytes, 4, "ftyp") ? String.fromCharCode(...bytes.subarray(8, 12)) : "";
  let type: ImageType | null = null;
  if (hasText(bytes, 0, "BM") && bytes.length > 26) type = "image/bmp";
  else if (HEIC.includes(brand)) type = "image/heic";
  else if (HEIF.includes(brand)) type = "image/heif";
  return type && { ...blankHeader(type), isWhole: true };
}

const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";
/** Bit of the color type for an alpha channel. */
const PNG_ALPHA = 4;

function readPng(bytes: Uint8Array): ImageHeader | null {
  if (!hasText(bytes, 0, PNG_SIGNATURE) || !hasText(bytes, 12, "IHDR") || bytes.length < 33) return null;
  const view = dataView(bytes);
  const header = {
    ...blankHeader("image/png"),
    width: view.getUint32(16),
    height: view.getUint32(20),
    hasAlpha: ((bytes[25] ?? 0) & PNG_ALPHA) !== 0,
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

/** Markers of JPEG segments. */
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const APP1 = 0xe1;

interface Segment {
  marker: number;
  from: number;
  /** Start of the next segment; a scan includes its picture data. */
  to: number;
}

function readJpeg(bytes: Uint8Array): ImageHeader | null {
  if (bytes[0] !== 0xff || bytes[1] !== START || bytes[2] !== 0xff) return null;
  const view = dataView(bytes);
  const header = blankHeader("image/jpeg");
  for (const { marker, from, to } of segments(bytes)) {
    if (isFrame(marker) && from + 9 <= to && header.width === 0) {
      header.height = view.getUint16(from + 5);
      header.width = view.getUint16(from + 7);
    }
    if (marker === APP1 && hasText(bytes, from + 4, "Exif\0\0"))
      header.orientation = exifOrientation(bytes.subarray(from + 4, to));
    if (marker === END) header.isWhole = true;
  }
  return header;
}

/** Removes EXIF (location, camera, orientation), comments and trailing data from a JPEG. The color profile stays. */
function stripJpegMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const remaining = [...segments(bytes)].filter(({ marker }) => !isMetadata(marker));
  return concatBytes([bytes.subarray(0, 2), ...remaining.map(({ from, to }) => bytes.subarray(from, to))]);
}

/** Recognises a start-of-frame marker, which holds the size. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Recognises APP1, APP3 to APP13, APP15 and comments: all but JFIF, the color profile and Adobe's color transform. */
function isMetadata(marker: number): boolean {
  return marker === 0xfe || (marker >= APP1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee);
}

function* segments(bytes: Uint8Array): Generator<Segment> {
  let at = 2;
  while (at + 1 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END) return yield { marker, from: at, to: at + 2 };
    const length = hasNoLength(marker) ? 0 : ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    let to = at + 2 + length;
    if (to > bytes.length) return;
    if (marker === SCAN) to = endOfScan(bytes, to);
    yield { marker, from: at, to };
    at = to;
  }
}

function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= START);
}

/** Finds the end of picture data: the next marker that is neither a stuffed FF nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Flags of a WebP's VP8X chunk. */
const FLAG_ALPHA = 0x10;
const FLAGS_EXIF_AND_XMP = 0x0c;

interface Chunk {
  name: string;
  /** Offset of its header, 8 bytes before its data. */
  from: number;
  to: number;
}

function readWebp(bytes: Uint8Array): ImageHeader | null {
  if (!hasText(bytes, 0, "RIFF") || !hasText(bytes, 8, "WEBP")) return null;
  const header = blankHeader("image/webp");
  header.isWhole = dataView(bytes).getUint32(4, true) + 8 <= bytes.length;
  for (const { name, from, to } of chunks(bytes)) {
    const data = bytes.subarray(from + 8, to);
    if (name === "EXIF") header.orientation = exifOrientation(data);
    if (header.width === 0) Object.assign(header, sizeIn(name, data));
  }
  return header;
}

function stripWebpMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const remaining = chunks(bytes).filter(({ name }) => name !== "EXIF" && name !== "XMP ");
  const whole = concatBytes([
    bytes.subarray(0, 12),
    ...remaining.map(({ from, to }) => bytes.subarray(from, to)),
  ]);
  dataView(whole).setUint32(4, whole.length - 8, true);
  if (hasText(whole, 12, "VP8X")) whole[20] = (whole[20] ?? 0) & ~FLAGS_EXIF_AND_XMP;
  return whole;
}

function chunks(bytes: Uint8Array): Chunk[] {
  const view = dataView(bytes);
  const found: Chunk[] = [];
  for (let from = 12; from + 8 <= bytes.length; ) {
    const size = view.getUint32(from + 4, true);
    const to = from + 8 + size + (size % 2);
    if (to > bytes.length + 1) break;
    found.push({ name: String.fromCharCode(...bytes.subarray(from, from + 4)), from, to });
    from = to;
  }
  return found;
}

/** Reads the size, which each of the three codings stores in its own way. */
function sizeIn(name: string, data: Uint8Array): Partial<ImageHeader> {
  if (data.length < 10) return {};
  const view = dataView(data);
  if (name === "VP8X") {
    const side = (at: number) => (view.getUint16(at, true) | ((data[at + 2] ?? 0) << 16)) + 1;
    return { width: side(4), height: side(7), hasAlpha: ((data[0] ?? 0) & FLAG_ALPHA) !== 0 };
  }
  if (name === "VP8L") {
    const bits = view.getUint32(1, true);
    const hasAlpha = ((bits >>> 28) & 1) === 1;
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha };
  }
  if (name !== "VP8 ") return {};
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}
