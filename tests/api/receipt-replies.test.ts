import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import {
  answer,
  deliver,
  desk,
  gmailReply,
  html,
  mailedTo,
  multipart,
  outcomes,
  plain,
  rawMail,
  type SentMail,
  sentMails,
  textsOf,
  VISITOR,
  withDesk,
} from "../support/mails";
import { admin, manager, person } from "../support/people";
import { json, sold } from "../support/sales";
import { call, insert } from "../support/shop";

withDesk();

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

const header = (mail: SentMail, name: string) =>
  new RegExp(`^${name}: (.+)$`, "m").exec(mail.raw)?.[1]?.trim() ?? "";

/** Words of a mail, without the breaks of quoted-printable. */
const wordsOf = ({ raw }: SentMail) => raw.replace(/=\r?\n/g, "").replaceAll("=3D", "=");

const LINES = [{ description: "Tray", quantity: 1, amount: 30 }];

/** Records a sale and mails its receipt. @param to without it, the address that the customer left */
async function mailedReceipt(sale: Record<string, unknown>, to?: string): Promise<SentMail> {
  const [document] = await sold(token, { lines: LINES, ...sale });
  return mailed(document?.id ?? "", to);
}

async function mailed(id: string, to?: string): Promise<SentMail> {
  const answered = await call(`/api/sale/${id}/mail`, { token, json: { to } });
  expect(answered.status, await answered.clone().text()).toBe(200);
  const mail = sentMails(desk.sent).at(-1);
  if (!mail) throw new Error("The receipt was not mailed.");
  return mail;
}

async function customerOf(chatId: string | undefined, email: string): Promise<string> {
  const created = await call("/api/customer", { token, json: { name: "Ines Roy", email, chatId } });
  expect(created.status).toBe(201);
  return (await json<{ id: string }>(created)).id;
}

describe("a reply to the receipt of a conversation's sale", () => {
  it("becomes a message of its visitor, in the thread of the answers", async () => {
    const { chatId } = await startChat(VISITOR);
    const answered = await answer(chatId);
    const receipt = await mailedReceipt({ chatId });
    expect(receipt.replyTo).toMatch(/^chat\+[\da-f]{40}@emporia\.example$/);
    expect(receipt.replyTo).toBe(answered?.replyTo);
    expect(header(receipt, "References")).toMatch(/^<chat\..+@emporia\.example>$/);
    for (const name of ["References", "In-Reply-To", "X-Emporia-Chat"])
      expect(header(receipt, name), name).toBe(answered && header(answered, name));
    expect(header(receipt, "Message-ID")).not.toBe(answered && header(answered, "Message-ID"));
    expect(wordsOf(receipt)).toContain(
      "A question? Reply to this mail, which continues our conversation, or",
    );
    expect(receipt.raw).not.toContain("/chat/");
    const { text, html: page } = gmailReply("Can you gift-wrap it?");
    const reply = rawMail(multipart("alternative", plain(text), html(page)), { Subject: "Re: Receipt E" });
    for (let times = 0; times < 2; times++) await deliver(reply, { to: receipt.replyTo });
    expect(await mailedTo(chatId)).toMatchObject([
      { message: "Can you gift-wrap it?", isFromAdmin: false, senderName: "Ines" },
    ]);
    expect(await outcomes()).toEqual({ posted: 1, repeated: 1 });
  });

  it("leaves out the receipt's words where the program marks no quotes", async () => {
    const { chatId } = await startChat(VISITOR);
    const receipt = await mailedReceipt({ chatId });
    const [words = ""] = /Hello[\s\S]+?(?=\r\n--)/.exec(receipt.raw) ?? [];
    expect(words).toContain("here is your receipt");
    await deliver(rawMail(plain(`Thanks!\n\n${words.replaceAll("\r\n", "\n")}`)), { to: receipt.replyTo });
    expect(await textsOf(chatId)).toEqual(["Thanks!"]);
  });

  it("is the visitor's where they left no address and staff entered one with the sale", async () => {
    const { chatId } = await startChat({ userName: "Ines", initialMessage: "A tray?" });
    const customerId = await customerOf(chatId, "ines@mail.example");
    const { replyTo } = await mailedReceipt({ chatId, customerId });
    await deliver(rawMail(plain("Is it oak?")), { to: replyTo });
    const [message] = await mailedTo(chatId);
    expect(message).toMatchObject({ message: "Is it oak?", isFromAdmin: false });
    const shown = await call(`/admin/chat?chat=${chatId}&mail=${message?.id}`, { token: desk.token });
    expect(await shown.text()).not.toContain("From another address");
    await call(`/api/customer/${customerId}`, {
      method: "PATCH",
      token,
      json: { email: "new@mail.example" },
    });
    await deliver(rawMail(plain("From the address before")), { to: replyTo });
    expect(await textsOf(chatId)).toEqual(["Is it oak?"]);
    expect(await outcomes()).toEqual({ posted: 1, unknownToken: 1 });
  });

  it("of another sender is posted and marked; a forged or a cut token is dropped", async () => {
    const { chatId } = await startChat(VISITOR);
    const other = await startChat(VISITOR);
    const { replyTo } = await mailedReceipt({ chatId });
    const from = { From: "Somebody <else@mail.example>" };
    await deliver(rawMail(plain("Of my phone"), from), { to: replyTo, from: "else@mail.example" });
    const [message] = await mailedTo(chatId);
    const shown = await call(`/admin/chat?chat=${chatId}&mail=${message?.id}`, { token: desk.token });
    expect(await shown.text()).toContain("From another address");
    const forged = replyTo.replace(/\+./, (start) => (start === "+0" ? "+1" : "+0"));
    for (const to of [forged, replyTo.replace(/.@/, "@")]) await deliver(rawMail(plain("Forged")), { to });
    expect([await textsOf(chatId), await textsOf(other.chatId)]).toEqual([["Of my phone"], []]);
    expect(await outcomes()).toEqual({ posted: 1, unknownToken: 1, noToken: 1 });
  });

  it("is dropped once the chat is deleted; a later receipt is of the customer's other chat", async () => {
    const ines = await person();
    const { token: owner } = await admin();
    const first = await startChat({ initialMessage: "A tray?" }, ines);
    const [document] = await sold(token, { chatId: first.chatId, lines: LINES });
    const { replyTo } = await mailed(document?.id ?? "", ines.email);
    const second = await startChat({ initialMessage: "Another tray?" }, ines);
    const deleted = await call(`/api/chat/${first.chatId}`, { method: "DELETE", token: owner });
    expect(deleted.status).toBe(200);
    await deliver(rawMail(plain("Still there?")), { to: replyTo });
    expect(await outcomes()).toEqual({ unknownToken: 1 });
    const again = await mailed(document?.id ?? "", ines.email);
    await deliver(rawMail(plain("And here?")), { to: again.replyTo });
    expect(await textsOf(second.chatId)).toEqual(["And here?"]);
  });
});

