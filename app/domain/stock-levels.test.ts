import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server";
import { expect, it } from "vitest";
import { Stock } from "~/features/console/MessageStream";
import { LOW_STOCK, lowStockOf, SHOP_LOW_STOCK, stockLevel } from "./stock-levels";

/** Renders a stock in a page of the back office. @param lowStock number of the settings */
async function rendered(stock: number, lowStock: number): Promise<string> {
  const element = createElement(Stock, { left: stock });
  const handler = createStaticHandler([
    { id: "routes/admin", path: "/", element, loader: () => ({ lowStock }) },
  ]);
  const context = await handler.query(new Request("http://localhost/"));
  if (context instanceof Response) throw new Error("No page");
  const router = createStaticRouter(handler.dataRoutes, context);
  return renderToStaticMarkup(createElement(StaticRouterProvider, { router, context, hydrate: false }));
}

it.each([
  [0, LOW_STOCK, "out", "Sold out"],
  [1, LOW_STOCK, "low", "Only 1 left"],
  [5, LOW_STOCK, "low", "Only 5 left"],
  [6, LOW_STOCK, "enough", "6 in stock"],
  [6, 8, "low", "Only 6 left"],
  [1, 0, "enough", "1 in stock"],
])(
  "a stock of %i, low at %i, is %s, in the inventory and in a conversation",
  async (stock, lowAt, level, text) => {
    expect(stockLevel(stock, lowAt)).toBe(level);
    const html = await rendered(stock, lowAt);
    expect(html).toContain(`>${text}<`);
    expect(html).toContain(level === "enough" ? 'class="stock-level"' : `class="stock-level ${level}"`);
  },
);

it.each([
  [SHOP_LOW_STOCK, 8, 8, "low"],
  [3, 8, 8, "enough"],
  [3, 8, 3, "low"],
  [0, 8, 1, "enough"],
  [0, 8, 0, "out"],
])("with %i of the product and %i of the settings, a stock of %i is %s", (own, shop, stock, level) => {
  expect(stockLevel(stock, lowStockOf(own, shop))).toBe(level);
});
