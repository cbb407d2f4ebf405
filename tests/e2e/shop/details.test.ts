import type { BrowserContextOptions, Locator, Page } from "@playwright/test";
import { accessibilityProblems, expect, NO_SCRIPT, type Open, overflow, test } from "../../support/browser";
import { panelOf } from "../../support/conversation";
import { OWN_CONNECTION } from "../../support/running-shop";
import { coveredByToasts } from "../../support/toasts";

const PHONE = { viewport: { width: 390, height: 844 } };
const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error("It is not shown.");
  return box;
};
const add = (page: Page) =>
  page.getByRole("button", { name: "Add to Cart" }).filter({ visible: true }).first().click();

/** Fills a cart with two engraved key tags and a bracelet. */
async function filledCart(open: Open, options: BrowserContextOptions) {
  const page = await open("/products/engraved-key-tag", options);
  await page.getByRole("radio", { name: "Steel" }).check();
  await page.getByRole("textbox", { name: "Engraving" }).fill("Noor");
  await page.getByRole("spinbutton", { name: "Quantity" }).fill("2");
  await add(page);
  await page.getByText("Engraved key tag added to cart!").waitFor();
  await page.goto("/products/stone-bead-bracelet");
  await add(page);
  await page.getByText("Stone bead bracelet added to cart!").waitFor();
  return page;
}

/** Removes the first line and takes it back. */
async function removeAndUndo(cart: Locator) {
  const lines = cart.locator(".cart-line");
  await cart.getByRole("button", { name: "Remove Engraved key tag" }).click();
  await expect(lines).toHaveCount(1);
  await cart.getByText("Item removed from cart").waitFor();
  await cart.getByRole("button", { name: "Undo" }).click();
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText("Steel, “Noor”");
  await expect(lines.first().getByRole("spinbutton")).toHaveValue("2");
  await expect(cart.getByText("Item removed from cart")).toHaveCount(0);
}

/** Clears the cart and takes that back. */
async function clearAndUndo(cart: Locator) {
  await cart.getByRole("button", { name: "Clear cart" }).click();
  await cart.getByText("Your cart is empty").waitFor();
  await cart.getByText("Cart cleared").waitFor();
  await cart.getByRole("button", { name: "Undo" }).click();
  await expect(cart.locator(".cart-line").first()).toContainText("Steel, “Noor”");
  await expect(cart.locator(".cart-line")).toHaveCount(2);
  await expect(cart.getByText("Cart cleared")).toHaveCount(0);
}

