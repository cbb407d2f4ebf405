import type { Page } from "@playwright/test";
import { DEMO_SIGN_INS as signIns } from "../../../scripts/local-shop.mjs";
import { accessibilityProblems, expect, type Open, test } from "../../support/browser";
import {
  api,
  chatIdOf,
  connected,
  connectedHere,
  fieldOf,
  logOf,
  mailedChatLink,
  messagesIn,
  panelOf,
  sellerToken,
  sendReply,
  startChat,
  write,
} from "../../support/conversation";
import { runningShop } from "../../support/running-shop";
import { signedInAs } from "../../support/signed-in";

const BOARD = "/products/walnut-serving-board";
const BUYING_BOARD = "I'm interested in buying the Engraved walnut serving board.";
const PLAIN = { javaScriptEnabled: false };

const openConsole = async (open: Open, chatId: string, options = {}) =>
  open(`/admin/chat?chat=${chatId}`, { ...(await signedInAs("manager")).browser, ...options });
const replyOf = (page: Page) => page.getByPlaceholder("Type your response...");
const streamOf = (page: Page) => page.locator(".message-stream");
const chatIdIn = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

/** The seller replies in the console. */
async function reply(page: Page, message: string): Promise<void> {
  await replyOf(page).fill(message);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await streamOf(page).getByText(message).waitFor();
}

/** Starts a chat on its page, without JavaScript. */
async function startChatWithoutScript(page: Page, message: string): Promise<string> {
  await page.getByLabel("Your message...").fill(message);
  await page.getByRole("button", { name: "Start chat" }).click();
  await logOf(page).getByText(message).waitFor();
  return chatIdIn(page);
}

test.describe("visitor and seller, each in a browser", () => {
  test("exchange messages and see typing indicators until the other stops or sends", async ({ open }) => {
    const visitor = await open(BOARD);
    await visitor.getByRole("button", { name: "Add to Cart" }).click();
    // The badge counts before the cart is stored.
    await visitor.getByText(/added to cart/).waitFor();
    await visitor.getByRole("link", { name: "Cart, 1 item" }).click();
    await visitor.getByRole("button", { name: "Chat with Seller" }).click();
    await logOf(visitor).getByText("1 × $78.00").waitFor();
    await connected(visitor);
    const chatId = await chatIdOf(visitor);
    const seller = await openConsole(open, chatId);
    const column = seller.getByRole("complementary", { name: "Visitor" });
    await column.getByRole("heading", { name: "Cart 1 item, as it was asked for $78.00" }).waitFor();
    await column.getByText("in stock").waitFor();
    await seller.getByRole("status").getByText("Connected").waitFor();
    const writing = logOf(visitor).getByText("Maren, Support Team is writing");
    // It is there for 2 s.
    await Promise.all([writing.waitFor(), replyOf(seller).pressSequentially("It is")]);
    await writing.waitFor({ state: "detached" });
    await Promise.all([writing.waitFor(), replyOf(seller).pressSequentially(" on the shelf.")]);
    await replyOf(seller).press("Enter");
    await logOf(visitor).getByText("It is on the shelf.").waitFor();
    await expect(writing).toHaveCount(0);
    await streamOf(seller)
      .getByText(/^Seen /)
      .waitFor();
    await Promise.all([
      streamOf(seller).getByText("is typing").waitFor(),
      fieldOf(visitor).pressSequentially("Then two"),
    ]);
    await fieldOf(visitor).press("Enter");
    await streamOf(seller).getByText("Then two", { exact: true }).waitFor();
    await streamOf(seller).getByText("is typing").waitFor({ state: "detached" });
    await logOf(visitor)
      .getByText(/, seen [\d:]+$/)
      .waitFor();
  });

  test("exchange messages while the visitor has no JavaScript, starts on /chat and refreshes", async ({
    open,
  }) => {
    const visitor = await open("/chat", PLAIN);
    await visitor.getByLabel("Your email (optional)").fill("nobody");
    await visitor.getByRole("button", { name: "Start chat" }).click();
    await visitor.getByText("Please enter a valid email address").waitFor();
    await visitor.getByLabel("Your email (optional)").fill("");
    const chatId = await startChatWithoutScript(visitor, "Do you engrave slate?");
    await visitor.getByRole("status").getByText("Chat started successfully!").waitFor();
    const seller = await openConsole(open, chatId);
    await streamOf(seller).getByText("Do you engrave slate?").waitFor();
    await reply(seller, "We do.");
    await expect(async () => {
      await visitor.getByRole("link", { name: "Refresh" }).click();
      await logOf(visitor).getByText("We do.").waitFor({ timeout: 2000 });
    }).toPass();
    await fieldOf(visitor).fill("Two of them");
    await visitor.getByRole("button", { name: "Send" }).click();
    await logOf(visitor).getByText("Two of them").waitFor();
    await streamOf(seller).getByText("Two of them").waitFor();
    expect((await visitor.goto("/chat?ask"))?.url()).toContain(chatId);
    await api(`chat/${chatId}`, "DELETE", undefined, await sellerToken());
    await visitor.goto(`/chat/${chatId}`);
    await visitor.getByText("That chat has ended. You can start a new one.").waitFor();
  });

  test("exchange messages while the seller has no JavaScript", async ({ open }) => {
    const visitor = await open("/terms");
    const chatId = await startChat(visitor, "Is anybody there?");
    const seller = await openConsole(open, chatId, PLAIN);
    await streamOf(seller).getByText("Is anybody there?").waitFor();
    await replyOf(seller).fill("Always.");
    await seller.getByRole("button", { name: "Send", exact: true }).click();
    await streamOf(seller).getByText("Always.").waitFor();
    await logOf(visitor).getByText("Always.").waitFor();
    await write(visitor, "Good.");
    await logOf(visitor)
      .getByText(/, sent$/)
      .waitFor();
    await seller.reload();
    await streamOf(seller).getByText("Good.").waitFor();
  });
});

