import type { Page } from "@playwright/test";
import { accessibilityProblems, expect, overflow, SCRIPTING, test } from "../../support/browser";
import { api, asking, chatIdOf, logOf, messagesIn, panelOf, sendReply } from "../../support/conversation";
import { withhold } from "../../support/late-scripts";
import { runningShop } from "../../support/running-shop";
import { asStaff } from "../../support/staff";

const CASE = "/products/moss-silicone-case";
const CASE_NAME = "Soft silicone phone case";
const LAMP = "/products/mushroom-table-lamp";
const LAMP_NAME = "Mushroom table lamp";
const PHONE = { viewport: { width: 390, height: 844 } };
const DESKTOP = { viewport: { width: 1440, height: 900 } };

const askedIn = (page: Page, name: string) => page.getByRole("group", { name: `About ${name}` });
const startField = (page: Page) => panelOf(page).getByPlaceholder("Your message...");
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true });

/** Chooses ink, words and two pieces on the page of the phone case. */
async function choose(page: Page) {
  const purchase = page.locator(".purchase");
  await purchase.getByText("Ink", { exact: true }).click();
  await purchase.getByRole("textbox", { name: "Engraving" }).fill("Noor");
  await purchase.getByRole("spinbutton", { name: "Quantity" }).fill("2");
}

test("the console takes a live message while the words of a card are still loading", async ({ open }) => {
  const asked = { productId: "moss-silicone-case", color: "Clay", engraving: "Noor" };
  const started = await api("chat/create", "POST", { initialMessage: "Is it there?", ...asked });
  const { chatId } = (await started.json()) as { chatId: string };
  const seller = await asStaff(open, "manager", "/admin");
  const deliver = await withhold(seller, "**/EngravedWords-*.js");
  const opened = seller.goto(`/admin/chat?chat=${chatId}`);
  await seller.locator(".engraved-picture").first().waitFor();
  await sendReply(chatId, "It is.");
  await seller.locator(".message-stream").getByText("It is.").waitFor();
  deliver();
  await opened;
  await expect(seller.locator(".engraved-words").first()).toContainText("Noor");
});

test("a question that is sent before its product is read carries what was chosen", async ({ open }) => {
  const page = await open(CASE, DESKTOP);
  const deliver = await withhold(page, "**/chat/products*");
  await choose(page);
  await asking(page).last().click();
  await startField(page).fill("Is it there?");
  await expect(askedIn(page, CASE_NAME)).toBeHidden();
  await page.keyboard.press("Enter");
  const message = logOf(page).getByText("Is it there?").first();
  await message.waitFor();
  deliver();
  const [first] = await messagesIn(await chatIdOf(page));
  expect(first).toContain(`${CASE_NAME} (Ink, “Noor”), 2 pieces: `);
  await expect(logOf(page).locator(".chat-product", { hasText: CASE_NAME })).toHaveCount(1);
});

test("a question keeps what was chosen when its page is left before the panel has loaded", async ({
  open,
}) => {
  const page = await open(CASE, DESKTOP);
  const deliver = await withhold(page, "**/ChatPanel-*.js");
  await choose(page);
  await asking(page).last().click();
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await page.waitForURL((url) => url.pathname === "/");
  deliver();
  await askedIn(page, CASE_NAME).getByText("Ink, “Noor”").waitFor();
});

test("a press on Ask us opens the chat although the button moves before its end", async ({ open }) => {
  const page = await open(CASE, DESKTOP);
  const button = asking(page).last();
  // Waits until the button has its place.
  await button.hover();
  const box = await button.boundingBox();
  if (!box) throw new Error("The button is not in sight");
  const { y, height } = box;
  await page.mouse.down();
  // Scrolled until the button moves away from what would lie under it, or back.
  const moved = async () => {
    await page.evaluate(() => window.scrollBy(0, 40));
    return Math.abs(((await button.boundingBox())?.y ?? y) - y);
  };
  await expect.poll(moved, { intervals: [300] }).toBeGreaterThan(height);
  await page.mouse.up();
  await startField(page).waitFor();
});

