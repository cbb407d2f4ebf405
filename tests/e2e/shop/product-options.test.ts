import type { Page } from "@playwright/test";
import { accessibilityProblems, expect, hydrated, overflow, SCRIPTING, test } from "../../support/browser";
import { api, chatIdOf, sellerToken } from "../../support/conversation";
import { OWN_CONNECTION, runningShop } from "../../support/running-shop";
import { asStaff } from "../../support/staff";

const PHONE = { viewport: { width: 390, height: 844 } };
const CASE = "/products/moss-silicone-case";
const CASES = "/shop?category=PHONE_CASE";
const GIFT = "Noor & Zoë 💚";
const bar = (page: Page) => page.getByRole("group", { name: "Buy" });
const words = (page: Page) => page.getByRole("textbox", { name: "Engraving" });
const lines = (page: Page) => page.locator("main .cart-line");
const shownPicture = (page: Page) =>
  page.locator(".gallery-reel").evaluate((reel) => Math.round(reel.scrollLeft / reel.clientWidth));

/** Adds products to the visitor's cart, in this order. */
async function fill(page: Page, ...forms: Record<string, string>[]) {
  const headers = { Origin: runningShop().url, ...OWN_CONNECTION };
  for (const form of forms) await page.request.post("/cart", { form: { intent: "add", ...form }, headers });
}

/** Slow 4G, as Lighthouse simulates it. */
async function slowDown(page: Page) {
  const session = await page.context().newCDPSession(page);
  const kilobits = (rate: number) => (rate * 1000) / 8;
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: kilobits(1638),
    uploadThroughput: kilobits(750),
  });
}

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a gift under $30 with a name on it gets from the home page to the seller's console on a slow network ${name}`, async ({
    open,
  }) => {
    const page = await open("about:blank", { ...PHONE, javaScriptEnabled });
    await slowDown(page);
    await page.goto("/");
    const main = page.getByRole("main");
    await main.getByRole("link", { name: "Shop Now" }).click();
    await page.getByRole("button", { name: "Price" }).click();
    await page.getByLabel("To", { exact: true }).fill("30");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("button", { name: "Up to $30" }).waitFor();
    await main.getByRole("link", { name: "Soft silicone phone case" }).click();
    await page.getByRole("radio", { name: "Ink" }).check();
    await words(page).fill("Nor");
    await bar(page).getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Soft silicone phone case added to cart!").first().waitFor();
    await page.goto("/cart");
    await lines(page).getByText("Change").click();
    await words(page).fill(GIFT);
    await lines(page).getByRole("button", { name: "Save" }).click();
    await lines(page).getByText(`Ink, “${GIFT}”`).waitFor();
    await main.getByRole("button", { name: "Chat with Seller" }).click();
    await page.locator(".chat-cart-snapshot").getByText(`Ink, “${GIFT}”`).waitFor();
    const chatId = javaScriptEnabled ? await chatIdOf(page) : new URL(page.url()).pathname.split("/").at(-1);
    const seller = await asStaff(open, "manager", "/admin/chat");
    // Other visitors may have asked for these items too.
    await seller.locator(`.chat-row:not(.more)[href*="${chatId}"]`, { hasText: "these items" }).click();
    const visitor = seller.getByRole("complementary", { name: "Visitor" });
    await visitor.getByText(`Ink, “${GIFT}”`).waitFor();
    await visitor.getByRole("link", { name: /^Record sale/ }).click();
    await seller.waitForURL(/\/admin\/sales\/new/);
    await seller.getByText(`Soft silicone phone case (Ink, “${GIFT}”)`, { exact: true }).first().waitFor();
  });

