import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";

/** Pixels that a block may move when the page arrives. */
const MAX_JUMP = 8;
const MAX_SHIFT = 0.01;
const DESKTOP = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1100 };
const PHONE = { width: 390, height: 844 };

/** Blocks of each page, the same as in its skeleton. Those in the first list may be longer on the page. */
const PAGES = [
  {
    page: "the list",
    from: "/",
    link: 'main a[href="/shop"]',
    // The first card is of a product that other journeys may have added, with a name of its own length.
    starts: [".product-grid", ".product-grid > :first-child"],
    blocks: [".list-head", ".list-search", ".filters", ".list-strip"],
  },
  {
    page: "the home page",
    from: "/shop",
    link: 'header a[href="/"]',
    starts: [],
    blocks: [".hero", ".hero > :first-child", ".hero-picture", ".wrap > .hero + *"],
  },
  {
    page: "a product",
    from: "/shop?category=PHONE_CASE",
    // Other journeys add products with fewer pictures than the skeleton has room for.
    link: '.product-card h2 a[href="/products/moss-silicone-case"]',
    starts: [".product", ".purchase"],
    blocks: [".breadcrumbs", ".gallery-reel", ".purchase h1"],
  },
];

/** Measures blocks of the page in the document. @returns x, y, width and height of each, without width and height of `starts` */
function measure(page: Page, starts: string[], blocks: string[]) {
  return page.evaluate(
    ([starts = [], blocks = []]) =>
      [...starts, ...blocks].map((selector) => {
        const box = document.querySelector(`main ${selector}`)?.getBoundingClientRect();
        if (!box) return { selector, box: null };
        const place = [box.x, box.y + window.scrollY];
        return { selector, box: starts.includes(selector) ? place : [...place, box.width, box.height] };
      }),
    [starts, blocks],
  );
}

for (const { page: name, from, link, starts, blocks } of PAGES)
  for (const viewport of [PHONE, TABLET, DESKTOP])
    test(`the skeleton of ${name} has the page's layout at ${viewport.width} px`, async ({ open }) => {
      const page = await open(from, { viewport });
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      await page.route(
        (url) => url.searchParams.has("_data") || url.pathname.endsWith("/data"),
        async (route) => {
          await answered;
          await route.continue();
        },
      );
      await page.evaluate(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            shifts.push((entry as PerformanceEntry & { value: number }).value);
        }).observe({ type: "layout-shift" });
      });
      await page.locator(link).filter({ visible: true }).first().click();
      await page.locator(".page-skeleton").waitFor();
      const before = await measure(page, starts, blocks);
      answer();
      await page.locator(".page-skeleton").waitFor({ state: "detached" });
      const after = await measure(page, starts, blocks);
      for (const [index, { selector, box }] of after.entries()) {
        expect(box, selector).not.toBeNull();
        const jumps = box?.map((value, side) => Math.abs(value - (before[index]?.box?.[side] ?? Number.NaN)));
        expect.soft(Math.max(...(jumps ?? [])), `${selector} jumps`).toBeLessThanOrEqual(MAX_JUMP);
      }
      const shift = await page.evaluate(() =>
        (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
      );
      expect(shift).toBeLessThanOrEqual(MAX_SHIFT);
    });
