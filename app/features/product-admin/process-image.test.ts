import { describe, expect, it } from "vitest";
import { refusalMessages } from "./process-image";

const refused = (reason: string, ...names: string[]) => names.map((name) => ({ name, reason }));

describe("refused files", () => {
  it("are listed in one message per reason, with advice", () => {
    const files = [
      ...refused("Unsupported image format", "a.svg", "b.pdf"),
      ...refused("Failed to load image", "c.HEIC", "d.jpg"),
    ];
    expect(refusalMessages(files)).toEqual([
      "Unsupported image format: a.svg, b.pdf. Save it as JPEG or PNG and add that.",
      "Failed to process images: c.HEIC. This browser can’t open HEIC: save it as JPEG and add that.",
      "Failed to process images: d.jpg (Failed to load image). The file seems damaged: save it anew as JPEG and add that.",
    ]);
  });

  it("are counted after the first three, each name once", () => {
    const doubles = Array.from({ length: 30 }, () => "one.jpg");
    expect(refusalMessages(refused("Already there", ...doubles))).toEqual(["Already there: one.jpg"]);
    expect(refusalMessages(refused("Already there", "1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"))).toEqual([
      "Already there: 1.jpg, 2.jpg, 3.jpg and 2 more",
    ]);
  });

  it("keep an unknown reason", () => {
    expect(refusalMessages(refused("Failed to compress image", "a.jpg"))).toEqual([
      "Failed to process images: a.jpg (Failed to compress image)",
    ]);
    expect(refusalMessages(refused("", "a.jpg"))).toEqual(["Failed to process images: a.jpg"]);
  });
});
