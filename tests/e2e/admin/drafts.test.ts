import { expect, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

test("a reply that was not sent is there after a reload, for its own conversation only", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/chat");
  const reply = page.getByPlaceholder("Type your response...");
  await page.locator(".chat-row").nth(0).click();
  await reply.fill("It is ready at the");
  await page.reload();
  await expect(reply).toHaveValue("It is ready at the");
  await page.locator(".chat-row").nth(1).click();
  await expect(page.locator(".chat-row").nth(1)).toHaveAttribute("aria-current", "true");
  await expect(reply).toHaveValue("");
  await page.locator(".chat-row").nth(0).click();
  await expect(reply).toHaveValue("It is ready at the");
  await reply.fill("It is ready at the counter.");
  await reply.press("Enter");
  await page.locator(".message-stream").getByText("It is ready at the counter.").waitFor();
  await expect(reply).toHaveValue("");
  await page.reload();
  await expect(reply).toHaveValue("");
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
