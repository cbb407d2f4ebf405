import { expect, it } from "vitest";
import { formQuestion, priceQuestion, stockQuestion } from "./unusual-change";

it.each([
  [3, 30, "3 → 30?"],
  [4, 40, "4 → 40?"],
  [5, 50, "5 → 50?"],
  [1, 100, "1 → 100?"],
  [18, 528, "18 → 528?"],
  [1200, 12_000, "1,200 → 12,000?"],
  [190, 19, "190 → 19?"],
  [30, 2, "30 → 2?"],
])("asks about a stock of %i that becomes %i", (stock, after, question) => {
  expect(stockQuestion(stock, after, 0)).toBe(question);
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
  expect(stockQuestion(stock, after, 0)).toBeNull();
});

it("asks about a stock below what is on hold", () => {
  expect(stockQuestion(5, 2, 3)).toBe("3 on hold, more than 2.");
  expect(stockQuestion(5, 3, 3)).toBeNull();
});

it.each([
  [2800, 28_000, "$28.00 → $280.00?"],
  [28_000, 2800, "$280.00 → $28.00?"],
  [150, 150_000, "$1.50 → $1,500.00?"],
  [2800, 27_999, null],
  [2800, 2800, null],
])("asks about a price of %i cents that becomes %i: %s", (cents, after, question) => {
  expect(priceQuestion(cents, after)).toBe(question);
});

it("joins the questions of a form", () => {
  expect(formQuestion({ Price: "$1.00 → $10.00?", Stock: null })).toBe(
    "Price: $1.00 → $10.00? Press again to save it anyway.",
  );
  expect(formQuestion({ Price: "a?", Stock: "b?" })).toBe(
    "Price: a? Stock: b? Press again to save it anyway.",
  );
  expect(formQuestion({ Price: null })).toBeNull();
});
