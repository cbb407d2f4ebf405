import type { Locator, Page } from "playwright";
import { describe, expect, inject, it } from "vitest";
import signIns from "../../../scripts/seed/sign-ins.json";
import { accessibilityProblems, browserJourneys } from "../../support/browser";
import { asStaff } from "../../support/staff";

const { open } = browserJourneys();
const sees = (page: Page, text: string) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const ready = (page: Page) => page.waitForLoadState("networkidle");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const isFocused = (place: Locator) =>
  expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true);

async function post(path: string, body: unknown, cookie = "") {
  const origin = inject("shopUrl");
  const headers = {
    "Content-Type": "application/json",
    Origin: origin,
    ...(cookie && { Cookie: cookie }),
  };
  const answer = await fetch(`${origin}/api/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { json: (await answer.json()) as Record<string, string>, cookie: cookies.join("; ") };
}

/** A visitor with a chat of their own, who has said something. */
async function visitor(userName: string, initialMessage: string) {
  const { json, cookie } = await post("chat/create", { userName, initialMessage, isAnonymous: false });
  const chatId = json.chatId ?? "";
  const says = (message: string) => post("chat/message", { chatId, message, senderName: userName }, cookie);
  const hears = async () => {
    const answer = await fetch(`${inject("shopUrl")}/api/chat/${chatId}/messages`, {
      headers: { Cookie: cookie },
    });
    const { messages } = (await answer.json()) as { messages: { message: string; senderName: string }[] };
    return messages.map(({ senderName, message }) => `${senderName}: ${message}`);
  };
  return { chatId, says, hears };
}

/** A seller's page, signed in. */
const atConsole = (path: string, options: Parameters<typeof open>[1] = {}) =>
  asStaff(open, "manager", path, options);

describe("the console, live", () => {
  it("shows a new customer at the top, unread, and both talk (back office 4, Chat console)", async () => {
    const page = await atConsole("/admin/chat");
    await sees(page, "Select a chat to start messaging");
    await sees(page, "Connected");
    const ada = await visitor("Ada Live", "Is the walnut board in?");
    const first = page.locator(".chat-list a").first();
    await first.getByText("Ada Live").waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(\d+\) Support Chat/);
    expect(await first.locator(".unread-count").textContent()).toContain("1");
    await first.click();
    await sees(page, "Is the walnut board in?");
    await expect.poll(() => first.locator(".unread-count").count()).toBe(0);
    await page.fill("[data-reply]", "Yes, five of them.");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.inputValue("[data-reply]")).toBe("");
    await expect.poll(ada.hears).toContain("Support Team: Yes, five of them.");
    await ada.says("I'll take one.");
    await page.locator(".message-stream").getByText("I'll take one.").waitFor();
    await expect.poll(() => first.locator(".chat-list-message").textContent()).toBe("I'll take one.");
    await expect.poll(() => first.locator(".unread-count").count()).toBe(0);
    expect(await page.locator(".message-stream").getByText("Yes, five of them.").count()).toBe(1);
  });

  it("keeps a reply in view that could not be sent, and sends it once when tried again", async () => {
    const { chatId, hears } = await visitor("Bo", "Hello?");
    const page = await atConsole(`/admin/chat?chat=${chatId}`);
    await page.route("**/api/chat/message", (route) => route.fulfill({ status: 429, json: {} }));
    await page.fill("[data-reply]", "On our way");
    await press(page, "Send");
    await sees(page, "Failed to send message");
    await sees(page, "Not sent");
    await page.unroute("**/api/chat/message");
    await press(page, "Try again");
    await expect.poll(hears).toContain("Support Team: On our way");
    expect(await page.inputValue("[data-reply]")).toBe("");
    expect((await hears()).filter((line) => line.endsWith("On our way"))).toHaveLength(1);
  });

  it("is worked by keys, but not while typing: j, k, r, / and ?", async () => {
    const page = await atConsole("/admin/chat");
    await page.keyboard.press("j");
    await page.waitForURL(/chat=/);
    await page.waitForLoadState("networkidle");
    const first = page.url();
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.href !== first);
    await page.waitForLoadState("networkidle");
    await page.keyboard.press("k");
    await page.waitForURL(first);
    await page.waitForLoadState("networkidle");
    await page.keyboard.press("r");
    await page.waitForFunction(() => document.activeElement?.matches("[data-reply]"));
    await page.keyboard.type("j/?");
    expect(await page.inputValue("[data-reply]")).toBe("j/?");
    await page.locator("h1").click();
    await page.keyboard.press("/");
    const choices = page.getByRole("menu", { name: "Quick Responses" }).getByRole("menuitem");
    await isFocused(choices.first());
    await page.keyboard.press("ArrowUp");
    await isFocused(choices.last());
    await page.keyboard.press("Escape");
    await isFocused(page.getByRole("button", { name: "Quick Responses" }));
    await choices.first().waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await isFocused(choices.first());
    await page.keyboard.press("Enter");
    await isFocused(page.locator("[data-reply]"));
    await expect.poll(() => page.inputValue("[data-reply]")).not.toBe("j/?");
    await expect.poll(() => page.locator("#quick").count()).toBe(0);
    await page.locator("h1").click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  });
});

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("the console %s", (_, javaScriptEnabled) => {
  const at = (path: string) => atConsole(path, { javaScriptEnabled });

  it("talks, with a quick response, and shows what is new after a reload", async () => {
    const eve = await visitor("Eve", "When do you open?");
    const page = await at("/admin/chat");
    await page.getByRole("link", { name: "Eve" }).first().click();
    await sees(page, "When do you open?");
    await press(page, "Quick Responses");
    await page.locator("#quick button").first().click();
    await expect.poll(() => page.inputValue("[data-reply]")).not.toBe("");
    await page.fill("[data-reply]", "At ten.");
    await press(page, "Send");
    await page.locator(".message-stream").getByText("At ten.").waitFor();
    await expect.poll(eve.hears).toContain("Support Team: At ten.");
    await eve.says("Thank you");
    await page.goto(`/admin/chat?chat=${eve.chatId}`);
    await page.locator(".message-stream").getByText("Thank you").waitFor();
  });

  it("deletes a chat once it was asked (back office 2)", async () => {
    const { chatId } = await visitor("Gone", "Bye");
    const page = await at(`/admin/chat?chat=${chatId}`);
    await page.getByRole("link", { name: "Delete Chat" }).click();
    await sees(page, "Are you sure you want to delete this chat? This action cannot be undone.");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL((url) => !url.searchParams.has("delete"));
    await page.getByRole("link", { name: "Delete Chat" }).click();
    await press(page, "Delete");
    await sees(page, "Chat deleted successfully");
    await sees(page, "Select a chat to start messaging");
    await page.goto(`/admin/chat?chat=${chatId}`);
    await sees(page, "This chat is gone");
  });

  it("adds, changes and deletes a predefined response", async () => {
    const trigger = `colour ${javaScriptEnabled}`;
    const page = await at("/admin/chat?tab=responses");
    await page.getByRole("link", { name: "Add Response" }).click();
    await page.fill("#response-trigger", trigger);
    await page.fill("#response-response", "Clay, moss and ink.");
    expect(await page.inputValue("#response-category")).toBe("General");
    await press(page, "Save");
    await sees(page, "Predefined response created successfully");
    await page.getByRole("link", { name: `Edit response: ${trigger}` }).click();
    await page.waitForURL(/edit=/);
    await page.fill("#response-response", "Clay and moss.");
    await press(page, "Save");
    await sees(page, "Response updated successfully");
    await sees(page, "Clay and moss.");
    await page.getByRole("link", { name: `Delete response: ${trigger}` }).click();
    await sees(
      page,
      "Are you sure you want to delete this predefined response? This action cannot be undone.",
    );
    await press(page, "Delete");
    await sees(page, "Response deleted successfully");
    expect(await page.getByRole("link", { name: `Edit response: ${trigger}` }).count()).toBe(0);
  });

  it("saves the settings, an unticked box too", async () => {
    const page = await at("/admin/chat?tab=settings");
    await page.fill("#settings-offlineMessage", "Back at ten.");
    await page.uncheck("#settings-autoResponseEnabled");
    await press(page, "Save Settings");
    await sees(page, "Chat settings updated successfully");
    await page.goto("/admin/chat?tab=settings");
    expect(await page.inputValue("#settings-offlineMessage")).toBe("Back at ten.");
    expect(await page.isChecked("#settings-autoResponseEnabled")).toBe(false);
    expect(await page.isChecked("#settings-isOnline")).toBe(true);
    await page.check("#settings-autoResponseEnabled");
    await press(page, "Save Settings");
    await sees(page, "Chat settings updated successfully");
  });

  it("has a menu that opens on phones, and Logout leads to /login", async () => {
    const mine = signIns.find(({ role }) => role === "admin");
    const page = await open("/login?redirectTo=/admin/chat", {
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
    });
    await ready(page);
    await page.fill("#login-email", mine?.email ?? "");
    await page.fill("#login-password", mine?.password ?? "");
    await page.locator("main").getByRole("button", { name: "Sign In" }).click();
    await page.waitForURL(/\/admin\/chat/);
    await ready(page);
    await page.locator(".menu-button").click();
    await page.getByRole("link", { name: "Back to Shop" }).waitFor();
    await page.locator(".user-menu-button").click();
    await press(page, "Logout");
    await page.waitForURL(/\/login$/);
  });
});

it.each([
  ["light", 390],
  ["dark", 1440],
] as const)("the console is accessible: %s, %i px", async (colorScheme, width) => {
  const { chatId } = await visitor("Axe", "Hello");
  for (const path of [
    "/admin/chat",
    `/admin/chat?chat=${chatId}&quick=1`,
    `/admin/chat?chat=${chatId}&delete=${chatId}`,
    "/admin/chat?tab=responses&dialog=new",
    "/admin/chat?tab=settings",
  ]) {
    const page = await atConsole(path, { colorScheme, viewport: { width, height: 900 } });
    expect(await accessibilityProblems(page), path).toEqual([]);
  }
});
