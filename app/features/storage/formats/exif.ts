import { hasText, viewOf } from "./header";

const ORIENTATION = 0x0112;
/** An IFD with more entries is no camera's. */
const MOST_ENTRIES = 512;

const PREFIX = "Exif\0\0";

/**
 * How an image must be turned to stand upright.
 *
 * @param exif EXIF data, with or without their prefix; any bytes
 * @returns 1 to 8; 1 where nothing is said or it can't be read
 */
export function exifOrientation(exif: Uint8Array): number {
  const tiff = hasText(exif, 0, PREFIX) ? exif.subarray(PREFIX.length) : exif;
  const little = hasText(tiff, 0, "II*\0");
  if (!little && !hasText(tiff, 0, "MM\0*")) return 1;
  const view = viewOf(tiff);
  if (tiff.length < 10) return 1;
  const ifd = view.getUint32(4, little);
  if (ifd + 2 > tiff.length) return 1;
  const entries = Math.min(view.getUint16(ifd, little), MOST_ENTRIES);
  for (let i = 0, at = ifd + 2; i < entries && at + 12 <= tiff.length; i++, at += 12) {
    if (view.getUint16(at, little) !== ORIENTATION) continue;
    const value = view.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
