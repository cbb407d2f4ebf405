import type { Locator, Page } from "@playwright/test";
import { expect, overflow, test } from "../../support/browser";

const PHONE = { viewport: { width: 390, height: 844 } };
const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error("It is not shown.");
  return box;
};
const add = (page: Page) =>
  page.getByRole("button", { name: "Add to Cart" }).filter({ visible: true }).first().click();

test("a removed line comes back by Undo, with its options, quantity and place", async ({ open }) => {
  const page = await open("/products/engraved-key-tag");
  await page.getByRole("radio", { name: "Steel" }).check();
  await page.getByRole("textbox", { name: "Engraving" }).fill("Noor");
  await page.getByRole("spinbutton", { name: "Quantity" }).fill("2");
  await add(page);
  await page.getByText("Engraved key tag added to cart!").waitFor();
  await page.goto("/products/stone-bead-bracelet");
  await add(page);
  await page.getByText("Stone bead bracelet added to cart!").waitFor();
  await page.goto("/cart");
  const lines = page.locator("main .cart-line");
  await page.getByRole("button", { name: "Remove Engraved key tag" }).click();
  await expect(lines).toHaveCount(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText("Steel, “Noor”");
  await expect(lines.first().getByRole("spinbutton")).toHaveValue("2");
});

test("a product that is gone and an unknown category offer a way on", async ({ open, shop }) => {
  const page = await open("/shop?category=NOPE");
  await page.getByText("There is no category “NOPE”. This is everything in the shop.").waitFor();
  const answer = await page.request.get(`${shop.url}/products/nope`);
  expect(answer.status()).toBe(404);
  const html = await answer.text();
  for (const part of ["Product not found", "Browse Shop", 'href="/chat?ask"', "An empty plinth"])
    expect(html).toContain(part);
});

test("choices that are no colours are named by the product", async ({ open }) => {
  const page = await open("/products/oat-hand-balm");
  await page.getByRole("group", { name: "Size" }).getByRole("radio", { name: "Tube" }).waitFor();
  await add(page);
  await page.getByText("Oat hand balm added to cart!").waitFor();
  await page.goto("/cart");
  await page.getByText("No size chosen. We'll ask in the chat.").waitFor();
});

test("the search of a phone takes the whole screen, and Cancel gives it back", async ({ open }) => {
  const page = await open("/", PHONE);
  await page.getByRole("link", { name: "Search" }).click();
  const field = page.getByRole("combobox", { name: "Search products" });
  await field.pressSequentially("mug");
  const found = page.getByRole("listbox", { name: "Suggestions" });
  await found.getByText("Speckled stoneware mug").waitFor();
  const { width, height } = await boxOf(page.locator(".search-field"));
  expect([width, height]).toEqual([390, 844]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(found).toBeHidden();
});

test("a long name is shown whole on a phone", async ({ open }) => {
  const page = await open("/products/brass-house-plaque", PHONE);
  const heading = page.getByRole("heading", { level: 1 });
  expect(await heading.evaluate((h1) => h1.scrollHeight - h1.clientHeight)).toBeLessThanOrEqual(1);
});

test("what is pressed on a phone is 44 px high", async ({ open }) => {
  const page = await open("/products/moss-silicone-case", PHONE);
  await add(page);
  await page.getByText("Soft silicone phone case added to cart!").waitFor();
  await page.goto("/cart");
  await page.getByRole("button", { name: "One more" }).waitFor();
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("main button, main .logo, footer a, footer button, .breadcrumbs a")]
        .filter((part) => part.checkVisibility() && part.getBoundingClientRect().height < 43.5)
        .map((part) => part.textContent),
    );
  expect(await small()).toEqual([]);
  await page.goto("/products/moss-silicone-case");
  expect(await small()).toEqual([]);
});

test("the chat's button leaves the preview of words free", async ({ open }) => {
  const page = await open("/products/oak-cheese-board", { viewport: { width: 1440, height: 900 } });
  await page.getByRole("textbox", { name: "Engraving" }).fill("Noor & Théo");
  const preview = page.locator(".engraving-preview");
  await preview.locator(".engraved-words").waitFor();
  const button = page.getByRole("button", { name: "Ask us", exact: true });
  await expect
    .poll(async () => {
      if (!(await button.evaluate((part) => part.checkVisibility({ visibilityProperty: true })))) return true;
      const [one, other] = [await boxOf(preview), await boxOf(button)];
      return other.y >= one.y + one.height || other.y + other.height <= one.y || other.x >= one.x + one.width;
    })
    .toBe(true);
});
