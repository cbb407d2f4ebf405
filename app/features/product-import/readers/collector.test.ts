import { expect, it } from "vitest";
import { MAX_CHARACTERS } from "../sheet";
import { formatDay, RowCollector } from "./collector";

it.each([
  [1, false, "1900-01-01"],
  [59, false, "1900-02-28"],
  // Excel has a 29 February 1900.
  [61, false, "1900-03-01"],
  [45_000, false, "2023-03-15"],
  [0, true, "1904-01-01"],
  [1, true, "1904-01-02"],
  [43_538, true, "2023-03-15"],
  [-1, true, "-1"],
])("formats day %d of a workbook (from 1904: %s) as %s", (days, is1904, day) => {
  expect(formatDay(days, is1904)).toBe(day);
});

it("counts texts beyond Latin letters twice, which take two bytes a character", () => {
  const fill = (text: string) => {
    const rows = new RowCollector();
    for (let line = 1; line <= 10; line++) rows.add({ line, cells: [text] });
  };
  expect(() => fill("é".repeat(MAX_CHARACTERS / 10))).not.toThrow();
  expect(() => fill("ш".repeat(MAX_CHARACTERS / 20))).not.toThrow();
  expect(() => fill("ш".repeat(MAX_CHARACTERS / 20 + 1))).toThrow("16 million characters");
});
