import type { Page } from "@playwright/test";
import { accessibilityProblems, expect, test } from "../../support/browser";
import { fieldOf, logOf, startChat, write } from "../../support/conversation";
import { asStaff } from "../../support/staff";

const PHONE = { viewport: { width: 390, height: 844 } };
const replyOf = (page: Page) => page.getByPlaceholder("Type your response...");
const streamOf = (page: Page) => page.locator(".message-stream");
const rowOf = (page: Page, chatId: string) => page.locator(`.chat-row:not(.more)[href*="chat=${chatId}"]`);

test("two sellers and a visitor on a phone: typing, unread, drafts, assignment, conflict and deletion", async ({
  open,
}) => {
  const [maren, theo] = [
    await asStaff(open, "admin", "/admin/chat", { colorScheme: "dark" }),
    await asStaff(open, "manager", "/admin/chat"),
  ];
  const visitor = await open("/terms", PHONE);
  const chatId = await startChat(visitor, "Do you engrave slate?");
  // Unread for both; opened by one, read for both.
  for (const seller of [maren, theo]) await rowOf(seller, chatId).locator(".unread-count").waitFor();
  await rowOf(maren, chatId).click();
  await expect(replyOf(maren)).toBeFocused();
  await streamOf(maren).getByText("Do you engrave slate?").waitFor();
  await rowOf(theo, chatId).locator(".unread-count").waitFor({ state: "detached" });
  // Typing is the shop's to the visitor, and named to the colleague.
  await rowOf(theo, chatId).click();
  await streamOf(theo).getByText("Do you engrave slate?").waitFor();
  // Both are connected to the conversation, too: a page that opens with it reports both connections as one.
  for (const seller of [maren, theo]) {
    await seller.reload();
    await seller.getByRole("status").getByText("Connected").waitFor();
  }
  await Promise.all([
    logOf(visitor).getByText("Maren, Support Team is writing").waitFor(),
    streamOf(theo).locator(".me.typing", { hasText: "Maren" }).waitFor(),
    replyOf(maren).pressSequentially("We"),
  ]);
  await replyOf(maren).pressSequentially(" do.");
  await replyOf(maren).press("Enter");
  await logOf(visitor).getByText("We do.").waitFor();
  await expect(rowOf(maren, chatId).locator(".chat-list-message")).toHaveText("You: We do.");
  await expect(rowOf(theo, chatId).locator(".chat-list-message")).toHaveText("Maren: We do.");
  // A draft that is left stands in the list.
  await replyOf(maren).fill("Four flowers are");
  await maren.locator(`.chat-row:not([href*="${chatId}"])`).first().click();
  await expect(rowOf(maren, chatId).locator(".chat-list-message")).toHaveText("Draft: Four flowers are");
  await rowOf(maren, chatId).click();
  await expect(replyOf(maren)).toHaveValue("Four flowers are");
  const search = maren.getByLabel("Search chats");
  await search.fill("nobody is called so");
  await maren.getByText("No conversations match.").waitFor();
  await expect(search).toBeFocused();
  await search.fill("");
  await maren.getByText("No conversations match.").waitFor({ state: "detached" });
  expect(await accessibilityProblems(maren)).toEqual([]);
  // Assigned by both at the same moment: the second is told who was first.
  const assigneeOf = (page: Page) => page.getByRole("combobox", { name: "Assigned to" });
  const stale = await theo.locator(".chat-actions input[name=was]").first().inputValue();
  await assigneeOf(maren).selectOption({ label: "Maren" });
  await expect(assigneeOf(theo)).toHaveValue(await assigneeOf(maren).inputValue());
  // At once, since the next update would write the current value again.
  await assigneeOf(theo).evaluate((select, was) => {
    if (!(select instanceof HTMLSelectElement)) return;
    const field = select.form?.elements.namedItem("was");
    if (field instanceof HTMLInputElement) field.value = was;
    select.value = "";
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }, stale);
  await theo.getByText("Maren has just assigned this chat to Maren.").first().waitFor();
  // The visitor is elsewhere in the shop: the answer waits in header and title.
  await visitor.getByRole("button", { name: "Minimise" }).click();
  await replyOf(maren).press("Enter");
  await expect.poll(() => visitor.title()).toMatch(/^\(1\) /);
  await visitor.getByRole("button", { name: "Menu, 1 new answer" }).waitFor();
  await visitor.getByRole("button", { name: /Support Chat/ }).click();
  await expect.poll(() => visitor.title()).not.toMatch(/^\(/);
  await write(visitor, "Lovely");
  await streamOf(theo).getByText("Lovely").waitFor();
  // Closed by one: the visitor is told, and their next message reopens it.
  await maren.getByRole("button", { name: "Close chat" }).click();
  const closed = logOf(visitor).getByText("This conversation was closed. Write to reopen it.");
  await closed.waitFor();
  await write(visitor, "One more thing");
  await closed.waitFor({ state: "detached" });
  await maren.getByRole("button", { name: "Close chat" }).waitFor();
  // Deleted by one: it leaves the other's list, and says so.
  await theo.getByRole("link", { name: "Delete Chat" }).click();
  await theo.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await rowOf(maren, chatId).waitFor({ state: "detached" });
  await maren.getByText("This chat is gone").waitFor();
  await maren.getByText("It has just been deleted, by a colleague or in another tab.").waitFor();
  await visitor.getByText("That chat has ended. You can start a new one.").waitFor();
  await expect(fieldOf(visitor)).toBeHidden();
});

test("the visitor's sheet has no axe violations, and closes with Back", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/chat?chat=demo-chat-01", {
    ...PHONE,
    reducedMotion: "reduce",
  });
  await page.getByRole("link", { name: /^Cart, / }).click();
  await page.getByRole("complementary", { name: "Visitor" }).getByText("on hold").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page), colorScheme).toEqual([]);
  }
  await page.goBack();
  await page.getByRole("complementary", { name: "Visitor" }).waitFor({ state: "hidden" });
});