for (const viewport of [PHONE.viewport, { width: 1440, height: 900 }])
  test.describe(`a removed line at ${viewport.width} px comes back by Undo, with its options, quantity and place`, () => {
    test("in the drawer", async ({ open }) => {
      const page = await filledCart(open, { viewport });
      await page.getByRole("link", { name: "Cart, 3 items" }).click();
      const drawer = page.getByRole("dialog", { name: /^Cart/ });
      await removeAndUndo(drawer);
      await clearAndUndo(drawer);
      await drawer.getByRole("button", { name: "Remove Engraved key tag" }).click();
      await drawer.getByRole("button", { name: "Undo" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Cart, 1 item" }).click();
      await drawer.getByRole("button", { name: "Remove Stone bead bracelet" }).waitFor();
      await expect(drawer.getByRole("button", { name: "Undo" })).toHaveCount(0);
    });

    test("on the cart's page", async ({ open }) => {
      const page = await filledCart(open, { viewport });
      await page.goto("/cart");
      await removeAndUndo(page.getByRole("main"));
    });

    test("without JavaScript, and the emptied cart keeps the buttons that say so", async ({ open }) => {
      const page = await filledCart(open, { ...NO_SCRIPT, viewport });
      const main = page.getByRole("main");
      await page.goto("/cart");
      await removeAndUndo(main);
      await clearAndUndo(main);
      await main.getByRole("button", { name: "Clear cart" }).click();
      await main.getByRole("heading", { name: "Your cart is empty" }).waitFor();
      await expect(main.getByRole("button")).toHaveText(["Undo", "Chat with Seller", "Send Message"]);
    });
  });

for (const viewport of [PHONE.viewport, { width: 1440, height: 900 }])
  test(`messages at ${viewport.width} px lie on no control and no total`, async ({ open }) => {
    const page = await open("/products/round-leather-watch", { viewport, reducedMotion: "reduce" });
    const expectUncovered = async (message: string) => {
      await page.locator(".toast-list .toast", { hasText: message }).waitFor();
      await expect.poll(() => page.evaluate(coveredByToasts), message).toEqual([]);
    };
    await add(page);
    await expectUncovered("added to cart!");
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("Link copied").or(page.getByLabel("Address of this page")).first().waitFor();
    await expect.poll(() => page.evaluate(coveredByToasts)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Buy Now" }).click();
    await expectUncovered("Chat started successfully!");
    await panelOf(page).waitFor();
    await expect.poll(() => page.evaluate(coveredByToasts)).toEqual([]);
    await page.getByRole("button", { name: "Close chat" }).click();
    await page.getByRole("link", { name: "Cart, 1 item" }).click();
    const drawer = page.getByRole("dialog", { name: /^Cart/ });
    await drawer.getByRole("spinbutton").fill("9999");
    await page.keyboard.press("Enter");
    await expectUncovered("Only");
    const headers = { Origin: new URL(page.url()).origin, ...OWN_CONNECTION };
    for (const id of ["oak-cheese-board", "engraved-key-tag", "stone-bead-bracelet", "walnut-serving-board"])
      await page.request.post("/cart", { form: { intent: "add", id }, headers });
    await page.goto("/terms");
    await page.getByRole("link", { name: /^Cart, \d+ items/ }).click();
    await drawer.getByText("Choose", { exact: true }).first().click();
    await drawer.getByRole("radio").first().check();
    await drawer.getByRole("button", { name: "Save" }).first().click();
    await expectUncovered("Choice saved");
    await drawer.getByRole("button", { name: "Clear cart" }).click();
    await drawer.getByText("Cart cleared").waitFor();
    await page.goto("/login");
    await page.getByLabel("Email").fill("nobody@mail.example");
    await page.getByLabel("Password", { exact: true }).fill("wrong-password");
    await page.getByRole("button", { name: "Sign In" }).click();
    await expectUncovered("Login failed!");
  });

test("a product that is gone and an unknown category offer a way on", async ({ open, shop }) => {
  const page = await open("/shop?category=NOPE");
  await page.getByText("There is no category “NOPE”. This is everything in the shop.").waitFor();
  const answer = await page.request.get(`${shop.url}/products/nope`, { headers: OWN_CONNECTION });
  expect(answer.status()).toBe(404);
  const html = await answer.text();
  for (const part of ["Product not found", "Browse Shop", 'href="/chat?ask"', "An empty plinth"])
    expect(html).toContain(part);
});

test("choices that are no colours are named by the product", async ({ open }) => {
  const page = await open("/products/oat-hand-balm");
  await page.getByRole("group", { name: "Kind" }).getByRole("radio", { name: "Tube" }).waitFor();
  await add(page);
  await page.getByText("Oat hand balm added to cart!").waitFor();
  await page.goto("/cart");
  await page.getByText("No kind chosen. We'll ask in the chat.").waitFor();
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

test("the products of a phone's list begin in the upper half of the screen", async ({ open }) => {
  const page = await open("/shop", PHONE);
  const { y } = await boxOf(page.locator(".product-card").first());
  expect(y).toBeLessThanOrEqual(360);
  const [price, sort] = [page.getByRole("button", { name: "Price" }), page.getByLabel("Sort")];
  expect((await boxOf(sort)).y).toBeCloseTo((await boxOf(price)).y, 0);
  const stock = await boxOf(page.locator(".filter-buttons").getByText("In stock"));
  expect(stock.x + stock.width).toBeLessThanOrEqual((await boxOf(sort)).x);
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

/** Tests that the chat's button is hidden or lies beside a part of the page. */
async function isClearOf(page: Page, part: Locator): Promise<boolean> {
  const button = page.locator(".chat-launcher");
  if (!(await button.evaluate((one) => one.checkVisibility({ visibilityProperty: true })))) return true;
  const [one, other] = [await boxOf(part), await boxOf(button)];
  return other.y >= one.y + one.height || other.y + other.height <= one.y || other.x >= one.x + one.width;
}

for (const slug of ["rosehip-face-serum", "oak-cheese-board", "walnut-phone-dock"])
  test(`the chat's button is in the first view of ${slug}`, async ({ open }) => {
    const page = await open(`/products/${slug}`, {
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
    });
    const button = page.locator(".chat-launcher");
    await expect(button).toHaveAttribute("style", /--chat-launcher-up/);
    await expect(button).not.toHaveAttribute("data-away");
    await expect(button).toBeInViewport({ ratio: 1 });
    for (const part of [".purchase-actions .btn-talk", ".description > .rich-text"])
      await expect
        .poll(() => isClearOf(page, page.locator(part).filter({ visible: true }).first()), part)
        .toBe(true);
  });

test("the chat's button leaves the preview of words free", async ({ open }) => {
  const page = await open("/products/oak-cheese-board", { viewport: { width: 1440, height: 900 } });
  await page.getByRole("textbox", { name: "Engraving" }).fill("Noor & Théo");
  const preview = page.locator(".engraving-preview");
  await preview.locator(".engraved-words").waitFor();
  await expect.poll(() => isClearOf(page, preview)).toBe(true);
});

for (const slug of ["engraved-key-tag", "walnut-serving-board"])
  test(`the chat's button follows the text of ${slug} that typed words move`, async ({ open }) => {
    const page = await open(`/products/${slug}`, {
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
    });
    const text = page.locator(".description > .rich-text").first();
    const { y } = await boxOf(text);
    await page.getByRole("textbox", { name: "Engraving" }).fill("Anna Maria");
    await expect.poll(async () => (await boxOf(text)).y).toBeGreaterThan(y);
    await expect.poll(() => isClearOf(page, text)).toBe(true);
    await expect(page.locator(".chat-launcher")).toBeInViewport({ ratio: 1 });
  });

test("the chat's button leaves the address in a phone's cart free", async ({ open }) => {
  const page = await filledCart(open, { ...PHONE, reducedMotion: "reduce" });
  await page.goto("/cart");
  const address = page.locator(".cart-pickup");
  for (const above of [100, 140, 180]) {
    await address.evaluate(
      (part, room) => scrollBy(0, part.getBoundingClientRect().bottom - innerHeight + room),
      above,
    );
    await expect.poll(() => isClearOf(page, address)).toBe(true);
  }
});
