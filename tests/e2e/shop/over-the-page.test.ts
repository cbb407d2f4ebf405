import type { Locator, Page } from "@playwright/test";
import { accessibilityProblems, expect, NO_SCRIPT, takesBack, test } from "../../support/browser";
import { logOf, panelOf, sendReply, startChat } from "../../support/conversation";

const WATCH = "/products/round-leather-watch";
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const picture = (page: Page) => page.getByRole("group", { name: "Pictures" }).getByRole("link").first();
const large = (page: Page) => page.getByRole("dialog", { name: "Pictures of Round watch" });

for (const viewport of [PHONE, DESKTOP])
  test.describe(`a large picture at ${viewport.width} px`, () => {
    test("opens, changes by the arrow keys, and gives the focus back on Escape", async ({ open }) => {
      const page = await open(WATCH, { viewport, reducedMotion: "reduce" });
      await picture(page).press("Enter");
      await expect(large(page).getByText("1 / 4")).toBeVisible();
      // The dialog takes the focus, and with it the keys, once it is open.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest("dialog[open]") !== null))
        .toBe(true);
      await page.keyboard.press("ArrowRight");
      await large(page).getByText("2 / 4").waitFor();
      if (viewport === DESKTOP) {
        await large(page).getByRole("button", { name: "Next picture" }).click();
        await large(page).getByText("3 / 4").waitFor();
        await large(page).getByRole("button", { name: "Previous picture" }).click();
        await large(page).getByText("2 / 4").waitFor();
      }
      await page.keyboard.press("+");
      await large(page).getByRole("button", { name: "Enlarge", pressed: true }).waitFor();
      await page.keyboard.press("-");
      await large(page).getByRole("button", { name: "Enlarge", pressed: false }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(large(page)).toBeHidden();
      await expect(picture(page)).toBeFocused();
      expect(new URL(page.url()).pathname).toBe(WATCH);
    });

    test("is closed by Back, which stays on the page", async ({ open }) => {
      const page = await open("/shop", { viewport, reducedMotion: "reduce" });
      await page.goto(WATCH);
      await picture(page).click();
      await large(page).waitFor();
      await takesBack(page);
      await page.goBack();
      await expect(large(page)).toBeHidden();
      expect(new URL(page.url()).pathname).toBe(WATCH);
      await page.goBack();
      await page.waitForURL("/shop");
    });
  });

test("a large picture is as wide as a phone, whatever the length of the product's name", async ({ open }) => {
  const page = await open("/products/oak-cheese-board", { viewport: PHONE, reducedMotion: "reduce" });
  await picture(page).click();
  const dialog = page.getByRole("dialog", { name: /^Pictures of Engraved oak cheese board/ });
  await expect(dialog.getByRole("img").first()).toBeInViewport({ ratio: 0.99 });
  expect(await dialog.evaluate(({ scrollWidth }) => scrollWidth)).toBe(PHONE.width);
});

test("a picture is a link to the large one without JavaScript", async ({ open }) => {
  const page = await open(WATCH, NO_SCRIPT);
  await picture(page).click();
  await page.waitForURL(/\/api\/storage\/object\?key=products%2Fround-leather-watch-1\.webp&w=1000/);
});

test("Back closes the chat on a phone; closed in another way, Back leaves the page at once", async ({
  open,
}) => {
  const page = await open("/shop", { viewport: PHONE });
  await page.goto(WATCH);
  const ask = page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Ask about this" });
  const chat = page.getByRole("dialog", { name: "Support Chat" });
  await ask.click();
  await chat.waitFor();
  await takesBack(page);
  await page.goBack();
  await expect(chat).toBeHidden();
  expect(new URL(page.url()).pathname).toBe(WATCH);
  await ask.click();
  await chat.getByRole("button", { name: "Close chat" }).click();
  await expect(chat).toBeHidden();
  await takesBack(page, false);
  await page.goBack();
  await page.waitForURL("/shop");
});

test("Back closes the menu, the prices and the cart on a phone; a link in them leads on, and Back from there to the page", async ({
  open,
}) => {
  const page = await open("/terms", { viewport: PHONE, reducedMotion: "reduce" });
  await page.goto("/shop");
  const menu = [
    page.getByRole("button", { name: /^Menu/ }),
    page.getByRole("navigation", { name: "Mobile" }),
  ];
  const prices = [
    page.getByRole("button", { name: "Price" }),
    page.getByRole("link", { name: /^Under \$25/ }),
  ];
  const cart = [page.getByRole("link", { name: /^Cart,/ }), page.getByRole("dialog", { name: /^Cart/ })];
  for (const [opener, part] of [menu, prices, cart] as [Locator, Locator][]) {
    await opener.click();
    await part.waitFor();
    await takesBack(page);
    await page.goBack();
    await expect(part).toBeHidden();
    expect(new URL(page.url()).pathname).toBe("/shop");
    await opener.click();
    await part.waitFor();
    await page.keyboard.press("Escape");
    await expect(part).toBeHidden();
    await takesBack(page, false);
  }
  await prices[0]?.click();
  await prices[1]?.click();
  await page.waitForURL("/shop?max=24.99");
  await menu[0]?.click();
  await menu[1]?.getByRole("link", { name: "Home", exact: true }).click();
  await page.waitForURL("/");
  for (const earlier of ["/shop?max=24.99", "/shop", "/terms"]) {
    await page.goBack();
    await page.waitForURL(earlier);
    await expect(page.locator(":popover-open, dialog[open]")).toHaveCount(0);
  }
});

test("the chat takes a phone's whole screen, and the page behind is out of reach", async ({ open }) => {
  const page = await open(WATCH, { viewport: PHONE, reducedMotion: "reduce" });
  const ask = page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Ask about this" });
  const chat = page.getByRole("dialog", { name: "Support Chat" });
  await ask.click();
  await chat.waitFor();
  await expect.poll(() => chat.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
  expect(await accessibilityProblems(page)).toEqual([]);
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus:not(.chat, .chat *)")).toHaveCount(0);
  }
  await chat.getByRole("button", { name: "Close chat" }).click();
  await expect(chat).toBeHidden();
  await expect(ask).toBeFocused();
  await page.getByRole("button", { name: "Share" }).click();
});

test("a phone's chat gives the focus to what opens it again", async ({ open }) => {
  const page = await open(WATCH, { viewport: PHONE, reducedMotion: "reduce" });
  const ask = page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Ask about this" });
  const chat = page.getByRole("dialog", { name: "Support Chat" });
  const minimise = chat.getByRole("button", { name: "Minimise" });
  await ask.click();
  await chat.getByPlaceholder("Your message...").fill("Is it there");
  await minimise.click();
  await expect(ask).toBeFocused();
  await takesBack(page, false);
  // The conversation is minimised on the next page, where nothing has opened it.
  await page.reload();
  await page.locator(".chat-bar").waitFor({ state: "attached" });
  await ask.click();
  // Escape is the chat's once it has the focus.
  await expect(chat.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(ask).toBeFocused();
  await takesBack(page, false);
  await page.goto("/shop");
  const launcher = page.getByRole("link", { name: "Ask us" });
  await launcher.click();
  await minimise.click();
  const bar = page.locator(".chat-open");
  await expect(bar).toBeFocused();
  await bar.click();
  await chat.getByRole("button", { name: "Close chat" }).click();
  await expect(launcher).toBeFocused();
});

test("a phone's bar to buy carries the minimised conversation", async ({ open }) => {
  const page = await open(WATCH, { viewport: PHONE, reducedMotion: "reduce" });
  const chatId = await startChat(page, "Is it waterproof?");
  await panelOf(page).getByRole("button", { name: "Minimise" }).click();
  const bar = page.locator(".chat-bar");
  const ask = page.getByRole("group", { name: "Buy" }).getByRole("button", { name: /^Ask about this/ });
  await bar.locator(".chat-face").waitFor();
  const place = async (part: Locator) => JSON.stringify(await part.boundingBox());
  await expect.poll(async () => (await place(bar.locator(".chat-face"))) === (await place(ask))).toBe(true);
  await sendReply(chatId, "To three metres.");
  const words = bar.getByText("To three metres.");
  await words.waitFor();
  await expect(ask).toHaveAccessibleName("Ask about this, 1 unread");
  const covered = async () => {
    const { y = 0, height = 0 } = (await bar.locator(".chat-head-text").boundingBox()) ?? {};
    return y + height - ((await ask.boundingBox())?.y ?? 0);
  };
  await expect.poll(covered).toBeLessThanOrEqual(0);
  await words.click();
  await logOf(page).getByText("To three metres.").waitFor();
  await panelOf(page).getByRole("button", { name: "Minimise" }).click();
  await expect(words).toBeHidden();
  await expect(bar.locator(".chat-face")).toBeVisible();
});

test("a wide page of a product asks about it beside Add to Cart, until the chat is open", async ({
  open,
}) => {
  const page = await open(WATCH, { viewport: DESKTOP });
  const ask = page.getByRole("button", { name: "Ask about it" });
  await ask.click();
  const chat = page.getByRole("dialog", { name: "Support Chat" });
  await chat.getByText("Round watch").waitFor();
  await expect(ask).toBeHidden();
  // Escape is the chat's once it has the focus.
  await expect(chat.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(ask).toBeFocused();
});

for (const viewport of [PHONE, DESKTOP])
  test(`a link pressed offline at ${viewport.width} px leaves the page as it is, with a note`, async ({
    open,
  }) => {
    const page = await open(WATCH, { viewport });
    await page.context().setOffline(true);
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Shop" }).click();
    await page.getByText("You're offline").first().waitFor();
    await expect(page.getByRole("heading", { level: 1, name: /Round watch/ })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(WATCH);
  });