test("a colour of one long word and a long name stay within a phone", async ({ open }) => {
  const long = "Dunkelanthrazitchampagnerfarbenmetallicx";
  const name = `Papeterie « La boîte à ${"très ".repeat(20)}longue », gravée`;
  const json = { name, price: 5, stock: 3, category: "OTHERS", colors: ["Champagnerfarben", long, "Oat"] };
  const created = await api("product", "POST", json, await sellerToken());
  const { id } = (await created.json()) as { id: string };
  for (const viewport of [PHONE.viewport, { width: 1280, height: 800 }]) {
    const page = await open(`/products/${id}`, { viewport });
    await page.getByRole("radio", { name: long }).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const wide = await page
      .locator(".swatch")
      .evaluateAll((tiles) => tiles.filter((tile) => tile.scrollWidth > tile.clientWidth).length);
    expect(wide).toBe(0);
    const heading = page.getByRole("heading", { level: 1 });
    // Letters reach out of the last line by a few pixels.
    expect(await heading.evaluate((h1) => h1.scrollHeight - h1.clientHeight)).toBeLessThan(10);
    expect(await heading.textContent()).toContain("«\u00a0La boîte");
  }
  await api(`product/${id}`, "DELETE", undefined, await sellerToken());
});

test("the chosen picture is whole after a reload beside the open chat", async ({ open }) => {
  const page = await open("/products/walnut-rollerball-pen", { viewport: { width: 1440, height: 900 } });
  await page.getByRole("radio", { name: "Oak" }).check();
  await expect.poll(() => shownPicture(page)).toBe(1);
  await page.getByRole("button", { name: "Ask us", exact: true }).click();
  await page.getByRole("dialog", { name: "Support Chat" }).waitFor();
  await page.reload();
  await page.getByRole("dialog", { name: "Support Chat" }).waitFor();
  const place = () =>
    page.locator(".gallery-reel").evaluate((reel) => (reel.scrollLeft / reel.clientWidth).toFixed(2));
  await expect.poll(place).toBe("1.00");
});

test("words that exceed the plate are told while they are typed, and that the field is full", async ({
  open,
}) => {
  const page = await open("/products/engraved-key-tag", { viewport: { width: 1440, height: 900 } });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("radio", { name: "Steel" }).check();
  await words(page).fill("Noor");
  await page.getByText("optional, included in the price, 2 lines of 12 letters").waitFor();
  await expect(page.getByText("/ 60")).toHaveCount(0);
  await page.evaluate(() => navigator.clipboard.writeText("A".repeat(70)));
  await words(page).press("ControlOrMeta+a");
  await words(page).press("ControlOrMeta+v");
  await page.getByText("60 / 60, full").waitFor();
  await page.getByText("Too long for this piece: 2 lines of 12 letters.").waitFor();
  await expect(page.locator(".engraving-preview text")).toHaveText(["AAAAAA", "AAAAA…"]);
  await words(page).fill("Noor");
  await expect(page.getByText("Too long for this piece")).toHaveCount(0);
});

test("the fields of the last line in the cart's drawer open in view", async ({ open }) => {
  const page = await open("about:blank", { viewport: { width: 1440, height: 900 } });
  await fill(page, { id: "walnut-serving-board" }, { id: "moss-silicone-case" }, { id: "engraved-key-tag" });
  await page.goto("/shop");
  await page.getByRole("link", { name: /^Cart/ }).first().click();
  const line = page.getByRole("dialog").locator(".cart-line").last();
  await line.locator("summary").click();
  await expect(line.getByRole("button", { name: "Save" })).toBeInViewport({ ratio: 1 });
});

