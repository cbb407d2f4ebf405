import { expect, it } from "vitest";
import { type StockEdit, stockQuestion } from "./stock-edit";

it.each<[number, StockEdit, string]>([
  [3, { set: 30 }, "3 → 30?"],
  [4, { set: 40 }, "4 → 40?"],
  [5, { set: 50 }, "5 → 50?"],
  [5, { add: 45 }, "5 → 50?"],
  [1, { set: 100 }, "1 → 100?"],
  [18, { set: 528 }, "18 → 528?"],
  [1200, { set: 12_000 }, "1,200 → 12,000?"],
  [190, { set: 19 }, "190 → 19?"],
  [30, { add: -28 }, "30 → 2?"],
])("asks about a stock of %i and %o", (stock, edit, question) => {
  expect(stockQuestion(stock, edit, 0)).toBe(question);
});

it.each<[number, StockEdit]>([
  [0, { set: 10 }],
  [0, { set: 500 }],
  [1, { set: 10 }],
  [2, { set: 20 }],
  [4, { set: 39 }],
  [5, { add: 44 }],
  [50, { set: 6 }],
  [500, { set: 0 }],
  [19, { set: 1 }],
])("does not ask about a stock of %i and %o", (stock, edit) => {
  expect(stockQuestion(stock, edit, 0)).toBeNull();
});

it("asks about a stock below what is on hold", () => {
  expect(stockQuestion(5, { set: 2 }, 3)).toBe("3 on hold, more than 2.");
  expect(stockQuestion(5, { set: 3 }, 3)).toBeNull();
});
