import { expect, overflow, test } from "../../support/browser";
import { beforeHydration } from "../../support/late-scripts";

const PHONE = { viewport: { width: 390, height: 844 } };

test.describe("finding on a phone", () => {
  test("filters by price and stock, and sees the category that is on", async ({ open }) => {
    const page = await open("/shop?category=ENGRAVING", PHONE);
    await page.getByRole("heading", { name: "Engraving", level: 1 }).waitFor();
    const chip = page
      .getByRole("navigation", { name: "Category", exact: true })
      .getByRole("link", { name: "Engraving" });
    await expect(chip).toBeInViewport({ ratio: 1 });
    await page.getByRole("button", { name: "Price" }).click();
    await page.getByLabel("From", { exact: true }).fill("cheap");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByLabel("From", { exact: true })).toBeFocused();
    await page.getByLabel("From", { exact: true }).fill("18");
    await page.getByLabel("To", { exact: true }).fill("50.5");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/min=18&max=50\.5/);
    await page.getByRole("button", { name: "$18 to $50.50" }).waitFor();
    await page.getByRole("link", { name: /^In stock/ }).click();
    await page.waitForURL(/stock=in/);
    await page.locator(".product-card data").first().waitFor();
    const prices = await page
      .locator(".product-card data")
      .evaluateAll((tags) => tags.map((tag) => Number(tag.getAttribute("value"))));
    expect(prices.length).toBeGreaterThan(0);
    expect(prices.every((price) => price >= 18 && price <= 50.5)).toBe(true);
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  });

  test("filters without JavaScript", async ({ open }) => {
    const page = await open("/shop", { ...PHONE, javaScriptEnabled: false });
    await page.getByRole("button", { name: "Price" }).click();
    await page.getByLabel("To", { exact: true }).fill("30");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page).toHaveURL(/[?&]max=30$/);
    await page.getByRole("link", { name: /^In stock/ }).click();
    await expect(page).toHaveURL("/shop?max=30&stock=in");
  });

  test("chooses a suggestion by keyboard, without a shift of the page", async ({ open }) => {
    const page = await open("/shop", PHONE);
    await page.evaluate(() => {
      const moved: string[] = [];
      type Shift = PerformanceEntry & { sources: { node: Node | null }[] };
      // Suggestions change their places in their own list with each letter: the page around them stays.
      new PerformanceObserver((list) => {
        const sources = (list.getEntries() as Shift[]).flatMap((shift) => shift.sources);
        const elements = sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement));
        const outside = elements.filter((element) => element && !element.closest("[role=listbox]"));
        moved.push(...outside.map((element) => element?.outerHTML.slice(0, 80) ?? ""));
      }).observe({ type: "layout-shift" });
      Object.assign(window, { moved });
    });
    const field = page.getByLabel("Search products");
    await field.focus();
    await expect(field).toHaveAttribute("role", "combobox");
    // The hyphen has a meaning in regular expressions, with which matches are marked.
    await field.pressSequentially("wal-");
    const list = page.getByRole("listbox", { name: "Suggestions" });
    await list.getByRole("option").first().waitFor();
    // From here on, the keys are those of the list.
    await expect(field).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowDown");
    const first = list.getByRole("option", { selected: true });
    await expect(first).toHaveAttribute("href", /^\/products\//);
    await expect(field).toHaveAttribute("aria-activedescendant", (await first.getAttribute("id")) ?? "");
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/products\//);
  });

  test("keeps what is typed before the page's scripts run, and closes suggestions on the way back", async ({
    open,
  }) => {
    const page = await open("about:blank", PHONE);
    const field = page.getByLabel("Search products");
    await beforeHydration(page, "/shop", () => field.fill("walnut"));
    await expect(field).toHaveValue("walnut");
    await field.press("Enter");
    await page.waitForURL(/search=walnut/);
    await field.press("End");
    await field.pressSequentially(" boa");
    const list = page.getByRole("listbox", { name: "Suggestions" });
    await list.getByRole("option").first().waitFor();
    await page.waitForURL(/search=walnut\+boa/);
    await page.goBack();
    await page.waitForURL(/shop$/);
    await expect(field).toHaveValue("");
    await expect(list).toBeHidden();
  });

  test("suggests what was typed while the suggestions were loading, unless it was sent", async ({ open }) => {
    for (const isSent of [false, true]) {
      const page = await open("about:blank", PHONE);
      let arrive = () => {};
      const arrival = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      await page.route(/\/Suggestions-[^/]*\.js/, async (route) => {
        await arrival;
        await route.continue();
      });
      const looked: string[] = [];
      page.on("request", (request) => {
        if (/product\/suggest/.test(request.url())) looked.push(request.url());
      });
      await page.clock.install();
      await page.goto("/shop");
      const field = page.getByLabel("Search products");
      await field.pressSequentially("walnut");
      if (isSent) await field.press("Enter");
      await page.waitForURL(/search=walnut$/);
      await page.getByRole("heading", { name: "Results for “walnut”" }).waitFor();
      arrive();
      await expect(field).toHaveAttribute("role", "combobox");
      await page.clock.runFor(1000);
      await expect(page.getByRole("listbox", { name: "Suggestions" })).toBeVisible({ visible: !isSent });
      expect(looked).toHaveLength(isSent ? 0 : 1);
    }
  });

  test("is back where the search began with one Back", async ({ open }) => {
    const page = await open("/terms", PHONE);
    await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
    await page.waitForURL(/#search$/);
    const field = page.getByLabel("Search products");
    await field.pressSequentially("walnut under 60");
    await page.locator(".suggestions").getByRole("link", { name: "Remove: Up to $60" }).waitFor();
    await page.waitForURL(/search=walnut\+under\+60$/);
    await page.goBack();
    await page.waitForURL(/\/terms$/);
  });

  test("keeps favourites, asks about them and sees what was viewed", async ({ open }) => {
    const page = await open("/products/walnut-serving-board", PHONE);
    await page.getByRole("button", { name: /^Favourite:/ }).click();
    await page.getByRole("link", { name: "Favourites, 1 kept" }).click();
    await page.getByRole("heading", { name: "Favourites", level: 1 }).waitFor();
    await page.getByRole("heading", { name: "Recently viewed" }).waitFor();
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "Ask about this" }).click();
    await page
      .getByText(/I have a question about these:/)
      .first()
      .waitFor();
  });

  test("keeps favourites and shares without JavaScript", async ({ open }) => {
    const page = await open("/products/walnut-serving-board", { ...PHONE, javaScriptEnabled: false });
    await page.getByRole("button", { name: "Share" }).click();
    await expect(page.getByLabel("Address of this page")).toHaveValue(/\/products\/walnut-serving-board$/);
    await expect(page.getByLabel("Address of this page")).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Favourite:/ }).click();
    await page.getByRole("status").getByText("Added to your favourites").waitFor();
    expect(new URL(page.url()).pathname).toBe("/products/walnut-serving-board");
    await page.getByRole("link", { name: "Favourites, 1 kept" }).click();
    await page.getByRole("heading", { name: "Favourites", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Ask about this" }).click();
    await page.waitForURL(/\/chat\/./);
  });
});
