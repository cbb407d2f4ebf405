import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { describe, expect, inject, it } from "vitest";
import { accessibilityProblems, browserJourneys } from "../support/browser";

const { open } = browserJourneys();
const BOARD = "/products/walnut-serving-board";
const EVENT = "emporia:open-chat";

const panelOf = (page: Page) => page.getByRole("dialog", { name: "Support Chat" });
const logOf = (page: Page) => page.getByRole("log", { name: "Messages" });

/** Which chat a page's browser remembers. */
const chatIdOf = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("emporia:chat") ?? "{}").chatId as string);

async function api(path: string, body: unknown, token?: string): Promise<Response> {
  return fetch(`${inject("shopUrl")}/api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
}

/** The seller answers from elsewhere. */
async function answer(chatId: string, message: string): Promise<void> {
  const seller = { email: "manager@emporia.example", password: "Manager#2026!" };
  const { token } = (await (await api("auth/login", seller)).json()) as { token: string };
  const posted = { chatId, message, isFromAdmin: true, senderName: "Support Team", id: randomUUID() };
  expect((await api("chat/message", posted, token)).status).toBe(201);
}

async function begin(page: Page, message: string): Promise<void> {
  await page.getByRole("link", { name: "Ask us" }).last().click();
  const panel = panelOf(page);
  await panel.getByRole("textbox", { name: "Your name (optional)" }).fill("Tolu");
  await panel.getByPlaceholder("Your message...").fill(message);
  await page.keyboard.press("Enter");
  await panel.getByPlaceholder("Type your message...").waitFor();
  await logOf(page).getByText(message).waitFor();
}

describe("a visitor with JavaScript", () => {
  it("asks, reloads, is answered live, and has the badge while the panel is closed", async () => {
    const page = await open("/terms");
    await begin(page, "Is the oak board oiled?");
    await page.getByText("Chat started successfully!").waitFor();
    await panelOf(page).getByRole("img", { name: "Connected", exact: true }).waitFor();
    await page.reload();
    await logOf(page).getByText("Is the oak board oiled?").waitFor();
    await panelOf(page).getByRole("img", { name: "Connected", exact: true }).waitFor();
    await answer(await chatIdOf(page), "It is, twice.");
    await logOf(page).getByText("It is, twice.").waitFor();
    await panelOf(page).getByPlaceholder("Type your message...").focus();
    await page.keyboard.press("Escape");
    await panelOf(page).waitFor({ state: "detached" });
    await answer(await chatIdOf(page), "With linseed.");
    await page.getByRole("link", { name: "Ask us 1 unread" }).click();
    await logOf(page).getByText("With linseed.").waitFor();
  });

  it("sends what failed again, once", async () => {
    const page = await open("/privacy");
    await begin(page, "Are you open on Saturday?");
    await page.context().setOffline(true);
    await panelOf(page).getByRole("img", { name: "Disconnected" }).waitFor();
    await panelOf(page).getByPlaceholder("Type your message...").fill("Written in a tunnel");
    await page.keyboard.press("Enter");
    await page.getByText("Failed to send message. Please try again.").waitFor();
    await page.context().setOffline(false);
    await panelOf(page).getByRole("img", { name: "Connected", exact: true }).waitFor();
    await logOf(page).getByRole("button", { name: "Send again" }).click();
    await logOf(page).getByRole("button", { name: "Send again" }).waitFor({ state: "detached" });
    await page.reload();
    await logOf(page).getByText("Written in a tunnel").waitFor();
    expect(await logOf(page).getByText("Written in a tunnel").count()).toBe(1);
  });

  it("refuses an e-mail address that is none, gives the focus back, and is nowhere found by axe", async () => {
    const page = await open("/terms", { reducedMotion: "reduce" });
    const button = page.getByRole("link", { name: "Ask us" });
    await button.focus();
    await page.keyboard.press("Enter");
    const panel = panelOf(page);
    await panel.getByRole("textbox", { name: "Your email (optional)" }).fill("tolu");
    await panel.getByRole("button", { name: "Send" }).click();
    await panel.getByText("Please enter a valid email address").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it("buys by Buy Now and by Chat with Seller, minimises, and opens the chat by the page's event", async () => {
    const page = await open(BOARD);
    await page.getByRole("button", { name: "Buy Now" }).click();
    await logOf(page).getByText("I'm interested in buying the Engraved walnut serving board.").waitFor();
    const first = await chatIdOf(page);
    await panelOf(page).getByRole("button", { name: "Minimise" }).click();
    await page.getByRole("button", { name: "Support Chat" }).waitFor();
    await page.getByRole("button", { name: "Close chat" }).click();
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByRole("link", { name: "Cart, 1 item" }).click();
    await page.getByRole("button", { name: "Chat with Seller" }).click();
    await logOf(page).getByText("Total: $78.00").waitFor();
    await page.evaluate(
      ([name = "", chatId]) => window.dispatchEvent(new CustomEvent(name, { detail: { chatId } })),
      [EVENT, first],
    );
    await logOf(page).getByText("I'm interested in buying the Engraved walnut serving board.").waitFor();
    expect(await logOf(page).getByText("Total: $78.00").count()).toBe(0);
  });
});

describe("the same visitor without JavaScript", () => {
  const plain = { javaScriptEnabled: false };

  it("begins a chat on /chat, writes, and reads what the seller answered", async () => {
    const page = await open("/chat", plain);
    await page.getByLabel("Your email (optional)").fill("nobody");
    await page.getByRole("button", { name: "Start chat" }).click();
    await page.getByText("Please enter a valid email address").waitFor();
    await page.getByLabel("Your email (optional)").fill("");
    await page.getByLabel("Your message...").fill("Do you engrave slate?");
    await page.getByRole("button", { name: "Start chat" }).click();
    await logOf(page).getByText("Do you engrave slate?").waitFor();
    await page.getByRole("status").getByText("Chat started successfully!").waitFor();
    await page.getByPlaceholder("Type your message...").fill("Two of them");
    await page.getByRole("button", { name: "Send" }).click();
    await logOf(page).getByText("Two of them").waitFor();
    await answer(new URL(page.url()).pathname.split("/").at(-1) ?? "", "We do.");
    await page.getByRole("link", { name: "Refresh" }).click();
    await page.reload();
    await logOf(page).getByText("We do.").waitFor();
    expect(await accessibilityProblems(await open("/chat"))).toEqual([]);
    const chat = new URL(page.url()).pathname;
    await page.goto("/chat");
    expect(new URL(page.url()).pathname).toBe(chat);
  });

  it("is led to the chat by Buy Now and by Chat with Seller", async () => {
    const page = await open(BOARD, plain);
    await page.getByRole("button", { name: "Buy Now" }).click();
    await logOf(page).getByText("I'm interested in buying the Engraved walnut serving board.").waitFor();
    await page.goto(BOARD);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.goto("/cart");
    await page.getByRole("main").getByRole("button", { name: "Chat with Seller" }).click();
    await logOf(page).getByText("Total: $78.00").waitFor();
  });

  it("may not read a stranger's chat", async () => {
    const { chatId } = (await (await api("chat/create", { initialMessage: "Private" })).json()) as {
      chatId: string;
    };
    const page = await open("/terms", plain);
    const refused = await page.goto(`/chat/${chatId}`);
    expect(refused?.status()).toBe(403);
    expect(await page.content()).not.toContain("Private");
  });
});
