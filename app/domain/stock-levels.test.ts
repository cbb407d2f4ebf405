import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Stock } from "~/features/console/MessageStream";
import { stockLevel } from "./stock-levels";

it.each([
  [0, "out", "Sold out"],
  [1, "low", "Only 1 left"],
  [5, "low", "Only 5 left"],
  [6, "enough", "6 in stock"],
])("a stock of %i is %s, in the inventory and in a conversation", (stock, level, text) => {
  expect(stockLevel(stock)).toBe(level);
  const html = renderToStaticMarkup(createElement(Stock, { left: stock }));
  expect(html).toContain(`>${text}<`);
  expect(html).toContain(level === "enough" ? 'class="stock-level"' : `class="stock-level ${level}"`);
});
