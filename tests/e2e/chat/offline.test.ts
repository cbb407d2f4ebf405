import type { Route } from "@playwright/test";
import { unreadLabel } from "~/ui/UnreadCount";
import { expect, test } from "../../support/browser";
import {
  allowReconnect,
  connectionUrls,
  disconnect,
  dispatchEvent,
  failReconnects,
  withConnectionControl,
} from "../../support/connection-control";
import {
  asking,
  chatIdOf,
  connected,
  fieldOf,
  logOf,
  messagesIn,
  panelOf,
  sendReply,
  startChat,
  write,
} from "../../support/conversation";
import { asStaff } from "../../support/staff";

test("sends a failed message exactly once after reconnecting, and keeps the draft", async ({ open }) => {
  const page = await open("/privacy");
  const chatId = await startChat(page, "Are you open on Saturday?");
  await page.context().setOffline(true);
  await page.getByText("You're offline. What you write waits here.").waitFor();
  await write(page, "Written in a tunnel");
  await logOf(page).getByText("You, waits for the connection").waitFor();
  await expect(panelOf(page).getByText("Online", { exact: true })).toHaveCount(0);
  await expect(page.getByText("Failed to send message. Please try again.")).toHaveCount(0);
  await page.context().setOffline(false);
  await connected(page);
  await fieldOf(page).fill("Half a sen");
  await page.getByRole("button", { name: "Minimise" }).click();
  await page.getByRole("button", { name: "Support Chat" }).click();
  await expect(fieldOf(page)).toHaveValue("Half a sen");
  await page.reload();
  await logOf(page).getByText("Written in a tunnel").waitFor();
  await logOf(page).getByRole("button", { name: "Send again" }).waitFor({ state: "detached" });
  await expect(fieldOf(page)).toHaveValue("Half a sen");
  const sent = async () => (await messagesIn(chatId)).filter((text) => text === "Written in a tunnel");
  await expect.poll(sent).toHaveLength(1);
  await expect(logOf(page).getByText("Written in a tunnel")).toHaveCount(1);
});

test("keeps products as cards when the panel is opened again offline", async ({ open }) => {
  const page = await open("/products/walnut-serving-board");
  await page.getByRole("button", { name: "Buy Now" }).click();
  const card = logOf(page).locator(".chat-product", { hasText: "Engraved walnut serving board" });
  await card.waitFor();
  await page.context().setOffline(true);
  await page.getByText("You're offline. What you write waits here.").waitFor();
  await page.getByRole("button", { name: "Close chat" }).click();
  await asking(page).last().click();
  await card.waitFor();
  await expect(page.locator(".toast-error")).toHaveCount(0);
  await page.context().setOffline(false);
  await connected(page);
  await expect(card).toHaveCount(1);
});

test("sends a first message that is written offline once the connection returns", async ({ open }) => {
  const page = await open("/terms");
  await page.getByRole("link", { name: "Ask us" }).click();
  const field = panelOf(page).getByPlaceholder("Your message...");
  await connected(page);
  await page.context().setOffline(true);
  await page.getByText("You're offline. What you write waits here.").waitFor();
  await field.fill("From a lift");
  await field.press("Enter");
  await panelOf(page).getByText("Waits for the connection").waitFor();
  await field.fill("From a lift, in short");
  await expect(page.locator(".toast-error")).toHaveCount(0);
  await page.context().setOffline(false);
  await logOf(page).getByText("From a lift, in short").waitFor();
  const chatId = await chatIdOf(page);
  const sent = async () => (await messagesIn(chatId)).filter((text) => text.startsWith("From a lift"));
  await expect.poll(sent).toEqual(["From a lift, in short"]);
});

test("keeps a status that arrives while older settings are being read", async ({ open }) => {
  const page = await open("/terms");
  await withConnectionControl(page);
  const reads: Route[] = [];
  await page.route("**/api/chat/settings", (route) => reads.push(route));
  await startChat(page, "Are you there?");
  await connected(page);
  await expect.poll(() => reads.length).toBeGreaterThan(0);
  await dispatchEvent(page, { event: "chat-status-change", data: { isOnline: false } });
  const status = panelOf(page).getByRole("status").first();
  await expect(status).toHaveText("Away");
  const json = { isOnline: true, answererName: "Marta", answererPicture: null, replySeconds: null };
  for (const route of reads) await route.fulfill({ json });
  await panelOf(page).getByText("Marta, Support Team").waitFor();
  await expect(status).toHaveText("Away");
});

test("reconnects 5 times, 1,000 ms apart, then shows a button and comes back by itself, as does the back office", async ({
  open,
}) => {
  const page = await open("/terms");
  const seller = await asStaff(open, "manager", "/admin/invoices-management");
  for (const each of [page, seller]) {
    await each.clock.install();
    await withConnectionControl(each);
  }
  const chatId = await startChat(page, "Still there?");
  await connected(page);
  await panelOf(page).getByRole("status").getByText("Online", { exact: true }).waitFor();
  for (const [isOnline, word] of [
    [false, "Away"],
    [true, "Online"],
  ] as const) {
    await dispatchEvent(page, { event: "chat-status-change", data: { isOnline } });
    await panelOf(page).getByRole("status").getByText(word, { exact: true }).waitFor();
    await expect(panelOf(page).locator(".chat-dot.away")).toHaveCount(isOnline ? 0 : 1);
  }
  const unread = seller.getByRole("link", { name: /^Support Chat/ }).locator(".unread-count");
  await seller.locator(".chat-toast", { hasText: "Still there?" }).waitFor();
  for (const each of [page, seller]) await disconnect(each);
  await page.getByText("Connection lost. Reconnecting...").waitFor();
  for (const each of [page, seller]) await failReconnects(each, { count: 5, delayMs: 1000 });
  await page.getByRole("button", { name: "Reconnect" }).waitFor();
  for (const word of ["One", "Two"]) await sendReply(chatId, word);
  const notice = seller.getByText("No live updates just now. Reconnecting...");
  await notice.waitFor();
  for (const each of [page, seller]) await allowReconnect(each);
  // The message itself brings the connection back.
  await write(page, "Three");
  await connected(page);
  await panelOf(page).getByText("Connection lost.").waitFor({ state: "detached" });
  const said = logOf(page).locator(".chat-bubble");
  await expect.poll(async () => (await said.allTextContents()).slice(-3)).toEqual(["One", "Two", "Three"]);
  expect((await connectionUrls(page)).at(-1)).toContain(`chat=${chatId}&after=1`);
  // Another page brings the back office's back.
  await seller.getByRole("link", { name: "Expenses", exact: true }).click();
  await notice.waitFor({ state: "detached" });
  const counted = await seller.request.get("/admin/unread");
  const { chats, messages, isMore } = await counted.json();
  expect(chats[chatId], "the first message, and the third").toBe(2);
  await expect(unread).toHaveText(`unread: ${unreadLabel({ count: messages, isMore })}`);
});