test("the console counts down the last characters of a reply and redirects to /login when its session ends elsewhere", async ({
  open,
}) => {
  const begun = await api("chat/create", "POST", { userName: "Cy", initialMessage: "Hello?" });
  const { chatId } = (await begun.json()) as { chatId: string };
  const { email, password } = signIns.find(({ role }) => role === "manager") ?? {};
  const signedIn = await api("auth/login", "POST", { email, password });
  const { token } = (await signedIn.clone().json()) as { token: string };
  const page = await open("/terms");
  const pairs = signedIn.headers.getSetCookie().map((line) => (line.split(";")[0] ?? "").split("="));
  await page
    .context()
    .addCookies(pairs.map(([name = "", value = ""]) => ({ name, value, url: runningShop().url })));
  await page.goto(`/admin/chat?chat=${chatId}`);
  await page.getByRole("status").getByText("Connected").waitFor();
  await replyOf(page).fill("a".repeat(1990));
  await page.getByText("Characters left: 10", { exact: true }).waitFor();
  await replyOf(page).fill("a".repeat(2001));
  await page.getByText("1 character too many", { exact: true }).waitFor();
  await replyOf(page).press("Enter");
  expect(await replyOf(page).inputValue()).toHaveLength(2001);
  await api("auth/logout", "POST", {}, token);
  await page.waitForURL(/\/login/);
});

