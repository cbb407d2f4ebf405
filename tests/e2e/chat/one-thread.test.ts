import type { Locator, Page } from "@playwright/test";
import { accessibilityProblems, expect, overflow, SCRIPTING, test } from "../../support/browser";
import {
  api,
  asking,
  chatIdOf,
  connected,
  connectedHere,
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
  // Until it is marked as read, Ask us leads to it.
  const isRead = visitor.waitForResponse((answer) => answer.url().endsWith(`/${chatId}/read`));
  await visitor.getByRole("link", { name: "Ask us 1 unread" }).click();
  await logOf(visitor).getByText("We do, for free.").waitFor();
  await isRead;
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
  // The list follows a moment after the message.
  const answered = visitor.getByRole("link", { name: /: It is ready\..* 1 unread$/ });
  await expect(async () => {
    await visitor.goto("/chat");
    await expect(answered).toBeVisible({ timeout: 500 });
  }).toPass();
  await answered.click();
  await logOf(visitor).getByText("It is ready.").waitFor();
  await expect(async () => {
    await visitor.goto("/chat");
    await expect(visitor.getByRole("link", { name: /unread/ })).toHaveCount(0, { timeout: 500 });
  }).toPass();
});

test("what is typed on the chat's page before the page's scripts run stays in the field", async ({
  open,
}) => {
  const page = await open("/terms");
  const chatId = await startChat(page, "A board, please");
  await beforeHydration(page, `/chat/${chatId}`, () => fieldOf(page).fill("Is it"));
  await connectedHere(page);
  await page.keyboard.type(" oiled?");
  await expect(fieldOf(page)).toHaveValue("Is it oiled?");
});

for (const viewport of [PHONE.viewport, { width: 1440, height: 900 }])
  test(`after Buy Now the conversation asks for address and name, ${viewport.width} px wide`, async ({
    open,
  }) => {
    const visitor = await open(BOARD, { viewport, reducedMotion: "reduce" });
    await buyNow(visitor);
    const reach = panelOf(visitor).getByRole("form", { name: "Where shall we reach you?" });
    await reach.getByPlaceholder("Your email").fill("ines");
    await visitor.keyboard.press("Enter");
    await reach.getByText("Please enter a valid email address").waitFor();
    expect(await overflow(visitor)).toBe(0);
    expect(await accessibilityProblems(visitor)).toEqual([]);
    await reach.getByPlaceholder("Your email").fill("ines@mail.example");
    await reach.getByRole("button", { name: "Save" }).click();
    await panelOf(visitor).getByText("Thank you. Answers also go to ines@mail.example.").waitFor();
    const name = panelOf(visitor).getByRole("form", { name: "What name shall we put on it?" });
    await name.getByPlaceholder("Your name").fill("Ines");
    await visitor.keyboard.press("Enter");
    await expect(name).toHaveCount(0);
    await expect(fieldOf(visitor)).toBeFocused();
    const { browser } = await signedInAs("manager");
    const seller = await open(`/admin/chat?chat=${await chatIdOf(visitor)}`, browser);
    await seller.getByRole("heading", { name: "Ines", exact: true }).first().waitFor();
    await visitor.reload();
    await panelOf(visitor).or(visitor.locator(".chat-bar")).first().waitFor({ state: "attached" });
    await expect(visitor.getByText("What name shall we put on it?")).toHaveCount(0);
  });

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`the questions for address and name are skipped one by one ${name}`, async ({ open }) => {
    const visitor = await open(BOARD, { ...PHONE, javaScriptEnabled });
    await buyNow(visitor);
    const [reach, called] = ["Where shall we reach you?", "What name shall we put on it?"].map((question) =>
      visitor.getByRole("form", { name: question }),
    ) as [Locator, Locator];
    await reach.getByRole("button", { name: "Skip" }).click();
    await called.waitFor();
    await expect(reach).toHaveCount(0);
    expect(await overflow(visitor)).toBe(0);
    await called.getByRole("button", { name: "Skip" }).click();
    await expect(called).toHaveCount(0);
    await visitor.reload();
    await visitor.getByText(BUYING_BOARD).first().waitFor({ state: "attached" });
    await expect(reach.or(called)).toHaveCount(0);
  });
