import { expect, test } from "../../support/browser";
import { asking, connected, logOf, messagesIn, startChat, write } from "../../support/conversation";

/** Writes a message while the browser is offline. */
async function writeOffline(page: Parameters<typeof write>[0], message: string): Promise<void> {
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