test("another customer's message is announced where the list is hidden: by a chat on a phone, and on the other tabs", async ({
  open,
}) => {
  const page = await asStaff(open, "manager", "/admin/chat?chat=demo-chat-01", PHONE);
  const otto = await open("/terms");
  for (const [index, tab] of [null, "Responses", "Settings"].entries()) {
    if (tab) await page.goto(`/admin/chat?tab=${tab.toLowerCase()}`);
    await page.locator(".connection-dot:not(.off)").waitFor({ state: "attached" });
    const text = `Message ${index} to somebody who is elsewhere`;
    if (index === 0) await startChat(otto, text);
    else await write(otto, text);
    await page.locator(".chat-toast", { hasText: text }).waitFor();
    if (!tab) await page.getByRole("link", { name: /^Back to chats unread: \d+\+?$/ }).waitFor();
  }
  // The toast leads to the chat, which ends it.
  await page.locator(".chat-toast").click();
  await streamOf(page).getByText("Message 2").waitFor();
  await page.locator(".chat-toast").waitFor({ state: "detached" });
});

test("a reply that is written offline waits in its bubble, also on another page, and is sent once online", async ({
  open,
}) => {
  const visitor = await open("/terms", PHONE);
  const chatId = await startChat(visitor, "Are you open tomorrow?");
  const seller = await asStaff(open, "admin", `/admin/chat?chat=${chatId}`);
  await seller.getByRole("status").getByText("Connected").waitFor();
  await seller.context().setOffline(true);
  await seller.getByRole("status").getByText("Disconnected").waitFor();
  await replyOf(seller).fill("From ten to six.");
  await replyOf(seller).press("Enter");
  const bubble = streamOf(seller).locator(".message", { hasText: "From ten to six." });
  await bubble.getByText("Waits for the connection").waitFor();
  await expect(replyOf(seller)).toHaveValue("");
  await expect(seller.locator(".toast-list li")).toHaveCount(0);
  await seller.context().setOffline(false);
  await logOf(visitor).getByText("From ten to six.").waitFor();
  await bubble.getByText("Waits for the connection").waitFor({ state: "detached" });
  // One that the server has not taken is sent from the next page.
  let isBroken = true;
  await seller.route("**/api/chat/message", (route) =>
    isBroken ? route.abort("internetdisconnected") : route.continue(),
  );
  await replyOf(seller).fill("On Sundays too.");
  await replyOf(seller).press("Enter");
  await streamOf(seller).getByText("Not sent").waitFor();
  isBroken = false;
  await seller.reload();
  await logOf(visitor).getByText("On Sundays too.").waitFor();
  await expect(logOf(visitor).getByText("On Sundays too.")).toHaveCount(1);
});

test("the focus stays in the message field when Send is pressed", async ({ open }) => {
  const visitor = await open("/terms", { ...PHONE, hasTouch: true });
  await startChat(visitor, "Is anyone there?");
  await expect(fieldOf(visitor)).toBeFocused();
  await fieldOf(visitor).fill("Anyone?");
  await visitor.getByRole("button", { name: "Send", exact: true }).last().tap();
  await logOf(visitor).getByText("Anyone?").waitFor();
  await expect(fieldOf(visitor)).toBeFocused();
});
