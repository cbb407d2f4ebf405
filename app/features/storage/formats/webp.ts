import { concatBytes, dataView, exifOrientation, hasText, type ImageHeader } from "./header";

const FLAGS_ALPHA = 0x10;
const FLAGS_EXIF_AND_XMP = 0x0c;

interface Chunk {
  name: string;
  /** Offset of its header, 8 bytes before its data. */
  from: number;
  to: number;
}

/** Reads the header of a WebP; null for other formats. */
export function readWebp(bytes: Uint8Array): ImageHeader | null {
  if (!hasText(bytes, 0, "RIFF") || !hasText(bytes, 8, "WEBP")) return null;
  const header: ImageHeader = {
    type: "image/webp",
    width: 0,
    height: 0,
    hasAlpha: false,
    orientation: 1,
    isWhole: dataView(bytes).getUint32(4, true) + 8 <= bytes.length,
  };
  for (const { name, from, to } of chunks(bytes)) {
    const data = bytes.subarray(from + 8, to);
    if (name === "EXIF") header.orientation = exifOrientation(data);
    if (header.width === 0) Object.assign(header, sizeIn(name, data));
  }
  return header;
}

/** Removes EXIF and XMP from a WebP. */
export function stripWebpMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
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
    return { width: side(4), height: side(7), hasAlpha: ((data[0] ?? 0) & FLAGS_ALPHA) !== 0 };
  }
  if (name === "VP8L") {
    const bits = view.getUint32(1, true);
    const hasAlpha = ((bits >>> 28) & 1) === 1;
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha };
  }
  if (name !== "VP8 ") return {};
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}
