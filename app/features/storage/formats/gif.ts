import { hasText, type ImageHeader, viewOf } from "./header";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;

/** @returns null for what is no GIF */
export function readGif(bytes: Uint8Array): ImageHeader | null {
  if (!(hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a")) || bytes.length < 13) return null;
  const view = viewOf(bytes);
  const header: ImageHeader = {
    type: "image/gif",
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    hasAlpha: false,
    orientation: 1,
    isWhole: false,
  };
  return { ...header, ...walked(bytes) };
}

/** Reads on from block to block. */
function walked(bytes: Uint8Array): Pick<ImageHeader, "hasAlpha" | "isWhole"> {
  let pictures = 0;
  let hasAlpha = false;
  for (let at = 13 + colorTable(bytes[10]); at < bytes.length; ) {
    const kind = bytes[at];
    if (kind === TRAILER) return { hasAlpha, isWhole: true };
    if (kind !== EXTENSION && kind !== IMAGE) break;
    // Only the first picture is kept; later ones leave out what doesn't change.
    if (kind === EXTENSION && pictures === 0 && isTransparent(bytes, at)) hasAlpha = true;
    if (kind === IMAGE) pictures++;
    at = afterBlocks(bytes, kind === EXTENSION ? at + 2 : at + 11 + colorTable(bytes[at + 9]));
  }
  return { hasAlpha, isWhole: false };
}

/** Whether an extension says that one of a picture's colors is none. */
function isTransparent(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === GRAPHIC_CONTROL && ((bytes[at + 3] ?? 0) & 1) === 1;
}

/** Bytes of the table of colors that follows flags. */
function colorTable(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Blocks each say how long they are; one of no length is the last. */
function afterBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let size = bytes[at]; size; size = bytes[at]) at += size + 1;
  return at + 1;
}