test.describe("buying without JavaScript", () => {
  test("Buy Now and Chat with Seller open the chat page with the cart", async ({ open }) => {
    const page = await open(BOARD, PLAIN);
    await page.getByRole("spinbutton", { name: "Quantity", exact: true }).fill("2");
    await page.getByRole("button", { name: "Buy Now" }).click();
    await logOf(page).getByText(BUYING_BOARD).waitFor();
    await logOf(page).getByText("2 × $78.00").waitFor();
    await page.goto(BOARD);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.goto("/cart");
    await page.getByRole("main").getByRole("button", { name: "Chat with Seller" }).click();
    await logOf(page).getByText("1 × $78.00").waitFor();
    expect((await messagesIn(chatIdIn(page))).join()).toContain("Total: $78.00");
  });

  test("another visitor's chat answers 403, and an expired link is reported", async ({ open }) => {
    const { chatId } = (await (await api("chat/create", "POST", { initialMessage: "Private" })).json()) as {
      chatId: string;
    };
    const page = await open("/terms", PLAIN);
    expect((await page.goto(`/chat/${chatId}`))?.status()).toBe(403);
    expect(await page.content()).not.toContain("Private");
    await page.getByText("This link no longer works.").waitFor();
    await page.goto(`/chat/${chatId}?key=abc.${"x".repeat(43)}`);
    await page.getByText("This link has expired. Please start a new chat.").waitFor();
    expect(await page.content()).not.toContain("Private");
  });
});

test.describe("a mailed reply", () => {
  test("links to the chat from another browser, with and without JavaScript", async ({ open }) => {
    const userEmail = `gone-${Date.now()}@mail.example`;
    const body = { userName: "Gone", userEmail, initialMessage: "Call me?", isAnonymous: false };
    const { chatId } = (await (await api("chat/create", "POST", body)).json()) as { chatId: string };
    await sendReply(chatId, "Gladly, at noon.");
    const link = await mailedChatLink(userEmail);
    const visitor = await open(link);
    await logOf(visitor).getByText("Gladly, at noon.").waitFor();
    await connectedHere(visitor);
    expect(new URL(visitor.url()).search).toBe("");
    await write(visitor, "Noon it is.");
    await logOf(visitor)
      .getByText(/, (sent|seen [\d:]+)$/)
      .waitFor();
    await visitor.goto("/terms");
    await visitor.getByRole("link", { name: "Ask us" }).click();
    await logOf(visitor).getByText("Noon it is.").waitFor();
    const plain = await open(link, PLAIN);
    await logOf(plain).getByText("Noon it is.").waitFor();
    await fieldOf(plain).fill("And from here");
    await plain.getByRole("button", { name: "Send" }).click();
    await logOf(plain).getByText("And from here").waitFor();
  });
});

test.describe("the widget on admin pages", () => {
  for (const [role, colorScheme, width] of [
    ["manager", "light", 1440],
    ["admin", "dark", 390],
  ] as const)
    test(`floats on every page, covers no reply and has no axe violations: ${role}, ${colorScheme}, ${width} px`, async ({
      open,
    }) => {
      const viewport = { width, height: 844 };
      const page = await open("/admin/chat", {
        ...(await signedInAs(role)).browser,
        colorScheme,
        viewport,
        reducedMotion: "reduce",
      });
      const pages = [
        "products-management",
        "documents",
        "expenses-management",
        "graphs",
        "sales/new",
        "chat",
      ];
      for (const path of ["", ...pages]) {
        await page.goto(`/admin/${path}`);
        const button = page.getByRole("link", { name: "Ask us" });
        await expect(button, path).toBeInViewport({ ratio: 1 });
        expect((await button.boundingBox())?.width, path).toBeGreaterThanOrEqual(44);
      }
      await page.getByRole("link", { name: "Ask us" }).click();
      await panelOf(page).getByPlaceholder("Your message...").waitFor();
      await connected(page);
      await panelOf(page).getByPlaceholder("Your message...").fill("From the back office");
      await panelOf(page).getByPlaceholder("Your message...").press("Enter");
      await panelOf(page).getByText("From the back office").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Minimise" }).click();
      await page.getByRole("button", { name: "Close chat" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.locator(".chat-row").first().click();
      await replyOf(page).waitFor();
      const isCovered = () =>
        page.evaluate(() => {
          const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
          const [bar, compose] = [box(".chat-bar"), box(".reply-form")];
          return bar && compose && bar.height > 0 && bar.top < compose.bottom;
        });
      await expect.poll(isCovered).toBe(false);
    });
});
