import type { Page } from "@playwright/test";
import { io } from "socket.io-client";
import { accessibilityProblems, expect, NO_SCRIPT, type Open, test } from "../../support/browser";
import { dispatchEvent, withConnectionControl } from "../../support/connection-control";
import {
  asking,
  chatIdOf,
  connected,
  fieldOf,
  logOf,
  messagesIn,
  panelOf,
  sellerToken,
  sendReply,
  startChat,
  write,
} from "../../support/conversation";
import { runningShop } from "../../support/running-shop";
import { signedInAs } from "../../support/signed-in";

const PHONE = { viewport: { width: 390, height: 844 } };
const BOARD = "/products/walnut-serving-board";
const BOARD_NAME = "Engraved walnut serving board";
const LAMP_NAME = "Mushroom table lamp";
const PDF = { name: "engraving.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") };

const cardIn = (page: Page, name: string) => logOf(page).locator(".chat-product", { hasText: name });
const streamOf = (page: Page) => page.locator(".message-stream");
const cardInConsole = (page: Page, name: string) =>
  streamOf(page).locator(".message-product", { hasText: name });
const openConsole = async (open: Open, chatId: string, options = {}) =>
  open(`/admin/chat?chat=${chatId}`, { ...(await signedInAs("manager")).browser, ...options });
const chatIdIn = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

/** Listens to a chat with the standard client, as the seller. */
async function messagesOfStandardClient(chatId: string) {
  const extraHeaders = { Authorization: `Bearer ${await sellerToken()}` };
  const client = io(runningShop().url, { transports: ["websocket"], reconnection: false, extraHeaders });
  const messages: { message: string }[] = [];
  client.on("new-message", (message: { message: string }) => messages.push(message));
  await client.emitWithAck("join-chat", chatId);
  return { messages, close: () => client.close() };
}

/** Runs in the page: marks it once the panel displays a placeholder. */
const recordWaiting = () => {
  const check = () => {
    const text = document.querySelector(".chat")?.textContent ?? "";
    if (/Connecting\.\.\.|One moment/.test(text)) document.documentElement.setAttribute("data-waited", "");
  };
  new MutationObserver(check).observe(document.body, { childList: true, subtree: true, characterData: true });
};

test("a visitor asks about a product, the seller sends another, and the visitor puts it in the cart", async ({
  open,
}) => {
  const visitor = await open(BOARD, { ...PHONE, reducedMotion: "reduce" });
  await asking(visitor).last().click();
  const asked = panelOf(visitor).getByRole("group", { name: `About ${BOARD_NAME}` });
  await asked.getByText("$78").waitFor();
  await panelOf(visitor).getByPlaceholder("Your message...").fill("Is it oiled?");
  await panelOf(visitor).getByText("Online", { exact: true }).waitFor();
  await visitor.evaluate(recordWaiting);
  await visitor.keyboard.press("Enter");
  await cardIn(visitor, BOARD_NAME).waitFor();
  await connected(visitor);
  // The message takes the place of the form at once, without a placeholder between them.
  await expect(visitor.locator("html")).not.toHaveAttribute("data-waited");
  const chatId = await chatIdOf(visitor);
  const standard = await messagesOfStandardClient(chatId);
  await write(visitor, "And dishwasher safe?");
  await expect(logOf(visitor).getByText("And dishwasher safe?", { exact: true })).toBeVisible();
  await expect(logOf(visitor).locator(".chat-bubble")).toContainText([
    "Is it oiled?",
    "And dishwasher safe?",
  ]);
  await expect(cardIn(visitor, BOARD_NAME)).toHaveCount(1);
  expect(await accessibilityProblems(visitor)).toEqual([]);

  const seller = await openConsole(open, chatId);
  await cardInConsole(seller, BOARD_NAME).getByText("in stock").waitFor();
  await expect(cardInConsole(seller, BOARD_NAME).getByRole("link", { name: BOARD_NAME })).toHaveAttribute(
    "href",
    BOARD,
  );
  await seller
    .getByRole("complementary", { name: "Visitor" })
    .getByRole("listitem")
    .getByRole("link", { name: BOARD_NAME })
    .waitFor();
  await expect(streamOf(seller).getByRole("button", { name: /Add/ })).toHaveCount(0);
  await seller.getByRole("button", { name: "Attach a product" }).focus();
  await seller.keyboard.press("Enter");
  await expect(seller.getByPlaceholder("Search products")).toBeFocused();
  // The list of an earlier letter may lack the product for a moment, and take the focus with it.
  const found = seller.waitForResponse(/[?&]search=mushroom(?:&|$)/);
  await seller.keyboard.type("mushroom");
  await (await found).finished();
  await seller.getByRole("button", { name: LAMP_NAME }).focus();
  await seller.keyboard.press("Enter");
  await seller.getByRole("link", { name: `Remove ${LAMP_NAME}` }).waitFor();
  await expect(seller.getByPlaceholder("Type your response...")).toBeFocused();
  expect(await accessibilityProblems(seller)).toEqual([]);
  await seller.keyboard.type("This one goes with it. https://care.example/oil");
  await seller.keyboard.press("Enter");
  await cardInConsole(seller, LAMP_NAME).waitFor();
  await expect(seller.getByRole("link", { name: `Remove ${LAMP_NAME}` })).toHaveCount(0);

  await cardIn(visitor, LAMP_NAME).waitFor();
  const link = logOf(visitor).getByRole("link", { name: "https://care.example/oil" });
  await expect(link).toHaveAttribute("rel", "nofollow noopener");
  await expect.poll(() => standard.messages.map(({ message }) => message).join("\n")).toContain(LAMP_NAME);
  standard.close();
  await cardIn(visitor, LAMP_NAME)
    .getByRole("button", { name: `Add to Cart ${LAMP_NAME}` })
    .click();
  await visitor.getByText(`${LAMP_NAME} added to cart`).first().waitFor();
  await panelOf(visitor).getByRole("button", { name: "Close chat" }).click();
  await visitor.getByRole("link", { name: "Cart, 1 item" }).waitFor();
});

