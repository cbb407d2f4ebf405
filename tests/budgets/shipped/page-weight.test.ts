import { expect, test } from "../../support/browser";
import { pageWeight } from "../../support/page-weight";

const MAX_JS = 100_000;
const MAX_CSS = 12_000;
const MAX_HTML = 15_000;
/** Loaded when they are wanted, and counted all the same: the cart drawer's and the chat widget's insides. */
const COUNTED = ["CartContents", "Chat"];

for (const path of ["/", "/shop", "/products/{id}"])
  test(`the first view of ${path} loads ≤ ${MAX_JS / 1000} kB of JavaScript, ≤ ${MAX_CSS / 1000} kB of CSS and ≤ ${MAX_HTML / 1000} kB of HTML`, async ({
    shop,
  }) => {
    const [product] = (await (await fetch(`${shop.url}/api/product/all?limit=1`)).json()) as { id: string }[];
    const weight = await pageWeight(shop.url + path.replace("{id}", product?.id ?? ""), COUNTED);
    const names = weight.scripts.map(([name]) => name).join();
    expect(names, "React and Remix, the drawer, and the manifest are counted").toMatch(
      /framework.*CartContents|CartContents.*framework/,
    );
    expect(names).toMatch(/manifest-/);
    expect.soft(weight.js, JSON.stringify(weight.scripts)).toBeLessThanOrEqual(MAX_JS);
    expect.soft(weight.css).toBeGreaterThan(0);
    expect.soft(weight.css).toBeLessThanOrEqual(MAX_CSS);
    expect.soft(weight.html).toBeLessThanOrEqual(MAX_HTML);
  });