test.describe("the product page on a phone", () => {
  test("shows price, Add to Cart, name, stock and colours on arrival; the chat covers nothing", async ({
    open,
  }) => {
    const page = await open(CASE, PHONE);
    for (const part of [
      bar(page).getByRole("button", { name: "Add to Cart" }),
      bar(page).getByText("$24"),
      page.getByRole("heading", { level: 1 }),
      page.getByText("In stock").first(),
      page.getByRole("radio", { name: "Rose" }),
      page.getByText("1 / 5"),
    ])
      await expect(part).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Ask us", exact: true })).toBeHidden();
    await bar(page).getByRole("button", { name: "Ask about this" }).click();
    await page.getByRole("dialog", { name: "Support Chat" }).getByText("Soft silicone phone case").waitFor();
  });

  test("follows the colour with the picture, and draws the words", async ({ open }) => {
    const page = await open(CASE, { ...PHONE, reducedMotion: "reduce" });
    for (const [color, picture] of [
      ["Clay", 1],
      ["Rose", 2],
      ["Moss", 0],
    ] as const) {
      await page.getByRole("radio", { name: color }).check();
      await expect.poll(() => shownPicture(page)).toBe(picture);
    }
    await words(page).fill("Ada");
    await expect(page.locator(".engraving-preview")).toHaveText("Ada");
    await expect(page.getByText("/ 60")).toHaveCount(0);
  });

  test("has what was chosen when a reader comes back to it by Back and Forward", async ({ open }) => {
    const page = await open(CASE, { ...PHONE, reducedMotion: "reduce" });
    const expectChosen = async () => {
      await expect(page.getByRole("radio", { name: "Rose" })).toBeChecked();
      await expect(words(page)).toHaveValue("Ada");
      await expect(page.locator(".engraving-preview")).toHaveText("Ada");
      await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("2");
      await expect.poll(() => shownPicture(page)).toBe(2);
    };
    await page.getByRole("radio", { name: "Rose" }).check();
    await words(page).fill("Ada");
    await page.getByRole("button", { name: "One more" }).click();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByText("Phone Case").click();
    await page.waitForURL(CASES);
    await page.goBack();
    await expectChosen();
    await page.goForward();
    await page.waitForURL(CASES);
    await page.getByRole("main").getByRole("link", { name: "Soft silicone phone case" }).click();
    await expect(words(page)).toHaveValue("");
    await page.goto("/terms");
    await page.goBack();
    await page.waitForURL(CASE);
    await hydrated(page);
    await page.goBack();
    await page.waitForURL(CASES);
    await page.goBack();
    await expectChosen();
  });

  test("reaches every picture by the keyboard", async ({ open }) => {
    const page = await open(CASE, { ...PHONE, reducedMotion: "reduce" });
    await page.getByRole("group", { name: "Pictures" }).getByRole("link").first().focus();
    for (const place of ["2 / 5", "3 / 5", "4 / 5", "5 / 5"]) {
      await page.keyboard.press("ArrowRight");
      await page.getByText(place).waitFor();
    }
  });

  test("has no accessibility problem and no sideways scroll, nor has its cart", async ({ open }) => {
    const page = await open(CASE, { ...PHONE, reducedMotion: "reduce" });
    const expectFit = async () => {
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 700 });
        await expect.poll(() => overflow(page), `${width} px`).toBeLessThanOrEqual(0);
        expect(await accessibilityProblems(page), `${width} px`).toEqual([]);
      }
    };
    await expectFit();
    await fill(
      page,
      { id: "moss-silicone-case", color: "Clay", engraving: GIFT },
      { id: "engraved-key-tag" },
    );
    await page.goto("/cart");
    await lines(page).getByText("Change").click();
    await expectFit();
  });
});

