import { describe, expect, it } from "vitest";
import { cleanFileName, contentDisposition } from "./attachments.server";
import { formatSize } from "./files";

describe("names of files", () => {
  it.each([
    ["C:\\fakepath\\photo.jpg", "photo.jpg"],
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\r\n\u202egpj.exe", "a b gpj.exe"],
    ["%22quoted%22.pdf", "quoted .pdf"],
    ["..hidden", "hidden"],
    ["", "file"],
    ["\ud800", "\ufffd"],
    ["Ünïcode 👩.png", "Ünïcode 👩.png"],
  ])("%j becomes %j", (name, cleaned) => {
    expect(cleanFileName(name)).toBe(cleaned);
  });

  it("keep their end at 100 characters", () => {
    const name = cleanFileName(`${"a".repeat(300)}.pdf`);
    expect([...name]).toHaveLength(100);
    expect(name).toMatch(/^a+…a+\.pdf$/);
  });

  it.each([
    ["photo.JPG", "image/jpeg", "photo.JPG"],
    ["photo.webp", "image/jpeg", "photo.webp.jpg"],
    ["page.html", "application/pdf", "page.html.pdf"],
  ])("%s of %s is saved as %s", (name, type, saved) => {
    expect(contentDisposition("attachment", name, type)).toBe(
      `attachment; filename="${saved}"; filename*=UTF-8''${saved}`,
    );
  });
});

it("sizes of files are in kB below 1 MB", () => {
  expect([1, 300_000, 1_048_000, 1_258_291].map(formatSize)).toEqual(["1 kB", "293 kB", "1023 kB", "1.2 MB"]);
});
