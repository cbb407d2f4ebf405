import { type DecodedPng, decode, encode } from "fast-png";

const WHITE = 255;

/** A picture of one byte a channel. */
interface Pixels {
  width: number;
  height: number;
  channels: number;
  data: Uint8Array;
}

/** A picture after its pixels were looked at. */
export interface Retouched {
  /** As PNG. */
  bytes: Uint8Array<ArrayBuffer>;
  isTransparent: boolean;
}

/**
 * What the Images binding of the local engine doesn't do: mirrors a picture, and puts a transparent one on white.
 *
 * @param png a small picture: all of its pixels are in memory
 * @param how whether left becomes right, and whether transparent pixels may stay so
 * @throws Error for what is no PNG
 */
export function retouch(png: ArrayBuffer, how: { mirror: boolean; mayBeTransparent: boolean }): Retouched {
  const pixels = inBytes(decode(new Uint8Array(png)));
  const isTransparent = how.mayBeTransparent && hasTransparent(pixels);
  const opaque = isTransparent ? pixels : onWhite(pixels);
  if (how.mirror) mirror(opaque);
  return { bytes: encode({ ...opaque, depth: 8 }).slice(), isTransparent };
}

function inBytes({ width, height, channels, depth, data }: DecodedPng): Pixels {
  const bytes = depth === 16 ? Uint8Array.from(data, (value) => value >> 8) : Uint8Array.from(data);
  return { width, height, channels, data: bytes };
}

/** Of grey and of color, the last channel is how much of it is seen. */
function alphaOf({ channels }: Pixels): number | null {
  return channels === 2 || channels === 4 ? channels - 1 : null;
}

function hasTransparent(pixels: Pixels): boolean {
  const alpha = alphaOf(pixels);
  if (alpha === null) return false;
  for (let at = alpha; at < pixels.data.length; at += pixels.channels)
    if (pixels.data[at] !== 255) return true;
  return false;
}

function onWhite(pixels: Pixels): Pixels {
  const alpha = alphaOf(pixels);
  if (alpha === null) return pixels;
  const { width, height, channels, data } = pixels;
  const flat = new Uint8Array(width * height * alpha);
  for (let from = 0, to = 0; from < data.length; from += channels) {
    const seen = (data[from + alpha] ?? 255) / 255;
    for (let channel = 0; channel < alpha; channel++)
      flat[to++] = Math.round((data[from + channel] ?? 0) * seen + WHITE * (1 - seen));
  }
  return { width, height, channels: alpha, data: flat };
}

function mirror({ width, height, channels, data }: Pixels): void {
  const row = width * channels;
  for (let y = 0; y < height; y++) {
    const before = data.slice(y * row, (y + 1) * row);
    for (let x = 0; x < width; x++)
      data.set(before.subarray((width - 1 - x) * channels, (width - x) * channels), y * row + x * channels);
  }
}