describe("a receipt by mail", () => {
  it("links to the chat of whoever follows it, with the question begun, and not to its conversation", async () => {
    const { chatId, cookie } = await startChat(VISITOR);
    const receipt = await mailedReceipt({ chatId });
    const [, path = ""] = /Ask in the chat: http:\/\/localhost:8787(\S+)/.exec(wordsOf(receipt)) ?? [];
    expect(path).toMatch(/^\/chat\?ask&document=receipt\+E-\d{4}-\d{6}$/);
    const own = await call(path, { cookie });
    expect(own.headers.get("Location")).toMatch(new RegExp(`^/chat/${chatId}\\?document=receipt`));
    const stranger = await call(path);
    expect(stranger.status).toBe(200);
    const page = await stranger.text();
    expect(page).toMatch(/About receipt E-\d{4}-\d{6}: /);
    for (const secret of [chatId, "Is it oak?"]) expect(page).not.toContain(secret);
  });

  it("to an address that is nobody's in the conversation names the shop's mailbox for replies", async () => {
    const { chatId } = await startChat(VISITOR);
    const receipt = await mailedReceipt({ chatId }, "bookkeeper@mail.example");
    expect(receipt.replyTo).toBe("hello@emporia.example");
    expect(receipt.raw).not.toContain("chat+");
    expect(header(receipt, "X-Emporia-Chat")).toBe("none");
    expect(wordsOf(receipt)).toContain("A question? Reply to this mail or ask in the chat.");
    expect(wordsOf(receipt)).not.toContain("continues our conversation");
  });

  it("of a sale at the counter belongs to its customer's last conversation, if there is one", async () => {
    const customerId = await customerOf(undefined, "ola@mail.example");
    expect((await mailedReceipt({ customerId })).replyTo).toBe("hello@emporia.example");
    const [old, last] = [await startChat({ userName: "Ola" }), await startChat({ userName: "Ola" })];
    const linked = { customer_id: customerId, linked_at: 1 };
    await insert("chat_customers", [
      { ...linked, chat_id: last.chatId },
      { ...linked, chat_id: old.chatId },
    ]);
    await env.DB.prepare("UPDATE chat_customers SET active_at = active_at - 60 WHERE chat_id = ?")
      .bind(old.chatId)
      .run();
    const receipt = await mailedReceipt({ customerId });
    await deliver(rawMail(plain("Two more, please")), { to: receipt.replyTo });
    expect([await textsOf(old.chatId), await textsOf(last.chatId)]).toEqual([[], ["Two more, please"]]);
  });

  it("comes also to who turned the mails of the conversation off", async () => {
    const { chatId } = await startChat(VISITOR);
    const { replyTo } = (await answer(chatId)) ?? {};
    await env.DB.prepare("UPDATE mail_threads SET stopped_at = 1 WHERE chat_id = ?").bind(chatId).run();
    expect(await answer(chatId)).toBeUndefined();
    expect((await mailedReceipt({ chatId })).replyTo).toBe(replyTo);
  });

  it("of a deposit takes replies in the conversation of its quote", async () => {
    const { chatId } = await startChat(VISITOR);
    const quote = await call("/api/quote", { token, json: { chatId, title: "Pen", lines: LINES } });
    const { id } = await json<{ id: string }>(quote);
    const payment = { amount: 10, mode: "CARD", accept: true };
    const taken = await call(`/api/quote/${id}/payment`, { token, json: payment });
    const { id: deposit } = await json<{ id: string }>(taken);
    const receipt = await mailed(deposit, VISITOR.userEmail);
    expect(receipt.raw).toContain("here is your deposit");
    await deliver(rawMail(plain("When is it ready?")), { to: receipt.replyTo });
    expect(await textsOf(chatId)).toEqual(["When is it ready?"]);
  });
});
