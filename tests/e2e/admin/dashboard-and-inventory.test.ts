import type { Locator, Page, Request } from "@playwright/test";
import { CHARTS } from "../../../app/features/analytics/charts";
import { expect, expectAccessible, pressTogether, SCRIPTING, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const INVENTORY = "/admin/inventory-management";
const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const charts = (page: Page) => page.locator(".chart svg.recharts-surface");

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`the dashboard ${name}`, () => {
    test("links each figure to the rows that add up to it", async ({ open }) => {
      const page = await asStaff(open, "manager", "/admin", { javaScriptEnabled });
      const figure = page.getByRole("link", { name: /^Engraving, card/ });
      const amount = /\$[\d,.]+/.exec((await figure.textContent()) ?? "")?.[0];
      expect(amount).not.toBe("$0.00");
      await figure.click();
      await page.getByRole("heading", { name: "Invoices", level: 1 }).waitFor();
      await expect.poll(() => page.locator("tfoot").textContent()).toContain(amount);
      expect(new URL(page.url()).search).toBe("?category=ENGRAVING&paymentMode=CARD");
    });
  });

test.describe("the charts", () => {
  const lastYear = String(new Date().getFullYear() - 1);

  test("render without layout shift, with collapsed tables, for each year", async ({ open }) => {
    const page = await asStaff(open, "manager", "/admin");
    await page.addInitScript(recordLayoutShift);
    await page.goto("/admin/graphs");
    await expect(charts(page)).toHaveCount(CHARTS.length);
    expect(await layoutShift(page)).toBeLessThanOrEqual(0.01);
    await expect(page.locator("table.small-table:visible")).toHaveCount(0);
    await page.getByText("Show as table: Monthly Sales").click();
    await page.locator("table.small-table").first().waitFor({ state: "visible" });
    await page.getByRole("navigation", { name: "Year" }).getByRole("link", { name: lastYear }).click();
    const monthly = page.getByRole("article", { name: "Monthly Sales" });
    await monthly.locator("tfoot").getByText(lastYear).waitFor();
    await expect(charts(page)).toHaveCount(CHARTS.length);
    await charts(page).first().focus();
    await page.keyboard.press("ArrowRight");
    await monthly.locator(".chart-tooltip").waitFor({ state: "visible" });
  });

  test("fill two columns, the last of an odd number both", async ({ open }) => {
    const page = await asStaff(open, "manager", "/admin/graphs");
    const cards = page.locator(".charts > .chart");
    if (CHARTS.length % 2 === 0) await cards.last().evaluate((card) => card.remove());
    const widths = await cards.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
    expect(widths.at(-1)).toBeGreaterThan(1.9 * (widths[0] ?? 0));
  });

  test("are tables without JavaScript", async ({ open }) => {
    const page = await asStaff(open, "manager", "/admin/graphs", { javaScriptEnabled: false });
    await expect(page.locator("table.small-table:visible")).toHaveCount(CHARTS.length);
    await expect(page.locator(".chart-plot:visible")).toHaveCount(0);
    await expect(page.getByRole("table", { name: "Sales by Category" })).toContainText("Health And Beauty");
    await page.getByRole("link", { name: lastYear, exact: true }).click();
    await page.locator("tfoot:visible").first().getByText(lastYear).waitFor();
  });
});

/** Sums up a page's layout shifts from its first paint on. */
function recordLayoutShift(): void {
  const record = { sum: 0 };
  Object.assign(window, { layoutShift: record });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) record.sum += (entry as unknown as { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
}

const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { layoutShift: { sum: number } }).layoutShift.sum);

