import { expect, test, waitForHydration } from "../../support/browser";
import { pageWeight } from "../../support/page-weight";
import { fetchShop } from "../../support/running-shop";

const MAX_JS = 104_000;
const MAX_CHAT_JS = 30_000;
const MAX_CSS = 12_000;
const MAX_HTML = 15_000;

for (const path of ["/", "/shop", "/products/{id}"])
  test(`the first view of ${path} loads ≤ ${MAX_JS / 1000} kB of JavaScript, ≤ ${MAX_CSS / 1000} kB of CSS and ≤ ${MAX_HTML / 1000} kB of HTML; its chat ≤ ${MAX_CHAT_JS / 1000} kB`, async ({
    browser,
    shop,
  }) => {
    const [product] = (await (await fetchShop("/api/product/all?limit=1")).json()) as { id: string }[];
    const weight = await pageWeight(
      browser,
      shop.url + path.replace("{id}", product?.id ?? ""),
      waitForHydration,
    );
    const names = weight.scripts.map(([name]) => name).join();
    for (const counted of [/framework-/, /manifest-/, /CartContents-/]) expect(names).toMatch(counted);
    const heaviest = weight.scripts.map(([name, bytes]) => `${bytes} ${name}`).join("\n");
    expect
      .soft(weight.js, `${path}: ${weight.js - MAX_JS} bytes of JavaScript too many\n${heaviest}`)
      .toBeLessThanOrEqual(MAX_JS);
    expect.soft(weight.chatJs).toBeGreaterThan(0);
    expect.soft(weight.chatJs).toBeLessThanOrEqual(MAX_CHAT_JS);
    expect.soft(weight.css).toBeGreaterThan(0);
    expect.soft(weight.css).toBeLessThanOrEqual(MAX_CSS);
    expect.soft(weight.html).toBeGreaterThan(0);
    expect.soft(weight.html).toBeLessThanOrEqual(MAX_HTML);
  });
