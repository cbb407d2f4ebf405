import type { Page, Route } from "@playwright/test";
import { expect, test } from "../../support/browser";
import { asking, chatIdOf, connected, logOf, messagesIn, startChat, write } from "../../support/conversation";
import { OWN_CONNECTION } from "../../support/running-shop";

/** Writes a message while the browser is offline. */
async function writeOffline(page: Page, message: string): Promise<void> {
  await page.context().setOffline(true);
  await page.getByText("You're offline. What you write waits here.").waitFor();
  await write(page, message);
  await logOf(page).getByText("You, waits for the connection").waitFor();
}

test("a message that was written offline is sent once, though its tab was closed beside another", async ({
  open,
}) => {
  const page = await open("/terms");
  const chatId = await startChat(page, "Are you open on Sunday?");
  const context = page.context();
  const other = await context.newPage();
  await other.goto("/shop");
  await asking(other).last().click();
  await connected(other);
  const elsewhere = await context.newPage();
  await elsewhere.goto("/chat?new");
  await elsewhere.getByLabel("Your message...").fill("Something else");
  await elsewhere.getByRole("button", { name: "Start chat" }).click();
  await connected(elsewhere);
  await writeOffline(page, "Written in a tunnel");
  await write(other, "Written in the other tab");
  await logOf(other).getByText("You, waits for the connection").waitFor();
  await write(elsewhere, "Written elsewhere");
  await logOf(elsewhere).getByText("You, waits for the connection").waitFor();
  for (const tab of [page, elsewhere, other]) await tab.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`/chat/${chatId}`);
  await logOf(next).getByText("Written in a tunnel").waitFor();
  const sent = async () => (await messagesIn(chatId)).filter((text) => text.startsWith("Written"));
  await expect.poll(sent).toEqual(["Written in a tunnel", "Written in the other tab"]);
  await expect
    .poll(() => next.evaluate((id) => JSON.parse(localStorage["emporia:chat-text"])[id].unsent, chatId))
    .toEqual([]);
});

const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" }).click();
/** Ids of the reader's conversations. */
const chatsOf = async (page: Page): Promise<string[]> =>
  (
    (await (await page.request.get("/api/chat/mine", { headers: OWN_CONNECTION })).json()) as { id: string }[]
  ).map(({ id }) => id);

test("Buy Now in two tabs of a new visitor at once asks in one conversation", async ({ open }) => {
  const page = await open("/products/walnut-serving-board");
  const other = await page.context().newPage();
  await other.goto("/products/moss-silicone-case");
  // Both tabs have the script that sends, and the first one's request waits for the second one's click.
  const sent: Route[] = [];
  const { promise: isClicked, resolve: clicked } = Promise.withResolvers<void>();
  await page.context().route("**/chat/submit", async (route) => {
    sent.push(route);
    await isClicked;
    await route.continue();
  });
  await buyNow(page);
  await expect.poll(() => sent.length).toBe(1);
  const isLoaded = other.waitForResponse(/start-chat/);
  await buyNow(other);
  await (await isLoaded).finished();
  await other.waitForTimeout(200);
  clicked();
  for (const tab of [page, other]) await connected(tab);
  const chatId = await chatIdOf(page);
  expect(await chatsOf(page)).toEqual([chatId]);
  const asked = async () => (await messagesIn(chatId)).map((text) => text.split("\n")[0]);
  await expect
    .poll(asked)
    .toEqual([
      "I'm interested in buying the Engraved walnut serving board.",
      "I'm interested in buying the Soft silicone phone case.",
    ]);
});

for (const [name, leave] of [
  ["by an address", (page: Page) => page.goto("/shop").then(() => page)],
  [
    "by closing the tab",
    async (page: Page) => {
      const context = page.context();
      await page.close();
      const next = await context.newPage();
      await next.goto("/shop");
      return next;
    },
  ],
] as const)
  for (const stage of ["start-chat", "chat/submit"])
    test(`Buy Now is sent once though the page is left ${name} before ${stage} is answered`, async ({
      open,
    }) => {
      const page = await open("/products/walnut-serving-board");
      const held: Route[] = [];
      await page.route(`**/*${stage}*`, (route) => held.push(route), { times: 1 });
      await buyNow(page);
      await expect.poll(() => held.length).toBe(1);
      const next = await leave(page);
      await logOf(next).getByText("I'm interested in buying").waitFor();
      await expect.poll(() => next.evaluate(() => localStorage["emporia:chat-starts"])).toBe("{}");
      const [chatId = "", ...others] = await chatsOf(next);
      expect(others).toEqual([]);
      expect(await messagesIn(chatId)).toHaveLength(1);
    });

test("a first message is sent once though its tab is closed before the answer", async ({ open }) => {
  const page = await open("/products/walnut-serving-board");
  await asking(page).last().click();
  const held: Route[] = [];
  await page.route("**/api/chat/create", (route) => held.push(route));
  await page.getByPlaceholder("Your message...").fill("Is it oiled?");
  await page.keyboard.press("Enter");
  await expect.poll(() => held.length).toBe(1);
  const context = page.context();
  await page.close();
  const next = await context.newPage();
  await next.goto("/shop");
  const chatId = await chatIdOf(next);
  expect(await chatsOf(next)).toEqual([chatId]);
  expect(await messagesIn(chatId)).toEqual([expect.stringContaining("Is it oiled?")]);
  await expect
    .poll(() => next.evaluate(() => JSON.parse(localStorage["emporia:chat-text"])[""]))
    .toEqual({ draft: "", unsent: [] });
});