test.describe("the cart on a phone", () => {
  test("does not move sideways when a line is removed", async ({ open }) => {
    const page = await open("about:blank", PHONE);
    await fill(page, { id: "engraved-key-tag" }, { id: "stone-bead-bracelet" }, { id: "oak-cheese-board" });
    await page.goto("/cart");
    await lines(page)
      .first()
      .getByRole("button", { name: /^Remove/ })
      .click();
    await expect(lines(page)).toHaveCount(2);
    const moved = () =>
      page.evaluate(
        () => [...document.querySelectorAll("main, main *")].filter((one) => one.scrollLeft !== 0).length,
      );
    expect(await moved()).toBe(0);
    expect(
      await page.locator("main .cart-lines").evaluate((list) => list.scrollWidth - list.clientWidth),
    ).toBe(0);
  });

  test("tells of a removed line between Close and the first line", async ({ open }) => {
    const page = await open("about:blank", { ...PHONE, reducedMotion: "reduce" });
    await fill(page, { id: "engraved-key-tag" }, { id: "stone-bead-bracelet" });
    await page.goto("/terms");
    await page.getByRole("link", { name: /^Cart,/ }).click();
    const drawer = page.getByRole("dialog", { name: /^Cart/ });
    await drawer
      .getByRole("button", { name: /^Remove/ })
      .first()
      .click();
    // Once all have come to rest.
    await page.waitForFunction(() => {
      const [told, first, close] = [
        "#cart .cart-removed:not(:empty)",
        "#cart .cart-line",
        "#cart [aria-label='Close cart']",
      ].map((selector) => document.querySelector(selector)?.getBoundingClientRect());
      return told && first && close && first.top >= told.bottom && told.top >= close.bottom;
    });
  });

  test("answers at once offline and after a broken connection", async ({ open }) => {
    const page = await open("about:blank", PHONE);
    await fill(page, { id: "freshwater-pearl-studs" });
    await page.goto("/cart");
    await page.context().setOffline(true);
    await lines(page)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await page
      .locator(".toast")
      .getByText(/^That works when you're back online/)
      .waitFor();
    await page.context().setOffline(false);
    await page.route("**/cart/submit", (route) => route.abort("internetdisconnected"));
    const failed = page.getByText("That didn't work. Please try again.");
    // Both messages end by themselves, the first one when the second comes.
    const told = await page.evaluateHandle(() => {
      const texts: string[] = [];
      const note = () => texts.push(document.querySelector(".toast-list")?.textContent ?? "");
      new MutationObserver(note).observe(document.body, {
        childList: true,
        subtree: true,
        characterData: true,
      });
      return texts;
    });
    await Promise.all([
      failed.waitFor(),
      lines(page)
        .getByRole("button", { name: /^Remove/ })
        .click(),
    ]);
    expect(await told.evaluate((texts) => texts.join())).toContain("The request failed. Trying again...");
    await expect(lines(page)).toHaveCount(1);
    // The focus in it keeps a message from ending by itself.
    await page.locator(".toast-list").dispatchEvent("focusin");
    await page.unroute("**/cart/submit");
    await lines(page)
      .getByRole("button", { name: /^Remove/ })
      .press("Enter");
    await expect(lines(page)).toHaveCount(0);
    await expect(failed).toHaveCount(0);
  });
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])
  test.describe(`words to engrave at ${viewport.width} px`, () => {
    test("are drawn on the picture of the chosen colour, in the tone of its material", async ({ open }) => {
      const page = await open("/products/engraved-key-tag", { viewport, reducedMotion: "reduce" });
      await words(page).fill("Ada");
      for (const [material, picture, tone] of [
        ["Leather", 5, "burnt"],
        ["Steel", 4, "cut"],
        ["Walnut", 3, "burnt"],
      ] as const) {
        await page.getByRole("radio", { name: material }).check();
        const drawn = page.locator(`#picture-${picture} .engraved-words`);
        await expect(drawn).toHaveText("Ada");
        await expect(drawn).toHaveClass(`engraved-words tone-${tone}`);
        await expect.poll(() => shownPicture(page)).toBe(picture - 1);
        await expect(page.locator(".engraving-preview .engraved-words")).toHaveText("Ada");
      }
    });

    test("stay on the piece before engraving when its colour is chosen after them", async ({ open }) => {
      const page = await open("/products/mountain-steel-tumbler", { viewport, reducedMotion: "reduce" });
      await words(page).fill("Ada");
      await expect.poll(() => shownPicture(page)).toBe(4);
      await page.getByRole("radio", { name: "Green" }).check();
      await page.waitForTimeout(300);
      await expect.poll(() => shownPicture(page)).toBe(4);
      await page.getByRole("radio", { name: "Clay" }).check();
      await expect.poll(() => shownPicture(page)).toBe(1);
      await page.getByRole("radio", { name: "Green" }).check();
      await expect.poll(() => shownPicture(page)).toBe(4);
    });

    test("stand on a plain plate where no picture has one", async ({ open }) => {
      const page = await open("/products/oval-signet-ring", { viewport, reducedMotion: "reduce" });
      await page.getByRole("radio", { name: "Silver" }).check();
      await words(page).fill("N");
      await expect(page.locator(".plain-plate.tone-cut")).toHaveText("N");
      await expect(page.locator(".engraved-words")).toHaveCount(0);
    });

    test("follow the picture of a colour with two words into the chat", async ({ open }) => {
      const page = await open("/products/oval-green-stone-ring", { viewport, reducedMotion: "reduce" });
      await page.getByRole("radio", { name: "Rose gold and red" }).check();
      await expect.poll(() => shownPicture(page)).toBe(2);
      await page.locator('button[value="ask"]').filter({ visible: true }).first().click();
      const picture = page.getByRole("dialog", { name: "Support Chat" }).locator(".chat-asked img");
      await expect(picture).toHaveAttribute("src", /oval-green-stone-ring-3/);
    });
  });
