import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import {
  api,
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
} from "../../support/conversation";
import { beforeHydration } from "../../support/late-scripts";
import { signedInAs } from "../../support/signed-in";

const PHONE = { viewport: { width: 390, height: 844 } };
const BOARD = "/products/walnut-serving-board";
const BUYING_BOARD = "I'm interested in buying the Engraved walnut serving board.";

const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" }).click();

test("Buy Now continues the conversation, and an answer shows on every page", async ({ open }) => {
  const visitor = await open(BOARD, PHONE);
  await buyNow(visitor);
  await logOf(visitor).getByText(BUYING_BOARD).waitFor();
  const chatId = await chatIdOf(visitor);
  await sendReply(chatId, "How many?");
  await logOf(visitor).getByText("How many?").waitFor();
  await panelOf(visitor).getByRole("button", { name: "Close chat" }).click();
  for (const _ of ["once", "twice"]) {
    await visitor.goto(BOARD);
    await buyNow(visitor);
    await logOf(visitor).getByText(BUYING_BOARD).nth(1).waitFor();
    await panelOf(visitor).getByRole("button", { name: "Close chat" }).click();
  }
  const bought = async () => (await messagesIn(chatId)).filter((text) => text.startsWith(BUYING_BOARD));
  await expect.poll(bought).toHaveLength(2);
  const { browser } = await signedInAs("manager");
  const seller = await open(`/admin/chat?chat=${chatId}`, browser);
  await seller.getByPlaceholder("Type your response...").fill("Ready on Monday.");
  await seller.getByRole("button", { name: "Send", exact: true }).click();
  await asking(visitor, /^Ask (?:us 1|about this, 1) unread$/).waitFor();
  await expect(visitor).toHaveTitle(/^\(1\) /);
  const otherTab = await visitor.context().newPage();
  const isJoined = otherTab.waitForEvent("websocket").then((socket) => socket.waitForEvent("framesent"));
  await Promise.all([isJoined, otherTab.goto("/terms")]);
  await expect(otherTab).toHaveTitle(/^\(1\) /);
  await asking(visitor, /^Ask (?:us 1|about this, 1) unread$/).click();
  await logOf(visitor).getByText("Ready on Monday.").waitFor();
  for (const tab of [visitor, otherTab]) await expect(tab).not.toHaveTitle(/^\(1\) /);
  // The seller's column follows what is asked for.
  await visitor.goto("/products/moss-silicone-case");
  await buyNow(visitor);
  const column = seller.locator("aside.visitor");
  await column
    .locator(".visitor-products", { hasText: "Soft silicone phone case" })
    .waitFor({ state: "attached" });
  await expect(column.locator(".visitor-page")).toHaveText("Now on Soft silicone phone case");
  await visitor.goto("/shop");
  await expect(column.locator(".visitor-page")).toHaveText("Now on the shop's list");
});

test("Ask us starts another conversation once the seller has closed the first", async ({ open }) => {
  const visitor = await open("/terms");
  const chatId = await startChat(visitor, "Do you wrap gifts?");
  await connected(visitor);
  const token = await sellerToken();
  expect((await api(`chat/${chatId}`, "PATCH", { state: "closed" }, token)).status).toBe(200);
  await panelOf(visitor).getByText("This conversation was closed. Write to reopen it.").waitFor();
  await panelOf(visitor).getByRole("button", { name: "Close chat" }).click();
  // The seller's last answer arrives while the visitor is away: they see it first.
  await visitor.goto("about:blank");
  await sendReply(chatId, "We do, for free.");
  await visitor.goto("/terms");
  await visitor.getByRole("link", { name: "Ask us 1 unread" }).click();
  await logOf(visitor).getByText("We do, for free.").waitFor();
  await panelOf(visitor).getByRole("button", { name: "Close chat" }).click();
  await visitor.getByRole("link", { name: "Ask us" }).click();
  await panelOf(visitor).getByPlaceholder("Your message...").waitFor();
  await visitor.reload();
  await panelOf(visitor).getByPlaceholder("Your message...").waitFor();
  await visitor.goto("/chat");
  await expect(visitor.getByText("We do, for free.")).toHaveCount(1);
});

test("without JavaScript, Buy Now continues the conversation, and /chat lists all", async ({ open }) => {
  const visitor = await open(BOARD, { ...PHONE, javaScriptEnabled: false });
  await buyNow(visitor);
  await visitor.waitForURL(/\/chat\/./);
  const first = new URL(visitor.url()).pathname;
  await visitor.goto(BOARD);
  await buyNow(visitor);
  await visitor.waitForURL(`**${first}`);
  await expect(logOf(visitor).getByText(BUYING_BOARD)).toHaveCount(1);
  await visitor.goto("/chat?new");
  await visitor.getByLabel("Your message...").fill("Something else");
  await visitor.getByRole("button", { name: "Start chat" }).click();
  await logOf(visitor).getByText("Something else").waitFor();
  expect(new URL(visitor.url()).pathname).not.toBe(first);
  await sendReply(first.split("/").at(-1) ?? "", "It is ready.");
  await visitor.goto("/chat");
  await visitor.getByRole("link", { name: /: It is ready\..* 1 unread$/ }).click();
  await logOf(visitor).getByText("It is ready.").waitFor();
  await visitor.goto("/chat");
  await expect(visitor.getByRole("link", { name: /unread/ })).toHaveCount(0);
});

test("what is typed on the chat's page before the page's scripts run stays in the field", async ({
  open,
}) => {
  const page = await open("/terms");
  const chatId = await startChat(page, "A board, please");
  await beforeHydration(page, `/chat/${chatId}`, () => fieldOf(page).fill("Is it"));
  await connected(page);
  await page.keyboard.type(" oiled?");
  await expect(fieldOf(page)).toHaveValue("Is it oiled?");
});
