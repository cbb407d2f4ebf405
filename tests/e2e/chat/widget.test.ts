import type { Page } from "@playwright/test";
import { accessibilityProblems, expect, test } from "../../support/browser";
import {
  api,
  chatIdOf,
  connected,
  connectedHere,
  fieldOf,
  logOf,
  messagesIn,
  panelOf,
  sellerToken,
  sendReply,
  startChat,
} from "../../support/conversation";

const BOARD = "/products/walnut-serving-board";
const BUYING_BOARD = "I'm interested in buying the Engraved walnut serving board.";
const EVENT = "emporia:open-chat";

const openByEvent = (page: Page, chatId: string) =>
  page.evaluate(
    ([name = "", id]) => window.dispatchEvent(new CustomEvent(name, { detail: { chatId: id } })),
    [EVENT, chatId],
  );

test("the panel names nobody before it knows who answers", async ({ open }) => {
  const page = await open("/terms");
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/chat/settings*", async (route) => {
    await promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Ask us" }).click();
  const head = panelOf(page).locator(".chat-head");
  await head.waitFor();
  await expect(head).not.toContainText("Emporia");
  await expect(head.locator(".chat-face > span").first()).toHaveText("");
  resolve();
  await head.getByText("Maren, Support Team").waitFor();
});

test("the panel reads the hours again when those that it shows are over", async ({ open }) => {
  const page = await open("/terms");
  const answers = [{ hours: "Open today until 18:00", hoursFor: 2 }];
  await page.route("**/api/chat/settings*", async (route) => {
    const response = await route.fetch();
    const hours = answers.shift() ?? { hours: "The shop opens tomorrow at 10:00", hoursFor: 3600 };
    await route.fulfill({ response, json: { ...(await response.json()), ...hours } });
  });
  await page.getByRole("link", { name: "Ask us" }).click();
  const head = panelOf(page).locator(".chat-head");
  await head.getByText("Open today until 18:00").waitFor();
  await head.getByText("The shop opens tomorrow at 10:00").waitFor();
});