/** Goes to a product by the shop's own search, which keeps the panel. */
async function goTo(page: Page, name: string) {
  await page
    .getByRole("searchbox", { name: /Search/ })
    .first()
    .fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByRole("link", { name }).first().click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

for (const [size, viewport] of [
  ["on a phone", PHONE],
  ["on a desktop", DESKTOP],
] as const)
  test(`Ask us carries colour, words and quantity to the seller's forms ${size}`, async ({ open }) => {
    const page = await open(CASE, { ...viewport, reducedMotion: "reduce" });
    await choose(page);
    await asking(page).last().click();
    const asked = askedIn(page, CASE_NAME);
    await asked.getByText("Ink, “Noor”").waitFor();
    await asked.getByText("2 pieces").waitFor();
    await panelOf(page).getByText("Welcome! Please enter your details").waitFor();
    await expect(panelOf(page).getByText("Tell us what you have your eye on")).toHaveCount(0);
    await asked.getByRole("button", { name: `Don't ask about ${CASE_NAME}` }).click();
    await panelOf(page).getByText("Tell us what you have your eye on").waitFor();
    await panelOf(page)
      .getByRole("button", { name: `Ask about ${CASE_NAME}` })
      .click();
    await expect(panelOf(page).getByText("Tell us what you have your eye on")).toHaveCount(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);

    // One tap leads to the page's own fields, whose choice the head follows.
    await asked.getByRole("button", { name: "Change" }).click();
    await page.locator(".purchase").getByText("Clay", { exact: true }).click();
    if (size === "on a phone") await asking(page).last().click();
    await asked.getByText("Clay, “Noor”").waitFor();
    await startField(page).fill("Is it there today?");
    await send(page).click();
    const card = logOf(page).locator(".chat-product", { hasText: CASE_NAME });
    await card.getByText("Clay, “Noor”").waitFor();
    await card.getByText(/^2 × /).waitFor();
    await expect(logOf(page).locator(".chat-bubble")).toHaveText(["Is it there today?"]);
    const chatId = await chatIdOf(page);
    const address = new URL(CASE, page.url()).href;
    expect((await messagesIn(chatId)).at(-1)).toBe(
      `Is it there today?\n\n${CASE_NAME} (Clay, “Noor”), 2 pieces: ${address}`,
    );

    const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
    const visitor = seller.getByRole("complementary", { name: "Visitor" });
    await seller.locator(".message-stream").getByText("Clay, “Noor”").waitFor();
    await visitor.getByText("Clay, “Noor”").waitFor();
    for (const form of [/^Record sale/, /^Set aside/, /^Quote/]) {
      await seller.goto(`/admin/chat?chat=${chatId}`);
      await visitor.getByRole("link", { name: form }).click();
      await seller.waitForURL(/\/admin\/sales\//);
      await expect(seller.locator('[name="lines[0].description"]').first()).toHaveValue(
        `${CASE_NAME} (Clay, “Noor”)`,
      );
      await expect(seller.locator(".sale-product img").first()).toHaveAttribute(
        "src",
        /moss-silicone-case-2/,
      );
      await expect(seller.locator('[name="lines[0].quantity"]').first()).toHaveValue("2");
    }

    // The card's own button takes the same into the cart.
    await card.getByRole("button", { name: /Add to Cart/ }).click();
    await page.getByText(`${CASE_NAME} added to cart`).waitFor();
    await page.goto("/cart");
    const line = page.getByRole("main").locator(".cart-line");
    await expect(line.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("2");
    await expect(line).toContainText("Clay");
    await expect(line).toContainText("Noor");
  });

test("a question that is changed elsewhere, and asked again with another colour, is one line for the seller", async ({
  open,
}) => {
  const page = await open(CASE, DESKTOP);
  await choose(page);
  await asking(page).last().click();
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await page.waitForURL((url) => url.pathname === "/");
  const asked = askedIn(page, CASE_NAME);
  await asked.getByText("Ink, “Noor”").waitFor();
  await asked.getByText("Change").click();
  await asked.getByText("Rose", { exact: true }).click();
  await asked.getByText("Rose, “Noor”").waitFor();
  await startField(page).fill("Is it there today?");
  await page.keyboard.press("Enter");
  await logOf(page).getByText("Rose, “Noor”").waitFor();
  const chatId = await chatIdOf(page);
  const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
  await seller.getByRole("complementary", { name: "Visitor" }).getByText("Rose, “Noor”").waitFor();

  await page.goto(CASE);
  await choose(page);
  await asked.getByText("Ink, “Noor”").waitFor();
  await page.getByPlaceholder("Type your message...").fill("Or in ink?");
  await send(page).click();
  await logOf(page).getByText("Ink, “Noor”").waitFor();
  await seller.reload();
  const column = seller.getByRole("complementary", { name: "Visitor" });
  await column.getByText("Ink, “Noor”").waitFor();
  await expect(column.getByText("Rose, “Noor”")).toHaveCount(0);
});

for (const [size, viewport] of [
  ["on a phone", PHONE],
  ["on a desktop", DESKTOP],
] as const)
  test(`Change leads to the chosen colour ${size}; without a conversation no bar follows`, async ({
    open,
  }) => {
    const page = await open(CASE, { ...viewport, reducedMotion: "reduce" });
    await page.locator(".purchase").getByText("Ink", { exact: true }).click();
    await asking(page).last().click();
    await askedIn(page, CASE_NAME).getByRole("button", { name: "Change" }).click();
    const chosen = page.getByRole("radio", { name: "Ink" });
    await expect(chosen).toBeFocused();
    await expect(chosen).toBeInViewport();
    await expect(page.locator(".swatch", { has: chosen })).toHaveCSS("outline-style", "solid");
    const minimise = panelOf(page).getByRole("button", { name: "Minimise" });
    if (viewport === DESKTOP) await minimise.click();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Shop" }).click();
    await page.waitForURL("/shop");
    await expect(page.locator(".chat-bar")).toHaveCount(0);
    await page.getByRole("link", { name: "Ask us" }).waitFor();
  });

test("before a conversation the panel follows the page in front, and sends nothing that is empty", async ({
  open,
}) => {
  const page = await open(CASE, DESKTOP);
  await asking(page).last().click();
  await askedIn(page, CASE_NAME).waitFor();
  await expect(send(page)).toBeDisabled();
  await startField(page).press("Enter");
  await startField(page).fill("  ");
  await startField(page).press("Enter");
  await expect(send(page)).toBeDisabled();
  await goTo(page, LAMP_NAME);
  await askedIn(page, LAMP_NAME).waitFor();
  await expect(askedIn(page, CASE_NAME)).toHaveCount(0);
  await startField(page).fill("Does it dim?");
  await send(page).click();
  await logOf(page).locator(".chat-product", { hasText: LAMP_NAME }).waitFor();
  expect(await messagesIn(await chatIdOf(page))).toEqual([
    `Does it dim?\n\n${LAMP_NAME}: ${new URL(LAMP, page.url()).href}`,
  ]);
  await expect(send(page)).toBeDisabled();
});

test("without JavaScript the question carries what was chosen, also in a conversation that goes on", async ({
  open,
}) => {
  const page = await open(CASE, { ...PHONE, javaScriptEnabled: false });
  await choose(page);
  await page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Ask about this" }).click();
  await askedIn(page, CASE_NAME).getByText("Ink, “Noor”").waitFor();
  // An empty form sends nothing.
  await page.getByRole("button", { name: "Start chat" }).click();
  await page.getByText("Write your message first").waitFor();
  await askedIn(page, CASE_NAME).getByText("Change").click();
  await askedIn(page, CASE_NAME).getByText("Rose", { exact: true }).click();
  await page.getByLabel("Your message...").fill("Is it there today?");
  await page.getByRole("button", { name: "Start chat" }).click();
  const log = page.getByRole("log", { name: "Messages" });
  await log.getByText("Rose, “Noor”").waitFor();
  await log.getByText("Is it there today?").waitFor();
  expect(await overflow(page)).toBe(0);

  await page.goto(CASE);
  await choose(page);
  await page.getByRole("group", { name: "Buy" }).getByRole("button", { name: "Ask about this" }).click();
  await page.waitForURL(/\/chat\/[^?]+\?product=/);
  await page.getByPlaceholder("Type your message...").fill("Or in ink?");
  await send(page).click();
  await log.getByText("Ink, “Noor”").waitFor();
  const chatId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect((await messagesIn(chatId)).at(-1)).toBe(
    `Or in ink?\n\n${CASE_NAME} (Ink, “Noor”), 2 pieces: ${runningShop().url}${CASE}`,
  );
});

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`Buy Now's card has what was chosen ${name}`, async ({ open }) => {
    const page = await open(CASE, { ...DESKTOP, javaScriptEnabled });
    await choose(page);
    await page.getByRole("button", { name: "Buy Now" }).click();
    const card = page.locator(".chat-product", { hasText: CASE_NAME });
    await card.getByText("Ink, “Noor”").waitFor();
    await card.getByText(/^2 × /).waitFor();
  });

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`two requests for a product say their choices in their cards alone ${name}`, async ({ open }) => {
    const page = await open(CASE, { ...DESKTOP, javaScriptEnabled });
    for (const words of ["One", "Two"]) {
      await page.goto(CASE);
      await page.locator(".purchase").getByRole("textbox", { name: "Engraving" }).fill(words);
      await page.getByRole("button", { name: "Buy Now" }).click();
      await page.locator(".chat-product").getByText(`“${words}”`).waitFor();
    }
    const sentence = `I'm interested in buying the ${CASE_NAME}.`;
    await expect(page.locator(".chat-msg.me .chat-bubble")).toHaveText([sentence, sentence]);
  });

test("after Buy Now the head stays, and other choices go along with the next message, once", async ({
  open,
}) => {
  const page = await open(CASE, DESKTOP);
  await choose(page);
  await page.getByRole("button", { name: "Buy Now" }).click();
  const cards = logOf(page).locator(".chat-product");
  await cards.getByText("Ink, “Noor”").waitFor();
  const asked = askedIn(page, CASE_NAME);
  await asked.getByText("Ink, “Noor”").waitFor();
  await asked.getByRole("button", { name: "Change" }).waitFor();
  const write = async (text: string) => {
    await page.getByPlaceholder("Type your message...").fill(text);
    await send(page).click();
    await logOf(page).locator(".chat-bubble:not(.chat-bubble-sending)", { hasText: text }).waitFor();
  };
  await write("Is it soft?");
  await expect(cards).toHaveCount(1);
  await page.locator(".purchase").getByRole("textbox", { name: "Engraving" }).fill("Three");
  await asked.getByText("Ink, “Three”").waitFor();
  await write("And this one?");
  await cards.getByText("Ink, “Three”").waitFor();
  await write("Thank you.");
  await expect(cards).toHaveCount(2);
  await asked.getByText("Ink, “Three”").waitFor();
});

test("in a conversation an open panel offers another product with its first questions, and Ask us asks about it", async ({
  open,
}) => {
  const page = await open(CASE, DESKTOP);
  await page.getByRole("button", { name: "Buy Now" }).click();
  await askedIn(page, CASE_NAME).waitFor();
  await goTo(page, LAMP_NAME);
  await panelOf(page)
    .getByRole("button", { name: `Ask about ${LAMP_NAME}` })
    .waitFor();
  await expect(askedIn(page, LAMP_NAME)).toHaveCount(0);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await asking(other).last().click();
  await askedIn(other, LAMP_NAME).waitFor();
  await other.close();
  await page.getByRole("group", { name: "First questions" }).getByRole("button").first().click();
  await logOf(page).locator(".chat-product", { hasText: LAMP_NAME }).waitFor();
  await askedIn(page, LAMP_NAME).waitFor();
  await expect(page.getByRole("group", { name: "First questions" })).toHaveCount(0);
});
