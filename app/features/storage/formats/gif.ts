import { dataView, hasText, type ImageHeader } from "./header";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;

/** Reads the header of a GIF; null for other formats. */
export function readGif(bytes: Uint8Array): ImageHeader | null {
  if (!(hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a")) || bytes.length < 13) return null;
  const view = dataView(bytes);
  const header: ImageHeader = {
    type: "image/gif",
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    hasAlpha: false,
    orientation: 1,
    isWhole: false,
  };
  return { ...header, ...readBlocks(bytes) };
}

function readBlocks(bytes: Uint8Array): Pick<ImageHeader, "hasAlpha" | "isWhole"> {
  let pictures = 0;
  let hasAlpha = false;
  for (let at = 13 + colorTableBytes(bytes[10]); at < bytes.length; ) {
    const kind = bytes[at];
    if (kind === TRAILER) return { hasAlpha, isWhole: true };
    if (kind !== EXTENSION && kind !== IMAGE) break;
    // Only the first frame is used; later ones are transparent where nothing changes.
    if (kind === EXTENSION && pictures === 0 && isTransparent(bytes, at)) hasAlpha = true;
    if (kind === IMAGE) pictures++;
    at = afterBlocks(bytes, kind === EXTENSION ? at + 2 : at + 11 + colorTableBytes(bytes[at + 9]));
  }
  return { hasAlpha, isWhole: false };
}

/** Tests an extension for a transparent color. */
function isTransparent(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === GRAPHIC_CONTROL && ((bytes[at + 3] ?? 0) & 1) === 1;
}

/** Size of the color table that follows flags. */
function colorTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Skips data blocks, which begin with their length and end with an empty one. */
function afterBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let size = bytes[at]; size; size = bytes[at]) at += size + 1;
  return at + 1;
}
