import type { Locator } from "@playwright/test";
import { accessibilityProblems, expect, overflow, test } from "../../support/browser";
import {
  api,
  chatIdOf,
  connectedHere,
  fieldOf,
  logOf,
  messagesIn,
  panelOf,
  sellerToken,
  sendReply,
} from "../../support/conversation";
import { signedInAs } from "../../support/signed-in";

const LAMP = "Mushroom table lamp";
const CASE = "Soft silicone phone case";
const BUYING = (name: string) => `I'm interested in buying the ${name}.`;

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])
  test.describe(`at ${viewport.width} px`, () => {
    test("My conversations names a conversation by what it is about, and shows the hold and the quote that wait", async ({
      open,
    }) => {
      const page = await open("/products/mushroom-table-lamp", { viewport, reducedMotion: "reduce" });
      await page.getByRole("button", { name: "Buy Now" }).click();
      await logOf(page).locator(".chat-product", { hasText: LAMP }).waitFor();
      const chatId = await chatIdOf(page);
      const token = await sellerToken();
      const lines = [{ productId: "mushroom-table-lamp", quantity: 1 }];
      expect((await api("hold", "POST", { chatId, lines }, token)).status).toBe(201);
      await logOf(page)
        .getByText(/^Set aside until/)
        .waitFor();
      await page.goto("/chat");
      const row = page.getByRole("region", { name: "My conversations" }).getByRole("link");
      await expect(row).toContainText(LAMP);
      await expect(row).toContainText(/Set aside until \w+day \d\d:\d\d/);
      const quote = { chatId, title: "Lamp", lines: [{ description: LAMP, quantity: 2, amount: 92 }] };
      expect((await api("quote", "POST", quote, token)).status).toBe(201);
      await page.goto("/products/moss-silicone-case");
      // A page that is left before its answer would have the next one open the conversation; the list is stored before it.
      const answered = page.waitForResponse("**/chat/submit");
      await page.getByRole("button", { name: "Buy Now" }).click();
      await answered;
      expect((await messagesIn(chatId)).join()).toContain(BUYING(CASE));
      await logOf(page).locator(".chat-product", { hasText: CASE }).first().waitFor();
      await page.goto("/chat");
      await expect(row).toContainText(`${LAMP} and 1 more`);
      await expect(row).toContainText(/A quote of \$\d+\.\d\d waits for you.*Set aside until \w+day/s);
      // Declined in another tab.
      const other = await page.context().newPage();
      await other.goto(`/chat/${chatId}`);
      await connectedHere(other);
      await other.getByRole("button", { name: "Decline" }).click();
      await other.getByText("Declined", { exact: true }).first().waitFor();
      await other.close();
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(row).not.toContainText("waits for you");
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    });

    test("My conversations has room for the longest name of a product", async ({ open }) => {
      const page = await open("/products/oak-cheese-board", { viewport });
      await page.getByRole("button", { name: "Buy Now" }).click();
      await logOf(page).locator(".chat-product", { hasText: "Engraved oak cheese board" }).waitFor();
      await page.goto("/chat");
      const row = page.getByRole("region", { name: "My conversations" }).getByRole("link");
      await expect(row).toContainText("Engraved oak cheese board");
      expect(await overflow(page)).toBe(0);
      const box = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [name, text] = [await box(row.locator("b").first()), await box(row.locator(".truncate").last())];
      const [time, state] = [
        await box(row.locator("time")),
        await box(row.getByText("Open", { exact: true })),
      ];
      expect(time.x).toBeGreaterThanOrEqual(name.x + name.width);
      if (viewport.width < 640) expect(state.y).toBeGreaterThanOrEqual(text.y + text.height);
    });

    test("Buy Now in a conversation that goes on shows its card at once, also in the open panel", async ({
      open,
    }) => {
      const page = await open("/products/mushroom-table-lamp", { viewport });
      await page.getByRole("button", { name: "Buy Now" }).click();
      await logOf(page).getByText(BUYING(LAMP)).waitFor();
      await sendReply(await chatIdOf(page), "How many?");
      await logOf(page).getByText("How many?").waitFor();
      for (const [id, name] of [
        ["moss-silicone-case", CASE],
        ["stone-bead-bracelet", "Stone bead bracelet"],
      ] as const) {
        await page.goto(`/products/${id}`);
        await page.getByRole("button", { name: "Buy Now" }).click();
        await fieldOf(page).waitFor();
        await logOf(page).getByText(BUYING(name)).waitFor();
        await expect(logOf(page).locator(".chat-product", { hasText: name })).toBeInViewport();
        if (viewport.width < 1024) await panelOf(page).getByRole("button", { name: "Close chat" }).click();
      }
    });

    test("the seller reads what Buy Now asked for, and the name that the visitor gave", async ({ open }) => {
      const page = await open("/products/moss-silicone-case", { viewport });
      await page.getByRole("button", { name: "Buy Now" }).click();
      const skip = panelOf(page).getByRole("form", { name: "Where shall we reach you?" });
      await skip.getByRole("button", { name: "Skip" }).click();
      const named = panelOf(page).getByRole("form", { name: "For the order: What name shall we put on it?" });
      await named.getByPlaceholder("Your name").fill("Ines");
      await named.getByRole("button", { name: "Save" }).click();
      await panelOf(page).getByText("Thank you.").waitFor();
      const chatId = await chatIdOf(page);
      const { browser } = await signedInAs("manager");
      const seller = await open(`/admin/chat?chat=${chatId}`, { ...browser, viewport });
      const stream = seller.locator(".message-stream");
      await stream.getByText(BUYING(CASE)).waitFor();
      await expect(stream.getByText("Ines").first()).toBeVisible();
      await expect(stream.getByText("New Customer")).toHaveCount(0);
      if (viewport.width < 1200) await seller.getByRole("link", { name: "Asked for, 1 item" }).click();
      await seller.getByRole("heading", { name: /^Asked for 1 item/ }).waitFor();
    });
  });
