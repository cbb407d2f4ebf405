/**
 * Decodes a text file: UTF-8 and UTF-16 by their marks, UTF-8 without one, else what Windows writes in the west.
 *
 * @returns the text without a mark; null when it is no text at all
 */
export function decodeText(bytes: Uint8Array): string | null {
  const text = new TextDecoder(encodingOf(bytes), { ignoreBOM: false }).decode(bytes);
  return isBinary(text) ? null : text;
}

/** Whether there are NULs among the headers, or many: one in a cell is that row's matter. */
function isBinary(text: string): boolean {
  const first = text.indexOf("\0");
  if (first === -1) return false;
  return !text.slice(0, first).trim().includes("\n") || text.split("\0").length > 16 + text.length / 100;
}

function encodingOf(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (isMostlyAsciiIn16(bytes, 1)) return "utf-16le";
  if (isMostlyAsciiIn16(bytes, 0)) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

/** Whether most second bytes of the beginning are 0, as in UTF-16 without a mark: letters beyond Latin are not. */
function isMostlyAsciiIn16(bytes: Uint8Array, first: 0 | 1): boolean {
  const start = bytes.subarray(0, 200);
  const zeros = (from: number) => start.filter((byte, at) => at % 2 === from && byte === 0).length;
  return start.length >= 4 && zeros(first) > start.length / 4 && zeros(1 - first) === 0;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
