import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { api } from "../../support/conversation";
import { asStaff } from "../../support/staff";

/** Finds the rows of two conversations that begin here, and that no other journey writes to. */
async function rowsOf(page: Page): Promise<[Locator, Locator]> {
  const row = async (name: string) => page.locator(`.chat-row[href*="chat=${await chatOf(name)}"]`);
  return [await row("Dora Draft"), await row("Denis Draft")];
}

/** Starts a conversation over the API, as a visitor. */
async function chatOf(userName: string): Promise<string> {
  const answer = await api("chat/create", "POST", { userName, initialMessage: "Hello", isAnonymous: false });
  return ((await answer.json()) as { chatId: string }).chatId;
}

test("a reply that was not sent is there after a reload, for its own conversation only", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/chat");
  const reply = page.getByPlaceholder("Type your response...");
  const [one, other] = await rowsOf(page);
  await one.click();
  await reply.fill("It is ready at the");
  await page.reload();
  await expect(reply).toHaveValue("It is ready at the");
  await other.click();
  await expect(other).toHaveAttribute("aria-current", "true");
  await expect(reply).toHaveValue("");
  await one.click();
  await expect(reply).toHaveValue("It is ready at the");
  await reply.fill("It is ready at the counter.");
  await reply.press("Enter");
  await page.locator(".message-stream").getByText("It is ready at the counter.").waitFor();
  await expect(reply).toHaveValue("");
  await page.reload();
  await expect(reply).toHaveValue("");
});

test("what is typed while a reply is being sent is the next draft", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/chat");
  const [one] = await rowsOf(page);
  await one.click();
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/api/chat/message", async (route) => {
    await held;
    await route.continue();
  });
  const reply = page.getByPlaceholder("Type your response...");
  await reply.pressSequentially("first line");
  await reply.press("Enter");
  await page.getByText("Sending...").waitFor();
  await reply.pressSequentially("next draft");
  release();
  await expect(page.getByText("Sending...")).toHaveCount(0);
  await page.reload();
  await page.locator(".message-stream").getByText("first line", { exact: true }).waitFor();
  await expect(reply).toHaveValue("next draft");
});

test("unsaved settings come back with a note, and can be discarded", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/chat?tab=settings");
  const welcome = page.getByLabel("Welcome Message");
  const stored = await welcome.inputValue();
  await welcome.fill("Good morning.");
  await page.reload();
  await expect(welcome).toHaveValue("Good morning.");
  await page.getByText("Your unsaved changes are back.").waitFor();
  await page.getByRole("button", { name: "Discard them" }).click();
  await expect(welcome).toHaveValue(stored);
  await page.reload();
  await expect(welcome).toHaveValue(stored);
  await expect(page.getByText("Your unsaved changes are back.")).toBeHidden();
});

test("the words of a change whose note was taken back do not return once they are saved anew", async ({
  open,
}) => {
  const page = await asStaff(open, "manager", "/admin/chat");
  const [one, other] = await rowsOf(page);
  const press = (from: Page, name: string) => from.getByRole("button", { name, exact: true }).click();
  const isConnected = (from: Page) =>
    from.getByRole("status").getByText("Connected", { exact: true }).waitFor();
  const opens = async (row: Locator) => {
    await row.click();
    await expect(row).toHaveAttribute("aria-current", "true");
  };
  const note = page.getByPlaceholder("Note for your colleagues...");
  await opens(one);
  await isConnected(page);
  await press(page, "Write a note");
  await note.fill("Wants an oak box.");
  await press(page, "Save note");
  const written = page.locator(".message.note").filter({ hasText: "Wants an oak box." });
  await written.locator("summary").click();
  await page.getByLabel("Text of the note").fill("Half a thought");
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await isConnected(tab);
  await tab.locator(".message.note summary").click();
  await press(tab, "Take back");
  await expect(note).toHaveValue("Half a thought");
  await page.getByText("The note was taken back in the meantime.").waitFor();
  await press(page, "Save note");
  await expect(page.locator(".message.note")).toContainText("Half a thought");
  await expect(note).toHaveCount(0);
  await opens(other);
  await opens(one);
  await expect(page.locator(".message.note")).toContainText("Half a thought");
  await page.getByRole("button", { name: "Write a note", exact: true }).waitFor();
  await expect(note).toHaveCount(0);
});
