import { expect, it } from "vitest";
import { formConfirmation, unusualPrice, unusualStock } from "./unusual-change";

it.each([
  [3, 30, "3 → 30?"],
  [4, 40, "4 → 40?"],
  [5, 50, "5 → 50?"],
  [1, 100, "1 → 100?"],
  [18, 528, "18 → 528?"],
  [1200, 12_000, "1,200 → 12,000?"],
  [190, 19, "190 → 19?"],
  [30, 2, "30 → 2?"],
])("describes a stock of %i that becomes %i", (stock, after, text) => {
  expect(unusualStock(stock, after, 0)).toBe(text);
});

it.each([
  [0, 10],
  [0, 500],
  [1, 10],
  [2, 20],
  [4, 39],
  [5, 49],
  [50, 6],
  [500, 0],
  [19, 1],
])("does not ask about a stock of %i that becomes %i", (stock, after) => {
  expect(unusualStock(stock, after, 0)).toBeNull();
});

it("describes a stock below what is on hold", () => {
  expect(unusualStock(5, 2, 3)).toBe("3 on hold, more than 2.");
  expect(unusualStock(5, 3, 3)).toBeNull();
});

it.each([
  [2800, 28_000, "$28.00 → $280.00?"],
  [28_000, 2800, "$280.00 → $28.00?"],
  [150, 150_000, "$1.50 → $1,500.00?"],
  [2800, 27_999, null],
  [2800, 2800, null],
])("describes a price of %i cents that becomes %i: %s", (cents, after, text) => {
  expect(unusualPrice(cents, after)).toBe(text);
});

it("asks once for the confirmation of all that is unusual in a form", () => {
  expect(formConfirmation({ Price: "$1.00 → $10.00?", Stock: null })).toBe(
    "Price: $1.00 → $10.00? Press again to save it anyway.",
  );
  expect(formConfirmation({ Price: "a?", Stock: "b?" })).toBe(
    "Price: a? Stock: b? Press again to save it anyway.",
  );
  expect(formConfirmation({ Price: null })).toBeNull();
});
