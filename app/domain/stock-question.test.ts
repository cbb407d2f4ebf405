import { expect, it } from "vitest";
import { stockQuestion } from "./stock-question";

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