test.describe("the inventory", () => {
  const LIST = `${INVENTORY}?q=stocktaking`;
  const ids = new Map<string, string>();
  const field = (page: Page, name: string) => page.getByLabel(`Stock of Stocktaking ${name}`);
  const cell = (page: Page, name: string) => page.getByRole("row").filter({ hasText: `Stocktaking ${name}` });
  const stockOf = async (name: string) =>
    (await staffCall("admin", `product/id/${ids.get(name)}`)).stock as number;
  const elsewhere = (name: string, stock: number) =>
    staffCall("admin", `product/${ids.get(name)}`, { stock }, "PUT");

  test.beforeAll(async () => {
    for (const [name, stock] of Object.entries({ anvil: 9, bellows: 4, chisel: 0 })) {
      const made = await staffCall("admin", "product", {
        name: `Stocktaking ${name}`,
        price: 5,
        stock,
        category: "OTHERS",
        imageUrls: [],
      });
      ids.set(name, String(made.productId));
    }
  });

  test("takes a second change in the same field, asks about a tenfold stock and can be undone", async ({
    open,
  }) => {
    const { productId } = await staffCall("admin", "product", {
      name: "Shelf counting pencil",
      price: 5,
      stock: 9,
      category: "OTHERS",
      imageUrls: [],
    });
    const stored = async () => (await staffCall("admin", `product/id/${productId}`)).stock as number;
    const page = await asStaff(open, "manager", `${INVENTORY}?q=shelf+counting`);
    const stock = page.getByLabel("Stock of Shelf counting pencil");
    const row = page.getByRole("row").filter({ hasText: "Shelf counting pencil" });
    const nameWidth = async () => (await row.locator("td").first().boundingBox())?.width;
    const width = await page.evaluate(() => document.fonts.ready.then(() => true)).then(nameWidth);
    await stock.click();
    for (const after of [14, 19]) {
      await page.keyboard.type("+5");
      await page.keyboard.press("Enter");
      await expect(stock).toHaveValue(String(after));
      await expect.poll(stored).toBe(after);
    }
    // The same change again, while the first one is still saved.
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/admin/inventory-management*", async (route) => {
      if (route.request().method() === "POST") await asked;
      await route.continue();
    });
    for (const keys of ["+5", "+5"]) {
      await page.keyboard.type(keys);
      await page.keyboard.press("Enter");
    }
    answer();
    await expect.poll(stored).toBe(29);
    await expect(stock).toHaveValue("29");
    await page.unroute("**/admin/inventory-management*");
    await page.keyboard.type("-10");
    await page.keyboard.press("Enter");
    await expect.poll(stored).toBe(19);
    await expect(stock).toHaveValue("19");
    await row.getByRole("button", { name: "One less of Shelf counting pencil" }).click();
    await expect(stock).toHaveValue("18");
    await page.keyboard.press("Enter");
    await expect.poll(stored).toBe(18);
    await page.keyboard.type("528");
    await page.keyboard.press("Enter");
    await row.getByText("18 → 528?").waitFor();
    expect(await stored()).toBe(18);
    await page.keyboard.press("Enter");
    await expect.poll(stored).toBe(528);
    await row.getByRole("button", { name: "Undo" }).waitFor();
    expect(await nameWidth()).toBe(width);
    await row.getByRole("button", { name: "Undo" }).click();
    await expect.poll(stored).toBe(18);
    await expect(stock).toHaveValue("18");
    await row.getByText("Saved").waitFor();
    await expect(row.getByRole("button", { name: "Undo" })).toHaveCount(0);
  });

  test("on a phone, a question stands on one line and a tap on Undo meets it, whatever the name", async ({
    open,
  }) => {
    const names = [
      "Retaken pin",
      "Retaken aluminium stand",
      "Retaken beeswax pillar candles by the dozen, unscented",
    ];
    for (const name of names)
      await staffCall("admin", "product", { name, price: 5, stock: 4, category: "OTHERS", imageUrls: [] });
    for (const width of [360, 390, 640]) {
      const page = await asStaff(open, "manager", `${INVENTORY}?q=retaken`, {
        viewport: { width, height: 844 },
        hasTouch: true,
      });
      for (const name of names) {
        const row = page.getByRole("row").filter({ hasText: name });
        await page.getByLabel(`Stock of ${name}`).fill("190");
        await page.keyboard.press("Enter");
        const question = row.getByText("4 → 190?");
        expect(await question.evaluate(countLines), `${name}, ${width}`).toBe(1);
        await page.getByLabel(`Stock of ${name}`).press("Escape");
        await page.getByLabel(`Stock of ${name}`).fill("+1");
        await page.keyboard.press("Enter");
        await row.getByRole("button", { name: "Undo", exact: true }).tap();
        await expect(page.getByLabel(`Stock of ${name}`)).toHaveValue("4");
      }
      await page.context().close();
    }
  });

  test("is edited in place: Enter and Tab save and move to the next row, Escape restores", async ({
    open,
  }) => {
    const page = await asStaff(open, "manager", LIST);
    await field(page, "anvil").fill("12");
    await field(page, "anvil").press("Enter");
    await expect.poll(() => focusedLabel(page)).toBe("Stock of Stocktaking bellows");
    await cell(page, "anvil").getByText("Saved").waitFor();
    await expect.poll(() => stockOf("anvil")).toBe(12);

    await page.keyboard.type("3");
    await page.keyboard.press("Tab");
    await expect.poll(() => focusedLabel(page)).toBe("Stock of Stocktaking chisel");
    await cell(page, "bellows").getByText("Saved").waitFor();
    await expect.poll(() => stockOf("bellows")).toBe(3);

    await page.keyboard.type("77");
    await page.keyboard.press("Escape");
    await expect(field(page, "chisel")).toHaveValue("0");
    await field(page, "chisel").fill("ten");
    await field(page, "chisel").press("Enter");
    await cell(page, "chisel").getByText("Must be a whole number from 0 to 1,000,000").waitFor();
    await expect(field(page, "chisel")).toHaveAttribute("aria-invalid", "true");
    await field(page, "chisel").press("Escape");
    await expect(field(page, "chisel")).toHaveValue("0");
    await expect.poll(() => stockOf("chisel")).toBe(0);
  });

  test("saves steps after a pause, and when the page is closed, as one change", async ({ open }) => {
    await elsewhere("anvil", 20);
    const movements = async () =>
      (await staffCall("admin", `product/${ids.get("anvil")}/movements`)) as unknown as {
        quantity: number;
      }[];
    const before = (await movements()).length;
    const page = await asStaff(open, "manager", LIST);
    const more = (on: Page) => on.getByRole("button", { name: "One more of Stocktaking anvil" });
    await pressTogether(page, more(page), 3);
    await cell(page, "anvil").getByText("Saved").waitFor();
    await expect(field(page, "anvil")).toBeFocused();
    expect(await stockOf("anvil")).toBe(23);
    await cell(page, "anvil").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => stockOf("anvil")).toBe(20);
    await expect(field(page, "anvil")).toHaveValue("20");

    await pressTogether(page, more(page), 2);
    await page.reload();
    await expect.poll(() => stockOf("anvil")).toBe(22);
    const again = await asStaff(open, "manager", LIST);
    await pressTogether(again, more(again), 2);
    await expect(field(again, "anvil")).toHaveValue("24");
    await again.close({ runBeforeUnload: true });
    await expect.poll(() => stockOf("anvil")).toBe(24);
    const made = (await movements()).slice(0, -before).map(({ quantity }) => quantity);
    expect(made).toEqual([2, 2, -3, 3]);
  });

  test("saves what is typed when the page is left, once, also before its answer", async ({ open }) => {
    await elsewhere("anvil", 20);
    const page = await asStaff(open, "manager", LIST);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    await page.route("**/admin/inventory-management*", async (route) => {
      const isBeacon = route.request().resourceType() === "ping";
      if (route.request().method() === "POST" && !isBeacon) await left;
      await route.continue().catch(() => undefined);
    });
    await field(page, "anvil").fill("+5");
    await field(page, "anvil").press("Enter");
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    await expect.poll(() => stockOf("anvil")).toBe(25);
    leave();
    await cell(page, "anvil").getByText("Saved").waitFor();
    expect(await stockOf("anvil")).toBe(25);
    await elsewhere("anvil", 40);
    await field(page, "anvil").fill("6");
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    await cell(page, "anvil").getByText("Somebody else set it to 40. Save again to set it to 6.").waitFor();
    expect(await stockOf("anvil")).toBe(40);
  });

  test("saves a field that is left together with the page, and what waits for its answer, once", async ({
    open,
  }) => {
    await elsewhere("anvil", 20);
    const page = await asStaff(open, "manager", LIST);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const isOwn = (request: Request) => request.method() === "POST" && request.resourceType() !== "ping";
    await page.route("**/admin/inventory-management*", async (route) => {
      if (isOwn(route.request())) await left;
      await route.continue().catch(() => undefined);
    });
    const sent = page.waitForRequest(isOwn);
    for (const [change, after] of [
      ["+5", 25],
      ["+7", 32],
    ] as const) {
      await field(page, "anvil").fill(change);
      await field(page, "anvil").evaluate((input) => {
        input.blur();
        window.dispatchEvent(new Event("pagehide"));
      });
      await sent;
      await expect.poll(() => stockOf("anvil")).toBe(after);
    }
    leave();
    await expect(field(page, "anvil")).toHaveValue("32");
    await cell(page, "anvil").getByText("Saved").waitFor();
    expect(await stockOf("anvil")).toBe(32);
  });

  test("asks about a stock below what is on hold, and does not save it by leaving", async ({ open }) => {
    const { productId } = await staffCall("admin", "product", {
      ...{ name: "Shelf counting ruler", price: 5, stock: 3, category: "OTHERS", imageUrls: [] },
    });
    const stored = async () => (await staffCall("admin", `product/id/${productId}`)).stock as number;
    const until = { seconds: Math.floor(Date.now() / 1000) + 7200 };
    await staffCall("admin", "hold", { until, lines: [{ productId, quantity: 3 }] });
    const page = await asStaff(open, "manager", `${INVENTORY}?q=shelf+counting+ruler`);
    const row = page.getByRole("row").filter({ hasText: "Shelf counting ruler" });
    await row.getByRole("button", { name: "One less of Shelf counting ruler" }).click();
    await row.getByText("3 on hold, more than 2.").waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    expect(await stored()).toBe(3);
    await row.getByRole("button", { name: "Save it" }).click();
    await expect.poll(stored).toBe(2);
  });

  test("reports a conflicting edit and overwrites it when saved again", async ({ open }) => {
    const page = await asStaff(open, "manager", LIST);
    await elsewhere("chisel", 40);
    await field(page, "chisel").fill("6");
    await field(page, "chisel").press("Enter");
    await cell(page, "chisel").getByText("Somebody else set it to 40. Save again to set it to 6.").waitFor();
    await expect.poll(() => stockOf("chisel")).toBe(40);
    await field(page, "chisel").press("Enter");
    await cell(page, "chisel").getByText("Saved").waitFor();
    await expect.poll(() => stockOf("chisel")).toBe(6);
  });

  test("takes changes such as +12, and shows where they lead before they are saved", async ({ open }) => {
    await elsewhere("anvil", 10);
    const page = await asStaff(open, "manager", LIST);
    await field(page, "anvil").fill("+12");
    await cell(page, "anvil").getByText("10 → 22").waitFor();
    await elsewhere("anvil", 11);
    await field(page, "anvil").press("Enter");
    await cell(page, "anvil").getByText("Saved").waitFor();
    await expect.poll(() => stockOf("anvil")).toBe(23);
    await field(page, "anvil").fill("-30");
    await cell(page, "anvil").getByText("−30 of 23", { exact: true }).waitFor();
    await field(page, "anvil").press("Enter");
    await cell(page, "anvil").getByText("−30 of 23: more than there is").waitFor();
    await expect.poll(() => stockOf("anvil")).toBe(23);
  });

  test("is a form for each row without JavaScript", async ({ open }) => {
    const page = await asStaff(open, "admin", LIST, { javaScriptEnabled: false });
    await cell(page, "anvil").getByRole("textbox").fill("1");
    await cell(page, "anvil").getByRole("button", { name: "Save" }).click();
    await sees(page, "Stocktaking anvil: stock set to 1");
    await cell(page, "anvil").getByText("Low stock").waitFor();
    await elsewhere("anvil", 12);
    await cell(page, "anvil").getByRole("textbox").fill("2");
    await cell(page, "anvil").getByRole("button", { name: "Save" }).click();
    await sees(page, "Somebody else set it to 12. Save again to set it to 2.");
    await expect(cell(page, "anvil").getByRole("textbox")).toHaveValue("2");
    await cell(page, "anvil").getByRole("button", { name: "Save" }).click();
    await sees(page, "Stocktaking anvil: stock set to 2");
    await expect.poll(() => stockOf("anvil")).toBe(2);
  });

  test("asks once about a tenfold stock without JavaScript, and undoes it", async ({ open }) => {
    await elsewhere("anvil", 67);
    const page = await asStaff(open, "admin", LIST, { javaScriptEnabled: false });
    await cell(page, "anvil").getByRole("textbox").fill("670");
    await cell(page, "anvil").getByRole("textbox").press("Enter");
    await cell(page, "anvil").getByText("Stock: 67 → 670? Press again to save it anyway.").waitFor();
    await expect(page.getByText("Press again to save it anyway.")).toHaveCount(1);
    await expect(cell(page, "anvil").getByRole("textbox")).toBeFocused();
    const left = async (part: Locator) => (await part.boundingBox())?.x ?? Number.NaN;
    const text = cell(page, "anvil").getByText("Press again");
    expect(await left(text)).toBeGreaterThanOrEqual(await left(cell(page, "anvil").locator("td.set")));
    expect(await stockOf("anvil")).toBe(67);
    await cell(page, "anvil").getByRole("textbox").press("Enter");
    await sees(page, "Stocktaking anvil: stock set to 670");
    expect(await stockOf("anvil")).toBe(670);
    await page.getByRole("button", { name: "Undo" }).click();
    await sees(page, /stock set to 67$/);
    expect(await stockOf("anvil")).toBe(67);
    expect(page.url()).toContain(LIST);
  });
});

/** Counts the lines of an element's own text. */
function countLines(element: Element): number {
  const text = document.createRange();
  for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) text.selectNode(node);
  return text.getClientRects().length;
}

const focusedLabel = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

test("dashboard, charts and inventory have no axe violations", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin");
  await expectAccessible(page);
  for (const path of ["/admin/graphs", INVENTORY]) {
    await page.goto(path);
    if (path === "/admin/graphs") await expect(charts(page)).toHaveCount(CHARTS.length);
    for (const summary of await page.locator(".chart summary").all()) await summary.click();
    await expectAccessible(page, path);
  }
});
