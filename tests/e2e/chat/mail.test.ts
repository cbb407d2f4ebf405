import { randomUUID } from "node:crypto";
import { expect, expectAccessible, test } from "../../support/browser";
import { api, deliverMail, mailed, sellerToken, sendReply } from "../../support/conversation";
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

test("a visitor answers by mail with a picture, and the seller reads one conversation", async ({ open }) => {
  const email = `${randomUUID()}@mail.example`;
  const chatId = await startChat(email, "Is the board oak?");
  await sendReply(chatId, "It is, and oiled.");
  const to = await mailed([email, "It is, and oiled."], REPLY_TO);
  const seller = await asStaff(open, "manager", `/admin/chat?chat=${chatId}`);
  const log = seller.getByRole("log", { name: "Messages" });
  await log.getByText("It is, and oiled.").waitFor();
  const quoted =
    "Then I take two.\n\nOn Mon, 2 Nov 2026, Emporia <no-reply@emporia.example> wrote:\n> It is, and oiled.";
  await deliverMail(to, rawMail({ text: quoted, pictures: { "../../kitchen.png": PICTURE } }));
  await log.getByText("Then I take two.").waitFor();
  await expect(log.getByRole("img", { name: /kitchen\.png/ })).toBeVisible();
  await expect(log.getByText("wrote:")).toHaveCount(0);
  await log.getByRole("link", { name: "Show full mail" }).click();
  const mail = seller.getByRole("region", { name: "Full mail" });
  await expect(mail.getByText("> It is, and oiled.")).toBeVisible();
  await expectAccessible(seller);
  await log.getByRole("link", { name: "Hide full mail" }).click();
  await expect(mail).toHaveCount(0);
});

test("staff answer by mail, and the visitor reads it", async ({ open }) => {
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
  await api(`chat/${chatId}`, "DELETE", undefined, token);
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
