import { concatBytes, dataView, defaultHeader, hasText, type ImageHeader } from "./image-header";

/** First bytes of GIF blocks, and labels of extensions. */
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Offset of the first block, after the header and the screen's fields. */
const FIELDS_END = 13;

interface Block {
  kind: number;
  from: number;
  /** Start of the next block. */
  to: number;
}

/** Reads the header of a GIF. @returns null for other formats */
export function readGif(bytes: Uint8Array): ImageHeader | null {
  if (!(hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a")) || bytes.length < FIELDS_END) return null;
  const header = { ...defaultHeader("image/gif"), ...screenSize(bytes) };
  let hasFrame = false;
  for (const { kind, from } of blocksOf(bytes)) {
    if (kind === TRAILER) return { ...header, isComplete: true };
    hasFrame ||= kind === IMAGE;
    // Only the first frame counts; later ones are transparent where nothing changes.
    if (!hasFrame && isTransparent(bytes, from)) header.hasAlpha = true;
  }
  return { ...header, isComplete: false };
}

/** Blocks that an animation may have; a file of 10 MB can have millions of empty ones. */
const MAX_BLOCKS = 5000;

/**
 * Returns an animation without comments, texts and data of applications; only the number of its repetitions stays.
 *
 * @param bytes complete GIF
 * @returns null for a single frame, frames that exceed the screen, and more than `MAX_BLOCKS`
 */
export function cleanAnimation(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const kept: Block[] = [];
  for (const block of blocksOf(bytes)) {
    if (block.kind === IMAGE && !isOnScreen(bytes, block.from)) return null;
    if (block.kind !== EXTENSION || isOfPicture(bytes, block)) kept.push(block);
    if (kept.length > MAX_BLOCKS) return null;
  }
  if (kept.filter(({ kind }) => kind === IMAGE).length < 2) return null;
  return concatBytes([
    bytes.subarray(0, FIELDS_END + colorTableBytes(bytes[10])),
    ...kept.map(({ from, to }) => bytes.subarray(from, to)),
  ]);
}

function screenSize(bytes: Uint8Array) {
  const view = dataView(bytes);
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function isOnScreen(bytes: Uint8Array, at: number): boolean {
  const view = dataView(bytes);
  const { width, height } = screenSize(bytes);
  const right = view.getUint16(at + 1, true) + view.getUint16(at + 5, true);
  return right <= width && view.getUint16(at + 3, true) + view.getUint16(at + 7, true) <= height;
}

/** Reads the blocks up to the trailer, or up to the first one that is incomplete or unknown. */
function* blocksOf(bytes: Uint8Array): Generator<Block> {
  for (let from = FIELDS_END + colorTableBytes(bytes[10]); from < bytes.length; ) {
    const kind = bytes[from] ?? 0;
    if (kind === TRAILER) {
      yield { kind, from, to: from + 1 };
      return;
    }
    if (kind !== EXTENSION && kind !== IMAGE) return;
    const to = afterData(bytes, kind === EXTENSION ? from + 2 : from + 11 + colorTableBytes(bytes[from + 9]));
    if (to > bytes.length) return;
    yield { kind, from, to };
    from = to;
  }
}

/** Recognises a frame's delay and transparency, and the number of repetitions; each has a fixed size. */
function isOfPicture(bytes: Uint8Array, { from, to }: Block): boolean {
  if (bytes[from + 1] === GRAPHIC_CONTROL) return to - from === 8;
  const isLoop = hasText(bytes, from + 3, "NETSCAPE2.0") || hasText(bytes, from + 3, "ANIMEXTS1.0");
  return bytes[from + 1] === APPLICATION && isLoop && to - from === 19;
}

function isTransparent(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === GRAPHIC_CONTROL && ((bytes[at + 3] ?? 0) & 1) === 1;
}

/** Size of the color table that follows flags. */
function colorTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Skips data, whose parts begin with their length; an empty one is the last. */
function afterData(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let size = bytes[at]; size; size = bytes[at]) at += size + 1;
  return at + 1;
}
