import { hasText, type ImageHeader, viewOf } from "./header";

const SIGNATURE = "\x89PNG\r\n\x1a\n";
/** Bit of the color type that says every pixel has an alpha. */
const ALPHA = 4;

/** @returns null for what is no PNG */
export function readPng(bytes: Uint8Array): ImageHeader | null {
  if (!hasText(bytes, 0, SIGNATURE) || !hasText(bytes, 12, "IHDR") || bytes.length < 33) return null;
  const view = viewOf(bytes);
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
