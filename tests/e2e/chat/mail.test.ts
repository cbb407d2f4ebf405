import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../../support/browser";
import { api, deliverMail, mailed, messagesIn, sellerToken, sendReply } from "../../support/conversation";
import { rawMail } from "../../support/raw-mails";
import { asStaff } from "../../support/staff";

const REPLY_TO = /(?<=^Reply-To: <)chat\+[\da-f]{40}@[\w.]+(?=>)/m;
/** Picture of one pixel. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Starts a chat by the API, as a visitor who has left. */
async function startChat(email: string, initialMessage: string): Promise<string> {
  const answer = await api("chat/create", "POST", { userName: "Ines", userEmail: email, initialMessage });
  return ((await answer.json()) as { chatId: string }).chatId;
}

/** Records the sale of a conversation from its page. @returns its number */
async function recordSale(seller: Page, chatId: string): Promise<string> {
  await seller.goto(`/admin/chat?chat=${chatId}`);
  await seller
    .getByRole("link", { name: /^Record sale/ })
    .filter({ visible: true })
    .first()
    .click();
  await seller.getByPlaceholder("Add a product or your own line").fill("Serving board");
  await seller.keyboard.press("Alt+Enter");
  await seller.getByLabel("Quantity of Serving board").fill("2");
  await seller.getByLabel("Price of Serving board").fill("78.00");
  await seller.getByRole("button", { name: "Record sale $156.00" }).click();
  await seller
    .getByText(/^Sale recorded: E-/)
    .first()
    .waitFor();
  const token = await sellerToken();
  const sales = await (await api(`sale?chatId=${chatId}`, "GET", undefined, token)).json();
  expect(sales).toMatchObject([{ total: 156 }]);
  return (sales as { number: string }[])[0]?.number ?? "";
}

const log = (page: Page) => page.getByRole("log", { name: "Messages" });

test("a visitor answers by mail with a picture; the seller reads one conversation and records the sale", async ({
  open,
}) => {
  const email = `${randomUUID()}@mail.example`;
  const chatId = await startChat(email, "Is the board oak?");
  await sendReply(chatId, "It is, and oiled.");
  const to = await mailed([email, "It is, and oiled."], REPLY_TO);
  const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
  await log(seller).getByText("It is, and oiled.").waitFor();
  const quoted =
    "Then I take two.\n\nOn Mon, 2 Nov 2026, Emporia <no-reply@emporia.example> wrote:\n> It is, and oiled.";
  await deliverMail(to, rawMail({ text: quoted, pictures: { "../../kitchen.png": PICTURE } }));
  await log(seller).getByText("Then I take two.").waitFor();
  await expect(log(seller).getByRole("img", { name: /kitchen\.png/ })).toBeVisible();
  await expect(log(seller).getByText("wrote:")).toHaveCount(0);
  await expect(log(seller).getByText("Is the board oak?")).toBeVisible();
  await log(seller).getByRole("link", { name: "Show full mail" }).click();
  const mail = seller.getByRole("region", { name: "Full mail" });
  await expect(mail.getByText("> It is, and oiled.")).toBeVisible();
  await expect(mail).toBeInViewport();
  await expectAccessible(seller);
  await log(seller).getByRole("link", { name: "Hide full mail" }).click();
  await expect(mail).toHaveCount(0);
  const number = await recordSale(seller, chatId);
  await seller.goto(`/admin/chat?chat=${chatId}`);
  await log(seller).getByText(`Receipt ${number}`).first().waitFor();
});

test("staff answer by mail, the visitor replies by mail, and the sale is recorded of one conversation", async ({
  open,
}) => {
  const token = await sellerToken();
  await api("chat/settings", "PATCH", { isOnline: false }, token);
  const words = `Do you engrave ${randomUUID().slice(0, 8)}?`;
  const email = `${randomUUID()}@mail.example`;
  const chatId = await startChat(email, words);
  const to = await mailed(["manager@emporia.example", words], REPLY_TO);
  await api("chat/settings", "PATCH", { isOnline: true }, token);
  await deliverMail(to, rawMail({ text: "We do, up to 60 letters." }));
  const link = await mailed([email, "We do, up to 60 letters."], /http:\/\/\S+\/chat\/\S+\?key=[\w.-]+/);
  const visitor = await open(new URL(link).pathname + new URL(link).search);
  await expect(visitor.getByText("We do, up to 60 letters.")).toBeVisible();
  await expect(visitor.getByText(words)).toBeVisible();
  const back = await mailed([email, "We do, up to 60 letters."], REPLY_TO);
  await deliverMail(back, rawMail({ text: "Two boards, then.", pictures: { "sketch.png": PICTURE } }));
  const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
  for (const each of [words, "We do, up to 60 letters.", "Two boards, then."])
    await expect(log(seller).getByText(each)).toBeVisible();
  await expect(log(seller).getByRole("img", { name: /sketch\.png/ })).toBeVisible();
  const number = await recordSale(seller, chatId);
  await visitor.reload();
  await visitor.getByText(`Receipt ${number}`).first().waitFor();
  await api(`chat/${chatId}`, "DELETE", undefined, token);
});

test("mails with forged and foreign tokens write nothing into another conversation", async () => {
  const [email, other] = [`${randomUUID()}@mail.example`, `${randomUUID()}@mail.example`];
  const [chatId, otherId] = [await startChat(email, "Is the board oak?"), await startChat(other, "A ring?")];
  await sendReply(chatId, "The board is oak.");
  await sendReply(otherId, "In four sizes.");
  const own = await mailed([email, "The board is oak."], REPLY_TO);
  const foreign = await mailed([other, "In four sizes."], REPLY_TO);
  expect(foreign).not.toBe(own);
  const before = await messagesIn(chatId);
  const flip = (digit: string) => (digit === "0" ? "1" : "0");
  const forged = own.replace(/\w(?=@)/, flip);
  for (const to of [forged, own.replace(/\+\w{40}/, ""), `chat+${"f".repeat(40)}@emporia.example`])
    await deliverMail(to, rawMail({ text: "Send it to my address instead." }));
  expect(await messagesIn(chatId)).toEqual(before);
  // A token of another conversation writes there.
  await deliverMail(foreign, rawMail({ text: "The small one." }));
  expect(await messagesIn(chatId)).toEqual(before);
  expect((await messagesIn(otherId)).at(-1)).toBe("The small one.");
});

test("a visitor turns the mails of a conversation off, without JavaScript", async ({ open }) => {
  const email = `${randomUUID()}@mail.example`;
  const chatId = await startChat(email, "Is the board oak?");
  await sendReply(chatId, "It is oak.");
  const link = new URL(await mailed([email], /http:\/\/[^\s>]+\/unsubscribe\?[^\s>]+/));
  await expectAccessible(await open(link.pathname + link.search));
  const page = await open(link.pathname + link.search, { javaScriptEnabled: false });
  await page.getByRole("button", { name: "Turn them off" }).click();
  await expect(page.getByText("You get no more mails of this conversation.")).toBeVisible();
});
