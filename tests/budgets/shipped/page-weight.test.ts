import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type PageWeight, pageWeight } from "../../support/page-weight";

const MAX_JS = 100_000;
const MAX_CHAT_JS = 25_000;
const MAX_CSS = 12_000;
const MAX_HTML = 15_000;

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] });
});
afterAll(() => browser.close());

describe.each(["/", "/shop", "/products/{id}"])("the first view of %s", (page) => {
  let weight: PageWeight;

  beforeAll(async () => {
    const origin = inject("shopUrl");
    const [product] = (await (await fetch(`${origin}/api/product/all?limit=1`)).json()) as { id: string }[];
    weight = await pageWeight(browser, origin + page.replace("{id}", product?.id ?? ""));
  });

  it(`loads ≤ ${MAX_JS / 1000} kB of JavaScript, the cart drawer included`, () => {
    const names = weight.scripts.map(([path]) => path).join();
    expect(names, "framework, route list and drawer are counted").toMatch(/framework-/);
    expect(names).toMatch(/manifest-/);
    expect(names).toMatch(/CartContents-/);
    expect(weight.js, JSON.stringify(weight.scripts)).toBeLessThanOrEqual(MAX_JS);
  });

  it(`loads ≤ ${MAX_CHAT_JS / 1000} kB more when the chat is first opened`, () => {
    expect(weight.chatJs).toBeGreaterThan(0);
    expect(weight.chatJs).toBeLessThanOrEqual(MAX_CHAT_JS);
  });

  it(`loads ≤ ${MAX_CSS / 1000} kB of CSS and ≤ ${MAX_HTML / 1000} kB of HTML`, () => {
    expect(weight.css).toBeGreaterThan(0);
    expect(weight.css).toBeLessThanOrEqual(MAX_CSS);
    expect(weight.html).toBeGreaterThan(0);
    expect(weight.html).toBeLessThanOrEqual(MAX_HTML);
  });
});
