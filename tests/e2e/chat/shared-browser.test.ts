import type { Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import {
  api,
  chatIdOf,
  fieldOf,
  logOf,
  messagesIn,
  panelOf,
  sellerToken,
  sendReply,
  startChat,
  write,
} from "../../support/conversation";

/** Makes an account and signs the page's browser in to it. */
async function signUp(page: Page): Promise<void> {
  const email = `next-${Date.now()}@mail.example`;
  const account = { firstName: "Next", lastName: "Person", email, password: "Password1!" };
  const status = await page.evaluate(async (body) => {
    const headers = { "Content-Type": "application/json" };
    return (await fetch("/api/auth/signup", { method: "POST", headers, body })).status;
  }, JSON.stringify(account));
  expect(status).toBe(201);
}

const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }));

test.describe("a browser that two accounts share", () => {
  test("shows the next account nothing of the previous one's chat: widget, drafts, /chat, an open tab", async ({
    open,
  }) => {
    const page = await open("/terms");
    await signUp(page);
    await page.goto("/terms");
    const chatId = await startChat(page, "My secret order");
    await fieldOf(page).fill("A secret draft");
    const leftOpen = await page.context().newPage();
    await leftOpen.goto(`/chat/${chatId}`);
    await logOf(leftOpen).getByText("My secret order").waitFor();
    await leftOpen.getByRole("img", { name: "Connected", exact: true }).waitFor();

    await page.getByRole("button", { name: "Close chat" }).click();
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await page.locator("#user-menu").getByRole("button", { name: "Logout" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await leftOpen.getByText("This link no longer works.").waitFor();
    expect(await leftOpen.content()).not.toContain("My secret order");
    await expect.poll(() => stored(page)).not.toMatch(new RegExp(`secret|${chatId}`));
    await expect.poll(() => stored(leftOpen)).not.toMatch(new RegExp(`secret|${chatId}`));

    await signUp(page);
    await page.goto("/chat");
    expect(new URL(page.url()).pathname).toBe("/chat");
    await page.goto("/terms");
    await page.getByRole("link", { name: "Ask us" }).click();
    await panelOf(page).getByPlaceholder("Your message...").waitFor();
    expect(await page.content()).not.toContain("secret");
    expect((await page.goto(`/chat/${chatId}`))?.status()).toBe(403);
  });

  test("asks neither for the name nor for the address of an account, and starts a chat with them", async ({
    open,
  }) => {
    const page = await open("/terms");
    await page.getByRole("link", { name: "Ask us" }).click();
    const panel = panelOf(page);
    await panel.getByPlaceholder("Your email (optional)").fill("before@mail.example");
    await signUp(page);
    await page.goto("/terms");
    await panel.getByPlaceholder("Your message...").waitFor();
    await expect(panel.getByPlaceholder(/optional/)).toHaveCount(0);
    await panel.getByPlaceholder("Your message...").fill("Do you know me?");
    await page.keyboard.press("Enter");
    await logOf(page).getByText("Do you know me?").waitFor();
    const read = await api(`chat/${await chatIdOf(page)}/messages`, "GET", undefined, await sellerToken());
    const { chat } = (await read.json()) as { chat: Record<string, unknown> };
    expect(chat).toMatchObject({ userName: "Next Person" });
    expect(chat.userEmail).toMatch(/^next-/);
  });

  test("attaches the anonymous chat of the current visit to the account", async ({ open }) => {
    const page = await open("/terms");
    const chatId = await startChat(page, "Before I signed in");
    await signUp(page);
    await page.goto("/terms");
    await logOf(page).getByText("Before I signed in").waitFor();
    await expect.poll(() => chatIdOf(page)).toBe(chatId);
    await write(page, "And after");
    await logOf(page)
      .getByText(/, sent$/)
      .waitFor();
    await sendReply(chatId, "Welcome back");
    await logOf(page).getByText("Welcome back").waitFor();
  });
});

test("a message whose id is taken shows as not sent and is sent again under a new id", async ({ open }) => {
  const page = await open("/terms");
  const chatId = await startChat(page, "First");
  const ids: string[] = [];
  await page.route("**/api/chat/message", async (route) => {
    const body = route.request().postDataJSON() as { id: string; message: string };
    ids.push(body.id);
    const isTaken = ids.length === 2 || ids.length === 4;
    await route.continue({ postData: JSON.stringify({ ...body, ...(isTaken && { id: ids[0] }) }) });
  });
  await write(page, "One");
  await logOf(page)
    .getByText(/, sent$/)
    .waitFor();
  await write(page, "Two");
  await logOf(page)
    .getByText(/, not sent$/)
    .waitFor();
  await logOf(page).getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => messagesIn(chatId)).toEqual(expect.arrayContaining(["First", "One", "Two"]));
  await logOf(page)
    .getByText(/, not sent$/)
    .waitFor({ state: "detached" });
  // One that is not to be sent goes away.
  await write(page, "Three");
  await logOf(page).getByRole("button", { name: "Don't send" }).click();
  await expect(logOf(page).getByText("Three")).toHaveCount(0);
  await expect(fieldOf(page)).toBeFocused();
  expect(new Set(ids).size).toBe(4);
});
