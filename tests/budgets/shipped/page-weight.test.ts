import { beforeAll, describe, expect, inject, it } from "vitest";
import { type PageWeight, pageWeight } from "../../support/page-weight";

const MAX_JS = 100_000;
const MAX_CSS = 12_000;
const MAX_HTML = 15_000;
/** Loaded when they are wanted, and counted all the same: the cart drawer's and the chat widget's insides. */
const COUNTED = ["CartContents", "Chat"];

describe.each(["/", "/shop", "/products/{id}"])("the first view of %s (budgets: Speed and cost)", (page) => {
  let weight: PageWeight;

  beforeAll(async () => {
    const origin = inject("shopUrl");
    const [product] = (await (await fetch(`${origin}/api/product/all?limit=1`)).json()) as { id: string }[];
    weight = await pageWeight(origin + page.replace("{id}", product?.id ?? ""), COUNTED);
  });

  it(`has ≤ ${MAX_JS / 1000} kB of JavaScript`, () => {
    const names = weight.scripts.map(([path]) => path).join();
    expect(names, "React and Remix, the drawer, and the manifest are counted").toMatch(
      /framework.*CartContents|CartContents.*framework/,
    );
    expect(names).toMatch(/manifest-/);
    expect(weight.js, JSON.stringify(weight.scripts)).toBeLessThanOrEqual(MAX_JS);
  });

  it(`has ≤ ${MAX_CSS / 1000} kB of CSS and ≤ ${MAX_HTML / 1000} kB of HTML`, () => {
    expect(weight.css).toBeGreaterThan(0);
    expect(weight.css).toBeLessThanOrEqual(MAX_CSS);
    expect(weight.html).toBeLessThanOrEqual(MAX_HTML);
  });
});
