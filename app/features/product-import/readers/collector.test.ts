import { expect, it } from "vitest";
import { formatDay } from "./collector";

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
