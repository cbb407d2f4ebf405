import { expect, it } from "vitest";
import { changedPrice, parseChange, percentLabel } from "./price-change";

it.each([
  ["+5", 500],
  ["5 %", 500],
  ["-2.5", -250],
  ["−10,05", -1005],
  ["$3", 300],
  ["0", null],
  ["", null],
  ["5.123", null],
  ["a lot", null],
  ["1e3", null],
])("reads a change of %s", (typed, hundredths) => {
  expect(parseChange(typed)).toBe(hundredths);
});

it.each([
  [2400, 500, "percent", ".99", 2499],
  [7800, 500, "percent", ".99", 8199],
  [2800, 500, "percent", ".99", 2899],
  [2400, 500, "percent", "cent", 2520],
  [2400, 500, "percent", ".95", 2495],
  [2400, 500, "percent", ".00", 2500],
  [1000, -250, "amount", "cent", 750],
  [1000, -1000, "amount", "cent", null],
  [1000, -2000, "amount", ".99", null],
  [40, -100, "percent", ".00", null],
  [40, -100, "percent", ".99", null],
  [1000, -10_000, "percent", "cent", null],
  [9_999_999_999, 500, "percent", "cent", null],
  [333, 3333, "percent", "cent", 444],
] as const)("changes %i by %i (%s) to the nearest %s: %s", (cents, by, unit, round, price) => {
  expect(changedPrice(cents, { by, unit, round })).toBe(price);
});

it.each([
  [2400, 2499, "+4.1 %"],
  [2000, 1500, "−25.0 %"],
  [10_000, 10_001, "0.0 %"],
])("writes the change from %i to %i as %s", (before, after, label) => {
  expect(percentLabel(before, after)).toBe(label);
});
