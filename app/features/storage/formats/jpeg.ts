import { concatBytes, dataView, exifOrientation, hasText, type ImageHeader } from "./header";

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

/** Reads the header of a JPEG; null for other formats. */
export function readJpeg(bytes: Uint8Array): ImageHeader | null {
  if (bytes[0] !== 0xff || bytes[1] !== START || bytes[2] !== 0xff) return null;
  const view = dataView(bytes);
  const header: ImageHeader = {
    type: "image/jpeg",
    width: 0,
    height: 0,
    hasAlpha: false,
    orientation: 1,
    isWhole: false,
  };
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

/**
 * Removes EXIF (location, camera, orientation), comments and trailing data from a JPEG. The color profile stays.
 */
export function stripJpegMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
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
