import { describe, expect, it } from "vitest";
import { cleanAnimation, readGif } from "./gif";
import { concatBytes } from "./image-header";

const bytes = (...values: number[]) => Uint8Array.from(values);
const text = (value: string) => new TextEncoder().encode(value);
const SCREEN = concatBytes([text("GIF89a"), bytes(1, 0, 1, 0, 0, 0, 0)]);
/** Frame of one pixel. */
const FRAME = bytes(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0);
const EMPTY_COMMENT = bytes(0x21, 0xfe, 0);
const TRAILER = bytes(0x3b);
const gif = (...blocks: Uint8Array[]) => concatBytes([SCREEN, ...blocks]);
const many = (block: Uint8Array, count: number) =>
  new Uint8Array(block.length * count).map((_, i) => block[i % block.length] ?? 0);

describe("a GIF", () => {
  it("keeps its frames and loses empty comments, however many", () => {
    const animation = gif(FRAME, many(EMPTY_COMMENT, 1_000_000), FRAME, TRAILER);
    expect(readGif(animation)).toMatchObject({ width: 1, height: 1, isComplete: true });
    expect(cleanAnimation(animation)).toEqual(gif(FRAME, FRAME, TRAILER));
  });

  it("is no animation with one frame, with frames outside of the screen, and with too many", () => {
    const outside = FRAME.with(1, 1);
    for (const blocks of [[FRAME], [FRAME, outside], [many(FRAME, 5001)], []])
      expect(cleanAnimation(gif(...blocks, TRAILER))).toBeNull();
    expect(cleanAnimation(gif(many(FRAME, 4000), TRAILER))).toHaveLength(13 + 4000 * FRAME.length + 1);
  });

  it("is not whole without its end", () => {
    for (const blocks of [[], [FRAME], [FRAME.subarray(0, 12)], [bytes(0x21)], [bytes(0x55), TRAILER]])
      expect(readGif(gif(...blocks))).toMatchObject({ isComplete: false });
  });
});