test("a product that is dismissed is not attached, and a link to one becomes a card", async ({ open }) => {
  const visitor = await open(BOARD, PHONE);
  await asking(visitor).last().click();
  await panelOf(visitor)
    .getByRole("button", { name: `Don't ask about ${BOARD_NAME}` })
    .click();
  await panelOf(visitor).getByPlaceholder("Your message...").fill("Are you open on Sunday?");
  await visitor.keyboard.press("Enter");
  await logOf(visitor).getByText("Are you open on Sunday?").waitFor();
  await connected(visitor);
  await fieldOf(visitor).fill(new URL(BOARD, visitor.url()).href);
  await expect(panelOf(visitor).getByRole("group", { name: `About ${BOARD_NAME}` })).toHaveCount(0);
  await fieldOf(visitor).press("Enter");
  await cardIn(visitor, BOARD_NAME).waitFor();
  await expect(logOf(visitor).getByText(BOARD)).toHaveCount(0);
  // On the page of another product that nobody asked about, nothing is attached.
  await visitor.setViewportSize({ width: 820, height: 1180 });
  await visitor.goto("/products/mushroom-table-lamp");
  await visitor.getByRole("button", { name: "Support Chat" }).click();
  await write(visitor, "Is it gift-wrapped?");
  const chatId = await chatIdOf(visitor);
  await expect.poll(async () => (await messagesIn(chatId)).at(-1)).toBe("Is it gift-wrapped?");
  await expect(cardIn(visitor, LAMP_NAME)).toHaveCount(0);
  await panelOf(visitor)
    .getByRole("button", { name: `Ask about ${LAMP_NAME}` })
    .click();
  // However long the conversation, the product keeps its room.
  await visitor.setViewportSize({ width: 820, height: 520 });
  const asked = panelOf(visitor).getByRole("group", { name: `About ${LAMP_NAME}` });
  await expect.poll(() => asked.evaluate((strip) => strip.scrollHeight - strip.clientHeight)).toBe(0);
  // Also beside a file alone.
  await panelOf(visitor).getByLabel("Attach pictures or PDF").setInputFiles([PDF]);
  await panelOf(visitor).getByRole("listitem").getByText(PDF.name).waitFor();
  // The last message stays in view above the attached file.
  const belowLog = () =>
    logOf(visitor).evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
  await expect.poll(belowLog).toBeLessThanOrEqual(1);
  await visitor.setViewportSize({ width: 820, height: 1180 });
  await panelOf(visitor).getByRole("button", { name: "Send", exact: true }).click();
  await cardIn(visitor, LAMP_NAME).waitFor();
  await logOf(visitor).getByRole("link", { name: PDF.name }).waitFor();
  // On a tablet the panel is a sheet.
  await expect.poll(() => panelOf(visitor).boundingBox()).toMatchObject({ x: 0, width: 820 });
  const width = await fieldOf(visitor).evaluate((field) => {
    const form = field.closest("form") ?? field;
    const { paddingLeft, paddingRight } = getComputedStyle(form);
    return form.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  });
  expect(width).toBeLessThanOrEqual(640);
  // Beside the narrowest column, the state of the shop leaves the buttons their room.
  await visitor.setViewportSize({ width: 1024, height: 768 });
  const state = await panelOf(visitor).getByText("Online", { exact: true }).boundingBox();
  const button = await panelOf(visitor).getByRole("link", { name: "My conversations" }).boundingBox();
  expect((state?.x ?? 0) + (state?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
});

test("without JavaScript, both attach products, and the visitor puts one in the cart", async ({ open }) => {
  const visitor = await open(BOARD, { ...PHONE, ...NO_SCRIPT });
  await asking(visitor).last().click();
  await visitor.getByRole("group", { name: `About ${BOARD_NAME}` }).waitFor();
  await visitor.getByLabel("Your message...").fill("Is it oiled?");
  await visitor.getByRole("button", { name: "Start chat" }).click();
  await cardIn(visitor, BOARD_NAME).waitFor();
  const chatId = chatIdIn(visitor);

  const seller = await openConsole(open, chatId, { ...NO_SCRIPT, viewport: { width: 1280, height: 800 } });
  await cardInConsole(seller, BOARD_NAME).waitFor();
  // The forms' buttons leave the name its room.
  const name = await seller.locator(".conversation > header h2").boundingBox();
  expect(name?.width).toBeGreaterThan(150);
  await seller.getByRole("button", { name: "Attach a product" }).click();
  await seller.getByPlaceholder("Search products").fill("mushroom");
  await seller.getByRole("button", { name: "Search" }).click();
  await seller.getByRole("button", { name: LAMP_NAME }).click();
  await seller.getByPlaceholder("Type your response...").fill("This one goes with it.");
  await seller.getByRole("button", { name: "Send", exact: true }).click();
  await cardInConsole(seller, LAMP_NAME).waitFor();

  await visitor.getByRole("link", { name: "Refresh" }).click();
  await cardIn(visitor, LAMP_NAME)
    .getByRole("button", { name: `Add to Cart ${LAMP_NAME}` })
    .click();
  await visitor.getByText(`${LAMP_NAME} added to cart`).first().waitFor();
  expect(chatIdIn(visitor)).toBe(chatId);
  await visitor.getByRole("link", { name: "Cart, 1 item" }).waitFor();
});

test("a card of a later release leaves its message to the text, in the panel and in the console", async ({
  open,
}) => {
  const visitor = await open("/privacy");
  await withConnectionControl(visitor);
  const chatId = await startChat(visitor, "Where are you?");
  const seller = await openConsole(open, chatId);
  await withConnectionControl(seller);
  // Its connection delivers.
  await sendReply(chatId, "In Toronto");
  await streamOf(seller).getByText("In Toronto").waitFor();
  const message = (seq: number, isFromAdmin: boolean) => ({
    id: `later-${seq}`,
    chatId,
    message: `A parcel is on its way (${seq})`,
    isFromAdmin,
    senderName: "Support Team",
    timestamp: { seconds: Math.floor(Date.now() / 1000), nanoseconds: 0 },
    seq,
    cards: [{ type: "parcel", parcelId: "1" }],
  });
  for (const [page, log] of [
    [visitor, logOf(visitor)],
    [seller, streamOf(seller)],
  ] as const)
    for (const seq of [101, 102]) {
      await dispatchEvent(page, { event: "new-message", data: message(seq, seq === 101) });
      await log.getByText(`A parcel is on its way (${seq})`).waitFor();
    }
});
