import { type DecodedPng, decode, encode } from "fast-png";

const WHITE = 255;

interface Pixels {
  width: number;
  height: number;
  channels: number;
  data: Uint8Array;
}

export interface Retouched {
  bytes: Uint8Array<ArrayBuffer>;
  isTransparent: boolean;
}

/**
 * Mirrors a picture and puts a transparent one on white, which the local engine's Images binding does not do.
 *
 * @param png small picture: all of its pixels are held in memory
 * @throws Error when it is no PNG
 */
export function retouch(
  png: ArrayBuffer,
  options: { mirror: boolean; mayBeTransparent: boolean },
): Retouched {
  const pixels = toBytes(decode(new Uint8Array(png)));
  const isTransparent = options.mayBeTransparent && hasTransparent(pixels);
  const opaque = isTransparent ? pixels : onWhite(pixels);
  if (options.mirror) mirror(opaque);
  return { bytes: encode({ ...opaque, depth: 8 }).slice(), isTransparent };
}

function toBytes({ width, height, channels, depth, data }: DecodedPng): Pixels {
  const bytes = depth === 16 ? Uint8Array.from(data, (value) => value >> 8) : Uint8Array.from(data);
  return { width, height, channels, data: bytes };
}

/** Index of the alpha channel; null for opaque pictures. */
function alphaChannel({ channels }: Pixels): number | null {
  return channels === 2 || channels === 4 ? channels - 1 : null;
}

function hasTransparent(pixels: Pixels): boolean {
  const alpha = alphaChannel(pixels);
  if (alpha === null) return false;
  for (let at = alpha; at < pixels.data.length; at += pixels.channels)
    if (pixels.data[at] !== 255) return true;
  return false;
}

function onWhite(pixels: Pixels): Pixels {
  const alpha = alphaChannel(pixels);
  if (alpha === null) return pixels;
  const { width, height, channels, data } = pixels;
  const flat = new Uint8Array(width * height * alpha);
  for (let from = 0, to = 0; from < data.length; from += channels) {
    const opacity = (data[from + alpha] ?? 255) / 255;
    for (let channel = 0; channel < alpha; channel++)
      flat[to++] = Math.round((data[from + channel] ?? 0) * opacity + WHITE * (1 - opacity));
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
