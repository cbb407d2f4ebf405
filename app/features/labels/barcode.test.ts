import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { type Bars, barsOf, labelCode } from "./barcode.server";

const ID = "0b1e9a52-c04b-4f7e-9d55-2a5f3c1d7e60";
const unit = (barcode: string, sku = "", unitId = ID) => ({ unitId, barcode, sku });

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  const wasmBinary = new Uint8Array(readFileSync(wasm)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
});

/** Pixels of a module, and modules of the quiet zones. */
const [SCALE, QUIET, HEIGHT] = [3, 12, 60];

/** Draws bars as a picture, black on white. */
function pictureOf({ width: modules, path }: Bars): ImageData {
  const width = (modules + 2 * QUIET) * SCALE;
  const data = new Uint8ClampedArray(width * HEIGHT * 4).fill(255);
  for (const [, from, size] of path.matchAll(/M(\d+) 0h(\d+)v1h-\2z/g))
    for (let x = (Number(from) + QUIET) * SCALE; x < (Number(from) + Number(size) + QUIET) * SCALE; x++)
      for (let y = 0; y < HEIGHT; y++) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return { data, width, height: HEIGHT, colorSpace: "srgb" } as ImageData;
}

describe("barcode of a label", () => {
  it.each([
    ["4006381333931", "", "EAN-13", "EAN13", "4006381333931"],
    ["012345678905", "", "UPC-A", "EAN13", "012345678905", "0012345678905"],
    ["96385074", "", "EAN-8", "EAN8", "96385074"],
    ["X-99/7", "", "Code 128", "Code128", "X-99/7"],
    // A wrong check digit: no EAN.
    ["4006381333932", "", "Code 128", "Code128", "4006381333932"],
    ["", "BOARD-52-W", "Code 128, from the SKU", "Code128", "BOARD-52-W"],
    ["", "", "Code 128, own code", "Code128", "U0B1E9A52C04B"],
    ["Grün", "Größe", "Code 128, own code", "Code128", "U0B1E9A52C04B"],
    ["x".repeat(60), "", "Code 128, own code", "Code128", "U0B1E9A52C04B"],
  ] as [string, string, string, string, string, string?][])(
    "of barcode “%s” and SKU “%s” is %s, and is read as it was written",
    async (barcode, sku, label, format, text, asRead = text) => {
      const code = labelCode(unit(barcode, sku));
      expect(code).toMatchObject({ label, text });
      const [read] = await readBarcodes(pictureOf(barsOf(code)), {
        formats: ["EAN13", "EAN8", "UPCA", "Code128"],
      });
      expect(read).toMatchObject({ format, text: asRead });
    },
  );

  it("of an id that a client has chosen is the id", () => {
    expect(labelCode(unit("", "", "walnut-lamp")).text).toBe("walnut-lamp");
  });
});