test.describe("a visitor's chat", () => {
  test("persists before its first message, after a reload, on the next page and on the next visit", async ({
    open,
  }) => {
    const page = await open("/terms");
    await page.getByRole("link", { name: "Ask us" }).click();
    await connected(page);
    await panelOf(page).getByPlaceholder("Your email (optional)").fill("tolu@mail.example");
    await page.reload();
    const email = panelOf(page).getByPlaceholder("Your email (optional)");
    await email.waitFor();
    await expect(email).toHaveValue("tolu@mail.example");
    await email.press("Escape");
    await Promise.all([
      page.getByText("Chat started successfully!").waitFor(),
      startChat(page, "Is the oak board oiled?"),
    ]);
    await page.getByRole("banner").getByRole("link", { name: "My conversations" }).waitFor();
    await page.reload();
    await logOf(page).getByText("Is the oak board oiled?").waitFor();
    await connected(page);
    await expect(page.locator("body")).toBeFocused();
    await sendReply(await chatIdOf(page), "It is, twice.");
    await logOf(page).getByText("It is, twice.").waitFor();
    await page.getByRole("link", { name: "Privacy Policy" }).first().click();
    await page.getByRole("heading", { name: "Privacy Policy" }).waitFor();
    await logOf(page).getByText("It is, twice.").waitFor();
    await fieldOf(page).focus();
    await page.keyboard.press("Escape");
    await panelOf(page).waitFor({ state: "detached" });
    await sendReply(await chatIdOf(page), "With linseed.");
    await page.getByRole("link", { name: "Ask us 1 unread" }).waitFor();
    const storageState = await page.context().storageState();
    const later = await open("/shop", { storageState });
    await later.getByRole("link", { name: "Ask us 1 unread" }).click();
    await logOf(later).getByText("With linseed.").waitFor();
    // The chat's page keeps its messages while the live chat connects.
    await later.route("**/messages", () => undefined);
    await later.goto(`/chat/${await chatIdOf(later)}`);
    await connectedHere(later);
    await expect(logOf(later).getByText("With linseed.")).toBeVisible();
  });

  test("returns to the start with a message when the seller deletes it; another visitor's chat cannot be opened", async ({
    open,
  }) => {
    const page = await open("/terms");
    const chatId = await startChat(page, "Please forget me");
    await connected(page);
    await fieldOf(page).fill("Half a sentence");
    expect((await api(`chat/${chatId}`, "DELETE", undefined, await sellerToken())).status).toBe(200);
    await panelOf(page).getByText("That chat has ended. You can start a new one.").waitFor();
    await panelOf(page).getByPlaceholder("Your name (optional)").waitFor();
    await expect(panelOf(page).getByPlaceholder("Your message...")).toHaveValue("Half a sentence");
    const strange = (await (await api("chat/create", "POST", { initialMessage: "Private" })).json()) as {
      chatId: string;
    };
    await openByEvent(page, strange.chatId);
    await page.getByText("Unable to open support chat.").waitFor();
    await panelOf(page).getByPlaceholder("Your name (optional)").waitFor();
    expect(await page.content()).not.toContain("Private");
  });

  test("starts from Buy Now and Chat with Seller, shows the cart, and opens on the page's event", async ({
    open,
  }) => {
    const page = await open(BOARD);
    const lines: string[] = [];
    page.on("websocket", (line) => lines.push(line.url()));
    await page.getByRole("button", { name: "One more" }).click();
    await Promise.all([
      page.getByText("Chat started successfully!").waitFor(),
      page.getByRole("button", { name: "Buy Now" }).click(),
    ]);
    await logOf(page).getByText(BUYING_BOARD).waitFor();
    await logOf(page).getByText("2 × $78.00").waitFor();
    const first = await chatIdOf(page);
    await connected(page);
    expect(lines.map((url) => new URL(url).searchParams.get("chat"))).toEqual([first]);
    await panelOf(page).getByRole("button", { name: "Minimise" }).click();
    await page.getByRole("button", { name: "Support Chat" }).waitFor();
    await page.getByRole("button", { name: "Close chat" }).click();
    await page.getByRole("button", { name: "One less" }).click();
    // The badge counts before the cart is stored: the cart is asked about once more.
    const refused = page.waitForResponse(
      (response) => response.url().endsWith("/cart/submit") && response.status() === 400,
    );
    await page.route("**/cart/submit", async (route) => {
      if (route.request().postData()?.includes("intent=add")) await refused;
      await route.continue();
    });
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByRole("link", { name: "Cart, 1 item" }).click();
    await page.getByRole("button", { name: "Chat with Seller" }).click();
    await logOf(page).getByText("1 × $78.00").waitFor();
    await expect.poll(() => chatIdOf(page)).toBe(first);
    await expect.poll(async () => (await messagesIn(first)).join()).toContain("Total: $78.00");
    await page.getByRole("button", { name: "Close chat" }).click();
    await openByEvent(page, first);
    await logOf(page).getByText(BUYING_BOARD).waitFor();
  });
});

