import { expect, test } from "../../support/browser";
import {
  chatIdOf,
  connected,
  fieldOf,
  logOf,
  messagesIn,
  panelOf,
  startChat,
  write,
} from "../../support/conversation";

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
