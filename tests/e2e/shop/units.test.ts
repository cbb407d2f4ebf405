import type { Page } from "@playwright/test";
import { accessibilityProblems, expect, overflow, SCRIPTING, test } from "../../support/browser";
import { api, panelOf, sellerToken } from "../../support/conversation";

const DESKTOP = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" } as const;
const PICTURES = ["walnut-serving-board-1", "walnut-serving-board-2", "oak-cheese-board-2"].map(
  (name) => `minio:products/${name}.webp`,
);
const OPTIONS = [
  { name: "Colour", values: ["Walnut", "Oak"] },
  { name: "Size", values: ["42 cm", "52 cm"] },
];
const UNITS = [
  { options: { Colour: "Walnut", Size: "42 cm" }, stock: 9, image: PICTURES[0] },
  { options: { Colour: "Walnut", Size: "52 cm" }, stock: 2, price: 98, image: PICTURES[1] },
  { options: { Colour: "Oak", Size: "42 cm" }, stock: 4, image: PICTURES[2] },
  { options: { Colour: "Oak", Size: "52 cm" }, stock: 0, price: 98, image: PICTURES[2] },
];

/** Runs with a board that is sold in two colours and sizes. */
async function withBoard(name: string, use: (path: string) => Promise<void>) {
  const json = {
    name,
    price: 78,
    category: "HOME_DECOR",
    imageUrls: PICTURES,
    options: OPTIONS,
    units: UNITS,
  };
  const created = await api("product", "POST", json, await sellerToken());
  const { id } = (await created.json()) as { id: string };
  try {
    await use(`/products/${id}`);
  } finally {
    await api(`product/${id}`, "DELETE", undefined, await sellerToken());
  }
}

const head = (page: Page) => page.locator(".price-row");
const size = (page: Page, name: string) => page.getByRole("radio", { name: new RegExp(`^${name} `) });
const shownPicture = (page: Page) =>
  page.locator(".gallery-reel").evaluate((reel) => Math.round(reel.scrollLeft / reel.clientWidth));

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a chosen unit gives address, price, picture and cart line ${name}`, async ({ open }) => {
    await withBoard(`Board to choose ${name}`, async (path) => {
      const page = await open(path, { ...DESKTOP, javaScriptEnabled });
      await expect(head(page)).toHaveText(/\$78\.00.*In stock, 9 left.*Walnut, 42 cm/);
      const show = page.getByRole("button", { name: "Show price and stock of this choice" });
      await size(page, "52 cm").check();
      if (!javaScriptEnabled) await show.click();
      await expect(page).toHaveURL(`${path}?Colour=Walnut&Size=52+cm`);
      await expect(head(page)).toHaveText(/\$98\.00.*Only 2 left.*Walnut, 52 cm/);
      if (javaScriptEnabled) await expect.poll(() => shownPicture(page)).toBe(1);
      else await expect(page.locator(".gallery-reel img").nth(1)).toBeInViewport();
      await page.getByRole("main").getByRole("button", { name: "Add to Cart" }).first().click();
      if (javaScriptEnabled) await page.getByText("added to cart!").first().waitFor();
      await page.goto("/cart");
      const line = page.locator("main .cart-line");
      await expect(line).toHaveCount(1);
      await expect(line).toContainText("Walnut / 52 cm");
      await expect(line).toContainText("$98.00 each");
      await expect(line.locator("img")).toHaveAttribute("src", /walnut-serving-board-2/);
    });
  });

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a choice that is sold out is marked and asked about ${name}`, async ({ open }) => {
    await withBoard(`Board sold out ${name}`, async (path) => {
      const page = await open(`${path}?Colour=Oak&Size=52+cm`, { ...DESKTOP, javaScriptEnabled });
      await expect(head(page)).toHaveText(/\$98\.00.*Out of Stock.*Oak, 52 cm/);
      await expect(page.locator(".choices label:has(:checked) .error")).toHaveText([
        "sold out in 52 cm",
        "sold out in Oak",
      ]);
      const main = page.getByRole("main");
      for (const name of ["Add to Cart", "Buy Now"])
        await expect(main.getByRole("button", { name, exact: true })).toHaveCount(0);
      await expect(main.getByRole("spinbutton", { name: "Quantity" })).toHaveCount(0);
      await expect(main.getByText("Tell me when Oak / 52 cm is back")).toBeVisible();
      await expect(main.locator(".restock p a")).toHaveText(["Walnut / 52 cm", "Oak / 42 cm"]);
      await page.getByRole("button", { name: "Ask about it" }).click();
      const chat = javaScriptEnabled ? panelOf(page) : page.getByRole("main");
      const asked = chat.getByRole("group", { name: /^About Board sold out/ });
      await expect(asked).toContainText("Oak / 52 cm");
      await expect(asked).toContainText("Out of Stock");
      await expect(asked).toContainText("$98.00");
      if (!javaScriptEnabled) return;
      await size(page, "42 cm").check();
      await expect(asked).toContainText("Oak / 42 cm");
      await expect(asked).toContainText("$78.00");
    });
  });

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a choice near one that is sold out is taken on a phone ${name}`, async ({ open }) => {
    await withBoard(`Board near ${name}`, async (path) => {
      const phone = { viewport: { width: 390, height: 844 }, javaScriptEnabled };
      const page = await open(`${path}?Colour=Oak&Size=52+cm`, phone);
      const bar = page.getByRole("group", { name: "Buy" });
      await expect(bar.getByRole("button", { name: "Add to Cart" })).toHaveCount(0);
      await bar.getByRole("link", { name: "Tell me when it's back" }).click();
      await expect(page.getByLabel("Email").first()).toBeInViewport();
      await page.locator(".restock p").getByRole("link", { name: "Walnut / 52 cm" }).click();
      await expect(page).toHaveURL(`${path}?Colour=Walnut&Size=52+cm`);
      await expect(page.getByRole("spinbutton", { name: "Quantity" })).toBeVisible();
      await expect(bar.getByRole("button", { name: "Add to Cart" })).toBeVisible();
      await expect(page.locator(".restock")).toHaveCount(0);
    });
  });

test("a shared address opens with its choice and picture, and Back returns to it", async ({ open }) => {
  await withBoard("Board to share", async (path) => {
    const page = await open(`${path}?Colour=Oak&Size=42+cm`, DESKTOP);
    await expect(page.getByRole("radio", { name: /^Oak / })).toBeChecked();
    await expect.poll(() => shownPicture(page)).toBe(2);
    await page.getByRole("radio", { name: /^Walnut / }).check();
    await expect(page).toHaveURL(`${path}?Colour=Walnut&Size=42+cm`);
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Shop" }).click();
    await page.waitForURL("/shop");
    await page.goBack();
    await expect(page.getByRole("radio", { name: /^Walnut / })).toBeChecked();
    await expect(head(page)).toHaveText(/\$78\.00.*Walnut, 42 cm/);
    await page.reload();
    await expect(page.getByRole("radio", { name: /^Walnut / })).toBeChecked();
  });
});

for (const width of [390, 820, 1440])
  for (const colorScheme of ["light", "dark"] as const)
    test(`options fit and are accessible at ${width} px, ${colorScheme}`, async ({ open }) => {
      await withBoard(`Board at ${width} ${colorScheme}`, async (path) => {
        const page = await open(`${path}?Colour=Oak&Size=52+cm`, {
          viewport: { width, height: 900 },
          colorScheme,
        });
        await size(page, "42 cm").waitFor();
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        expect(await accessibilityProblems(page)).toEqual([]);
      });
    });
