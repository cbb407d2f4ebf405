import { expect, test, waitForHydration } from "../../support/browser";
import { type PageWeight, pageWeight } from "../../support/page-weight";
import { fetchShop } from "../../support/running-shop";

const MAX_JS = 104_000;
const MAX_CHAT_JS = 30_000;
const MAX_CSS = 12_000;
const MAX_HTML = 15_000;
/** A product with options also loads what price, stock and picture follow, and where the choice is sold out the ways to wait. */
const MAX_OPTIONS = { js: 106_000, css: MAX_CSS };
const MAX_SOLD_OUT = { js: 107_600, css: 15_000 };

interface Product {
  id: string;
  options: unknown[];
  units: { options: Record<string, string>; available: number }[];
}

/** Paths of a product with options, and of its choice that is sold out. */
async function optionPaths(): Promise<{ options: string; soldOut: string }> {
  const products = (await (await fetchShop("/api/product/all")).json()) as Product[];
  const { id = "", units = [] } =
    products.find((each) => each.units.some(({ available }) => available === 0) && each.options.length > 0) ??
    {};
  const out = units.find(({ available }) => available === 0);
  expect(out, "a choice that is sold out").toBeDefined();
  return { options: `/products/${id}`, soldOut: `/products/${id}?${new URLSearchParams(out?.options)}` };
}

type Most = { js: number; css: number };

/** Expects that what a first view loads is within its limits. */
function expectWithin(path: string, weight: PageWeight, most: Most): void {
  const names = weight.scripts.map(([name]) => name).join();
  for (const counted of [/framework-/, /manifest-/, /CartContents-/]) expect(names).toMatch(counted);
  const heaviest = weight.scripts.map(([name, bytes]) => `${bytes} ${name}`).join("\n");
  expect
    .soft(weight.js, `${path}: ${weight.js - most.js} bytes of JavaScript too many\n${heaviest}`)
    .toBeLessThanOrEqual(most.js);
  for (const [bytes, limit] of [
    [weight.chatJs, MAX_CHAT_JS],
    [weight.css, most.css],
    [weight.html, MAX_HTML],
  ] as const) {
    expect.soft(bytes).toBeGreaterThan(0);
    expect.soft(bytes).toBeLessThanOrEqual(limit);
  }
}

for (const path of ["/", "/shop", "/products/{id}"])
  test(`the first view of ${path} loads ≤ ${MAX_JS / 1000} kB of JavaScript, ≤ ${MAX_CSS / 1000} kB of CSS and ≤ ${MAX_HTML / 1000} kB of HTML; its chat ≤ ${MAX_CHAT_JS / 1000} kB`, async ({
    browser,
    shop,
  }) => {
    const [product] = (await (await fetchShop("/api/product/all?limit=1")).json()) as { id: string }[];
    const address = path.replace("{id}", product?.id ?? "");
    const weight = await pageWeight(browser, shop.url + address, waitForHydration);
    expectWithin(path, weight, { js: MAX_JS, css: MAX_CSS });
  });

for (const [name, kind, most] of [
  ["a product with options", "options", MAX_OPTIONS],
  ["a choice that is sold out", "soldOut", MAX_SOLD_OUT],
] as const)
  test(`the first view of ${name} loads ≤ ${most.js / 1000} kB of JavaScript and ≤ ${most.css / 1000} kB of CSS`, async ({
    browser,
    shop,
  }) => {
    const { [kind]: path } = await optionPaths();
    expectWithin(path, await pageWeight(browser, shop.url + path, waitForHydration), most);
  });
