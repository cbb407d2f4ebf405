import type { Locator, Page } from "@playwright/test";
import { DEMO_SIGN_INS as signIns } from "../../../scripts/local-shop.mjs";
import { expect, expectAccessible, type Open, SCRIPTING, test } from "../../support/browser";
import { withhold } from "../../support/late-scripts";
import { fetchShop, runningShop } from "../../support/running-shop";
import { asStaff } from "../../support/staff";

const sees = (page: Page, text: string) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const ready = (page: Page) => page.waitForLoadState("networkidle");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const isFocused = (place: Locator) =>
  expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true);

async function post(path: string, body: unknown, cookie = "") {
  const origin = runningShop().url;
  const headers = {
    "Content-Type": "application/json",
    Origin: origin,
    ...(cookie && { Cookie: cookie }),
  };
  const answer = await fetchShop(`/api/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { json: (await answer.json()) as Record<string, string>, cookie: cookies.join("; ") };
}

/** Starts a chat as a visitor. */
async function visitor(userName: string, initialMessage: string) {
  const { json, cookie } = await post("chat/create", { userName, initialMessage, isAnonymous: false });
  const chatId = json.chatId ?? "";
  const says = (message: string) => post("chat/message", { chatId, message, senderName: userName }, cookie);
  const hears = async () => {
    const answer = await fetchShop(`/api/chat/${chatId}/messages`, { headers: { Cookie: cookie } });
    const { messages } = (await answer.json()) as { messages: { message: string; senderName: string }[] };
    return messages.map(({ senderName, message }) => `${senderName}: ${message}`);
  };
  return { chatId, says, hears };
}

/** Opens a page signed in as a manager. */
const openConsole = (open: Open, path: string, options: Parameters<Open>[1] = {}) =>
  asStaff(open, "manager", path, options);

test("the head of a conversation is one line, and Send is green once there is something to send", async ({
  open,
}) => {
  const page = await openConsole(open, "/admin/chat?chat=demo-chat-01");
  const top = async (place: Locator) => Math.round((await place.boundingBox())?.y ?? Number.NaN);
  for (const width of [1440, 1101, 820, 768]) {
    await page.setViewportSize({ width, height: 900 });
    const head = page.locator(".conversation > header");
    await expect
      .poll(() => head.evaluate(({ clientHeight }) => clientHeight), `${width} px`)
      .toBeLessThan(70);
    const [name, remove] = [head.getByRole("heading"), head.getByRole("link", { name: "Delete Chat" })];
    expect(Math.abs((await top(name)) - (await top(remove))), `${width} px`).toBeLessThan(20);
  }
  const send = page.getByRole("button", { name: "Send", exact: true });
  const colour = () => send.evaluate((button) => getComputedStyle(button).backgroundColor);
  const green = await page
    .getByRole("link", { name: /^Record sale/ })
    .filter({ visible: true })
    .first()
    .evaluate((link) => getComputedStyle(link).backgroundColor);
  await expect.poll(colour).not.toBe(green);
  await page.getByPlaceholder("Type your response...").fill("It is ready.");
  await expect.poll(colour).toBe(green);
  await page.getByPlaceholder("Type your response...").fill("");
  await expect.poll(colour).not.toBe(green);
});

test("the settings keep their button in sight", async ({ open }) => {
  for (const [width, height] of [
    [1440, 700],
    [390, 844],
  ] as const) {
    const page = await openConsole(open, "/admin/chat?tab=settings", { viewport: { width, height } });
    await expect(page.getByRole("button", { name: "Save Settings" })).toBeInViewport({ ratio: 1 });
  }
});

test.describe("the console, live", () => {
  test("lists a new chat first, as unread, and delivers messages both ways", async ({ open }) => {
    const page = await openConsole(open, "/admin/chat");
    await sees(page, "Select a chat to start messaging");
    await sees(page, "Connected");
    const ada = await visitor("Ada Live", "Is the walnut board in?");
    const first = page.locator(".chat-row").first();
    await first.getByText("Ada Live").waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(\d+\) Support Chat/);
    await expect(first.locator(".unread-count")).toContainText("1");
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
    await expect(page.locator(".message-stream").getByText("Yes, five of them.")).toHaveCount(1);
  });

  test("keeps an unsent reply visible and sends it once on retry", async ({ open }) => {
    const { chatId, hears } = await visitor("Bo", "Hello?");
    const page = await openConsole(open, `/admin/chat?chat=${chatId}`);
    await page.route("**/api/chat/message", (route) => route.fulfill({ status: 429, json: {} }));
    await page.fill("[data-reply]", "On our way");
    await press(page, "Send");
    await sees(page, "Failed to send message");
    await sees(page, "Not sent");
    await page.unroute("**/api/chat/message");
    await press(page, "Try again");
    await expect.poll(hears).toContain("Support Team: On our way");
    await expect(page.locator("[data-reply]")).toHaveValue("");
    expect((await hears()).filter((line) => line.endsWith("On our way"))).toHaveLength(1);
  });

  test("supports the shortcuts j, k, w, / and ?, except while typing", async ({ open }) => {
    const page = await openConsole(open, "/admin/chat");
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
    await page.keyboard.press("w");
    await page.waitForFunction(() => document.activeElement?.matches("[data-reply]"));
    await page.keyboard.type("j/?");
    await expect(page.locator("[data-reply]")).toHaveValue("j/?");
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

test("the console keeps a key that is pressed while the placeholder of another chat is there", async ({
  open,
}) => {
  const [{ chatId }, other] = [await visitor("Ira", "Hello?"), await visitor("Jo", "Is it open?")];
  const page = await openConsole(open, `/admin/chat?chat=${chatId}`);
  const deliver = await withhold(page, new RegExp(`chat=${other.chatId}`));
  await page.locator(`.chat-row:not(.more)[href*="${other.chatId}"]`).click();
  await page.getByRole("status", { name: "Opening the chat" }).waitFor();
  // In one task: the page isn't rendered between them.
  await page.evaluate(() => {
    for (const key of ["j", "w"])
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  await isFocused(page.locator("[data-reply]"));
  await sees(page, "Hello?");
  deliver();
});

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`the console ${name}`, () => {
    const at = (open: Open, path: string) => openConsole(open, path, { javaScriptEnabled });

    test("sends a reply from a quick response and shows new messages after a reload", async ({ open }) => {
      const eve = await visitor("Eve", "When do you open?");
      const page = await at(open, "/admin/chat");
      await page.locator(`.chat-row:not(.more)[href*="${eve.chatId}"]`).click();
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

    test("deletes a chat after confirmation", async ({ open }) => {
      const { chatId } = await visitor("Gone", "Bye");
      const page = await at(open, `/admin/chat?chat=${chatId}`);
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

    test("adds, edits and deletes a predefined response", async ({ open }) => {
      const trigger = `colour ${javaScriptEnabled}`;
      const page = await at(open, "/admin/chat?tab=responses");
      await page.getByRole("link", { name: "Add Response" }).click();
      await page.fill("#response-trigger", trigger);
      await page.fill("#response-response", "Clay, moss and ink.");
      await expect(page.locator("#response-category")).toHaveValue("General");
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
      await expect(page.getByRole("link", { name: `Edit response: ${trigger}` })).toHaveCount(0);
    });

    test("saves the settings, including an unchecked box", async ({ open }) => {
      const page = await at(open, "/admin/chat?tab=settings");
      await page.fill("#settings-offlineMessage", "Back at ten.");
      await page.uncheck("#settings-autoResponseEnabled");
      await press(page, "Save Settings");
      await sees(page, "Chat settings updated successfully");
      await page.goto("/admin/chat?tab=settings");
      await expect(page.locator("#settings-offlineMessage")).toHaveValue("Back at ten.");
      await expect(page.locator("#settings-autoResponseEnabled")).not.toBeChecked();
      await expect(page.locator("#settings-isOnline")).toBeChecked();
      await page.check("#settings-autoResponseEnabled");
      await press(page, "Save Settings");
      await sees(page, "Chat settings updated successfully");
    });

    test("opens the menu on phones, and Logout redirects to /login", async ({ open }) => {
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

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test(`a long list of chats scrolls by itself at ${viewport.width} px`, async ({ open }) => {
    const page = await openConsole(open, "/admin/chat", { viewport });
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.locator(".chat-row").first().waitFor();
    await list.evaluate((nav) => {
      const rows = [...nav.querySelectorAll(".chat-row")].map((row) => row.outerHTML);
      nav.insertAdjacentHTML("beforeend", rows.join("").repeat(Math.ceil(60 / rows.length)));
    });
    const excess = await page.evaluate(() => {
      const [nav, root] = [document.querySelector(".chat-list"), document.documentElement];
      return [nav && nav.scrollHeight > nav.clientHeight, root.scrollHeight - innerHeight];
    });
    expect(excess).toEqual([true, 0]);
  });

test("the console has no axe violations", async ({ open }) => {
  const { chatId } = await visitor("Axe", "Hello");
  const page = await openConsole(open, "/admin/chat");
  for (const path of [
    "/admin/chat",
    `/admin/chat?chat=${chatId}&quick=1`,
    `/admin/chat?chat=${chatId}&delete=${chatId}`,
    "/admin/chat?tab=responses&dialog=new",
    "/admin/chat?tab=settings",
  ]) {
    await page.goto(path);
    if (path.endsWith("settings")) await page.getByLabel("Name", { exact: true }).waitFor();
    await expectAccessible(page, path);
  }
});

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a note for staff is written in the console and never seen by the visitor, ${name}`, async ({
    open,
  }) => {
    const { chatId, hears } = await visitor("Noor", "Is the vase in?");
    const path = `/admin/chat?chat=${chatId}`;
    const note = `Asked on the phone, too (${name}).`;
    const colleague = await openConsole(open, path);
    await ready(colleague);
    const page = await openConsole(open, path, { javaScriptEnabled });
    if (javaScriptEnabled) await ready(page);
    await press(page, "Write a note");
    await page.getByLabel("Note", { exact: true }).fill(note);
    if (javaScriptEnabled) await expectAccessible(page);
    await press(page, "Save note");
    for (const one of [page, colleague]) {
      await expect(one.locator(".message.note")).toContainText(note);
      await expect(one.locator(".message.note")).toContainText("for staff only");
    }
    const reply = page.getByPlaceholder("Type your response...");
    await reply.waitFor();
    if (javaScriptEnabled) await expect(reply).toBeFocused();
    expect((await hears()).join()).not.toContain("phone");
    await page.goto("/admin/chat?q=on+the+phone");
    await expect(page.locator(".chat-list")).toContainText("Note: ");
  });

test("notes that are changed and taken back follow in the other console, also in one that was away", async ({
  open,
}) => {
  const { chatId } = await visitor("Ines", "Do you engrave?");
  const search = `?chat=${chatId}&q=Ines&filter=open`;
  const page = await openConsole(open, `/admin/chat${search}`);
  const colleague = await asStaff(open, "admin", `/admin/chat?chat=${chatId}`);
  const isNow = (one: Page, state: string) =>
    one.getByRole("status").getByText(state, { exact: true }).waitFor();
  for (const one of [page, colleague]) await isNow(one, "Connected");
  const noteIn = (one: Page) => one.locator(".message.note");
  const write = async (text: string) => {
    await press(page, "Write a note");
    await page.getByLabel("Note", { exact: true }).fill(text);
    await press(page, "Save note");
    for (const one of [page, colleague]) await expect(noteIn(one)).toContainText(text);
  };
  const openForm = () => noteIn(page).locator("summary").click();
  await write("Wants an oak box.");
  await expect(noteIn(colleague).locator("summary")).toHaveCount(0);
  await openForm();
  await expectAccessible(page);
  await page.getByLabel("Text of the note").fill("Wants a cedar box.");
  await press(page, "Save change");
  for (const one of [page, colleague]) {
    await expect(noteIn(one)).toContainText("Wants a cedar box.");
    await expect(noteIn(one)).toContainText("changed");
  }
  await sees(page, "Note changed");
  await expect(page.getByLabel("Text of the note")).toBeHidden();
  expect(new URL(page.url()).search).toBe(search);
  await openForm();
  await page.getByLabel("Text of the note").fill("Half a thought");
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await isNow(tab, "Connected");
  await noteIn(tab).locator("summary").click();
  await tab.getByLabel("Text of the note").fill("Wants a pine box.");
  await press(tab, "Save change");
  await expect(noteIn(page)).toContainText("Wants a pine box.");
  await expect(page.getByLabel("Text of the note")).toHaveValue("Half a thought");
  await tab.close();
  await press(page, "Take back");
  for (const one of [page, colleague]) await expect(noteIn(one)).toHaveCount(0);
  await write("Pays on Friday.");
  await colleague.context().setOffline(true);
  await isNow(colleague, "Disconnected");
  await openForm();
  await press(page, "Take back");
  await expect(noteIn(page)).toHaveCount(0);
  await expect(noteIn(colleague)).toHaveCount(1);
  await colleague.context().setOffline(false);
  await expect(noteIn(colleague)).toHaveCount(0, { timeout: 30_000 });
});