test.describe("the widget", () => {
  test("is usable by keyboard alone and has no axe violations", async ({ open }) => {
    const page = await open("/terms", { reducedMotion: "reduce" });
    const expectAccessible = async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await accessibilityProblems(page), colorScheme).toEqual([]);
      }
    };
    const button = page.getByRole("link", { name: "Ask us" });
    await button.focus();
    await page.keyboard.press("Enter");
    const panel = panelOf(page);
    const field = panel.getByPlaceholder("Your message...");
    await field.waitFor();
    await expect(field).toBeFocused();
    // Past the button that attaches files.
    for (const key of ["Shift+Tab", "Shift+Tab"]) await page.keyboard.press(key);
    await page.keyboard.type("tolu");
    for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
    await page.keyboard.type("Two lines,");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("please");
    await page.keyboard.press("Enter");
    await panel.getByText("Please enter a valid email address").waitFor();
    await expectAccessible();
    for (let key = 0; key < 4; key++) await page.keyboard.press("Backspace");
    for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await logOf(page).getByText("Two lines,\nplease").waitFor();
    await expectAccessible();
    await panel.getByRole("button", { name: "Minimise" }).focus();
    await page.keyboard.press("Enter");
    const bar = page.getByRole("button", { name: "Support Chat" });
    await bar.waitFor();
    await expect(bar).toBeFocused();
    await expectAccessible();
    await page.keyboard.press("Enter");
    await fieldOf(page).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ])
    test(`has a button that covers no link, price and heading at ${viewport.width} px`, async ({ open }) => {
      const page = await open("/", { viewport, reducedMotion: "reduce" });
      for (const path of ["/", "/shop", "/shop?search=lamp+under+150", "/shop?search=earphones"]) {
        await page.goto(path);
        for (const top of [0, 450, 900, 1350, 100_000]) {
          await page.evaluate((y) => window.scrollTo(0, y), top);
          await expect.poll(() => overlaps(page), `${path}, ${top} px down`).toEqual([]);
        }
      }
    });

  test("has a button on a page of text too, where links are everywhere", async ({ open }) => {
    const page = await open("/terms", { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
    const button = page.locator(".chat-launcher");
    for (const top of [0, 450, 900, 100_000]) {
      await page.evaluate((y) => window.scrollTo(0, y), top);
      await expect(button).toBeVisible();
      const covered = async () => (await overlaps(page)).filter((html) => !html.startsWith("<a"));
      await expect.poll(covered, `${top} px down`).toEqual([]);
    }
  });

  test("has a button that covers no control when the notice of being offline lifts it", async ({ open }) => {
    const page = await open("/products/round-leather-watch", { viewport: { width: 1440, height: 900 } });
    await page.context().setOffline(true);
    const notice = page.getByText("You're offline.");
    await notice.waitFor();
    await expect.poll(() => overlaps(page)).toEqual([]);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const covered = () =>
      notice.evaluate((line) => {
        const { bottom = 0 } = document.querySelector(".shop-footer")?.getBoundingClientRect() ?? {};
        return bottom - line.getBoundingClientRect().y;
      });
    await expect.poll(covered).toBeLessThanOrEqual(1);
  });

  test("has a button that covers no control of the page at any width and height", async ({ open }) => {
    const page = await open("/shop?search=mug+under+30", { viewport: { width: 390, height: 844 } });
    await page.evaluate(() => document.querySelector(".more-row p")?.scrollIntoView({ block: "end" }));
    await expect.poll(() => overlaps(page)).toEqual([]);
    await page.goto(BOARD);
    for (const [width, height] of [
      [360, 640],
      [390, 844],
      [820, 600],
      [1024, 768],
      [1440, 700],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const top of [0, 200, 400, 600, 800, 5000]) {
        await page.evaluate((y) => window.scrollTo(0, y), top);
        await expect.poll(() => overlaps(page), `${width} × ${height}, ${top} px down`).toEqual([]);
      }
    }
  });
});

/** Lists the controls, and the texts that end beside the chat button, which it covers. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ask = document.querySelector(".chat-launcher")?.getBoundingClientRect() ?? new DOMRect();
    const controls = [
      ...document.querySelectorAll<HTMLElement>(
        "main :is(.btn, button, input, a:not(:has(img)), h1, h2, h3, .price-tag, .more-row p), .shop-footer a",
      ),
    ];
    const lies = ({ top, bottom, left, right, width }: DOMRect) =>
      width > 0 && top < ask.bottom && bottom > ask.top && left < ask.right && right > ask.left;
    return controls
      .filter((control) => lies(control.getBoundingClientRect()))
      .map(({ outerHTML }) => outerHTML);
  });
}
