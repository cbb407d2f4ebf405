import { describe, expect, it } from "vitest";
import { barWidth, categoryLabel, monthSeries, paymentSlices, trend } from "./figures";

describe("trend (back office 9)", () => {
  it.each([
    [150, 100, "up", 50],
    [50, 100, "down", 50],
    [34_850, 29_100, "up", 19.8],
    [391_725, 438_600, "down", 10.7],
    [200, 300, "down", 33.3],
    [400, 300, "up", 33.3],
    [1, 0, "up", 100],
    [99_999, 0, "up", 100],
    [0, 5, "down", 100],
    [0, 0, "up", 100],
    [7, 7, "level", 0],
    [100_049, 100_000, "up", 0],
    [100_050, 100_000, "up", 0.1],
    [1000, 1, "up", 99_900],
  ] as const)("%i after %i: %s %d %%", (now, before, direction, percent) => {
    expect(trend(now, before)).toEqual({ direction, percent });
  });
});

describe("bar width (back office 9)", () => {
  it.each([
    [25, [25, 75], 100, 25],
    [50, [50, 25], null, 100],
    [25, [50, 25], null, 50],
    [60, [60, 30], 40, 100],
    [30, [60, 30], 40, 50],
    [0, [0, 0], null, 0],
    [0, [0], 0, 0],
    [-5, [-5, 10], null, 0],
    [10, [10], 10, 100],
  ])("%i of %j with the total %j is %d %%", (part, parts, total, width) => {
    expect(barWidth(part, parts, total)).toBe(width);
  });
});

describe("graphs (back office 2)", () => {
  it("months that are missing are 0", () => {
    const items = [
      { month: 3, amount: 5 },
      { month: 12, amount: 7 },
      { month: 13, amount: 9 },
    ];
    expect(monthSeries(items)).toEqual([0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
    expect(monthSeries([])).toEqual(Array(12).fill(0));
  });

  it.each([
    ["HEALTH_AND_BEAUTY", "Health And Beauty"],
    ["OTHERS", "Others"],
    ["", "Unknown"],
    [" ", "Unknown"],
    [null, "Unknown"],
    [undefined, "Unknown"],
  ])("the category %j is shown as %s", (category, label) => {
    expect(categoryLabel(category)).toBe(label);
  });

  it("payment methods in the spec's order, those with nothing left out", () => {
    expect(paymentSlices({ cashAmount: 100, emtAmount: 0, cardAmount: 300 })).toEqual([
      { name: "Cash", amount: 100, percent: 25 },
      { name: "Card", amount: 300, percent: 75 },
    ]);
    expect(paymentSlices({ cashAmount: 0, emtAmount: 0, cardAmount: 0 })).toEqual([]);
    expect(paymentSlices({ cashAmount: 0, emtAmount: 9, cardAmount: 0 })[0]?.percent).toBe(100);
  });
});
