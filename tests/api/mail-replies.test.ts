import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { messagesOf, postMessage, startChat } from "../support/chat";
import { fileKeysInBucket, PDF } from "../support/chat-files";
import {
  answeredChat,
  appleReply,
  attachment,
  deliver,
  desk,
  gmailReply,
  html,
  mailedTo,
  mailsOf,
  multipart,
  outcomes,
  outlookReply,
  plain,
  rawMail,
  textsOf,
  VISITOR,
  withDesk,
} from "../support/mails";
import { admin } from "../support/people";
import { requireFactors } from "../support/second-factor";
import { addUser, call, insert } from "../support/shop";

withDesk();

const stateOf = async (chatId: string) =>
  env.DB.prepare("SELECT state, unread_count FROM chats WHERE id = ?").bind(chatId).first();

describe("a reply to the mail with an answer", () => {
  it("becomes a message of the visitor, and is kept in full for staff", async () => {
    const { chatId, to } = await answeredChat();
    expect(to).toMatch(/^chat\+[\da-f]{40}@emporia\.example$/);
    expect(await deliver(rawMail(plain(gmailReply("Then I take two.").text)), { to })).toEqual([]);
    const [message] = await mailedTo(chatId);
    expect(message).toMatchObject({ message: "Then I take two.", isFromAdmin: false, senderName: "Ines" });
    expect(message?.id).toMatch(/^mail-[\da-f]{32}$/);
    expect(await outcomes()).toEqual({ posted: 1 });
    const shown = await (
      await call(`/admin/chat?chat=${chatId}&mail=${message?.id}`, { token: desk.token })
    ).text();
    expect(shown).toContain("&gt; It is.");
    expect(shown).toContain("Re: Emporia has answered you");
    const other = await startChat({});
    const foreign = await call(`/admin/chat?chat=${other.chatId}&mail=${message?.id}`, { token: desk.token });
    expect(await foreign.text()).not.toContain("&gt; It is.");
  });

  it("is posted at the path of the local engine too, to a shop on this computer alone", async () => {
    const { chatId, to } = await answeredChat();
    const raw = rawMail(plain("By the local path"));
    const post = (host: string, query: Record<string, string>) => {
      const url = `http://${host}/cdn-cgi/handler/email?${new URLSearchParams(query)}`;
      return exports.default.fetch(new Request(url, { method: "POST", body: raw }));
    };
    const envelope = { from: "ines@mail.example", to };
    expect((await post("shop.example", envelope)).status).toBeGreaterThanOrEqual(400);
    expect((await post("localhost:8787", { from: "ines@mail.example" })).status).toBe(400);
    expect(await textsOf(chatId)).toEqual([]);
    const answers = await Promise.all([post("localhost:8787", envelope), post("localhost:8787", envelope)]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts.sort()).toEqual(["posted\n", "repeated\n"]);
    expect(await textsOf(chatId)).toEqual(["By the local path"]);
    const automatic = rawMail(plain("Away"), { "Auto-Submitted": "auto-replied" });
    const url = `http://localhost:8787/cdn-cgi/handler/email?${new URLSearchParams(envelope)}`;
    const dropped = await exports.default.fetch(new Request(url, { method: "POST", body: automatic }));
    expect(await dropped.text()).toBe("automatic\n");
  });

  it.each([
    ["Gmail", gmailReply],
    ["Outlook", outlookReply],
    ["Apple Mail", appleReply],
  ])("of %s posts what was written, of the plain and of the HTML part", async (_, reply) => {
    const { chatId, to } = await answeredChat();
    const parts = reply("Then I take two.\n\nPlease engrave them.");
    await deliver(rawMail(multipart("alternative", plain(parts.text), html(parts.html))), { to });
    await deliver(rawMail(html(parts.html)), { to });
    expect(await textsOf(chatId)).toEqual(Array(2).fill("Then I take two.\n\nPlease engrave them."));
  });

  it("without a quote mark, with words of the mail below, posts what was written", async () => {
    const { chatId, to } = await answeredChat();
    const text = "Then I take two.\n\nHello Ines,\n\nhere is our answer:\n\nIt is.\n\nEmporia";
    await deliver(rawMail(plain(text)), { to });
    expect(await textsOf(chatId)).toEqual(["Then I take two."]);
  });

  it("that forwards a mail posts the words above it", async () => {
    const { chatId, to } = await answeredChat();
    const forwarded =
      "Like this one:\n\n---------- Forwarded message ---------\nFrom: Otto <otto@mail.example>\nSubject: Oak\n\nA board.";
    await deliver(rawMail(plain(forwarded), { Subject: "Fwd: Oak" }), { to });
    const [text = ""] = await textsOf(chatId);
    expect(text).toContain("Like this one:");
  });

  it("reopens a closed conversation", async () => {
    const { chatId, to } = await answeredChat();
    await call(`/api/chat/${chatId}`, { method: "PATCH", json: { state: "closed" }, token: desk.token });
    await deliver(rawMail(plain("One more thing")), { to });
    await expect.poll(() => stateOf(chatId)).toMatchObject({ state: "open" });
  });

  it("is posted once, whoever sends it and however often, also at once", async () => {
    const { chatId, to } = await answeredChat();
    const raw = rawMail(multipart("mixed", plain("Two"), attachment("a.pdf", "application/pdf", PDF)), {
      From: "Somebody Else <forged@evil.example>",
      "Message-ID": "<once@mail.example>",
    });
    await Promise.all(Array.from({ length: 25 }, () => deliver(raw, { to, from: "forged@evil.example" })));
    for (let i = 0; i < 25; i++) await deliver(raw, { to });
    const messages = await mailedTo(chatId);
    expect(messages.map(({ senderName }) => senderName)).toEqual(["Ines"]);
    expect(await outcomes()).toEqual({ posted: 1, repeated: 49 });
    expect((await fileKeysInBucket()).filter((key) => key.includes(chatId))).toHaveLength(1);
  });

  it("is one write of the room, with its files", async () => {
    const { chatId, to } = await answeredChat();
    const room = env.CHAT_ROOM.getByName(chatId);
    const sql = await runInDurableObject(
      room,
      (_, { storage }) => Object.getPrototypeOf(storage.sql) as SqlStorage,
    );
    const ran = vi.spyOn(sql, "exec");
    const raw = rawMail(multipart("mixed", plain("Two"), attachment("a.pdf", "application/pdf", PDF)));
    await deliver(raw, { to });
    const written = ran.mock.calls.filter(([statement]) => /INSERT INTO messages/.test(statement));
    ran.mockRestore();
    expect(written).toHaveLength(1);
    expect(await textsOf(chatId)).toEqual(["Two\nAttached: a.pdf"]);
  });

  it("belongs to the conversation of its token alone", async () => {
    const one = await answeredChat();
    const other = await answeredChat();
    expect(one.to).not.toBe(other.to);
    await deliver(rawMail(plain("For the other")), { to: other.to.toUpperCase() });
    expect(await textsOf(one.chatId)).toEqual([]);
    expect(await textsOf(other.chatId)).toEqual(["For the other"]);
  });

  it("is dropped after 30 mails in 10 minutes", async () => {
    const { chatId, to } = await answeredChat();
    const now = Math.floor(Date.now() / 1000);
    const earlier = { chat_id: chatId, sender: "", subject: "", text: "", received_at: now - 300 };
    await insert(
      "chat_mails",
      Array.from({ length: 29 }, (_, i) => ({ ...earlier, id: `${chatId}-${i}` })),
    );
    for (const text of ["30", "31"]) await deliver(rawMail(plain(text)), { to });
    expect(await textsOf(chatId)).toEqual(["30"]);
    expect(await outcomes()).toEqual({ posted: 1, tooMany: 1 });
    await env.DB.prepare("UPDATE chat_mails SET received_at = received_at - 600").run();
    await deliver(rawMail(plain("Later")), { to });
    expect(await textsOf(chatId)).toEqual(["30", "Later"]);
  });

  it("does not count the mails of the other side", async () => {
    const { chatId, to } = await answeredChat();
    const { id } = await addUser({ isManager: true });
    const now = Math.floor(Date.now() / 1000);
    const earlier = {
      chat_id: chatId,
      user_id: id,
      sender: "",
      subject: "",
      text: "",
      received_at: now - 300,
    };
    await insert(
      "chat_mails",
      Array.from({ length: 30 }, (_, i) => ({ ...earlier, id: `${chatId}-s${i}` })),
    );
    await deliver(rawMail(plain("Still here")), { to });
    expect(await textsOf(chatId)).toEqual(["Still here"]);
  });

  it("keeps neither tokens nor keys of links, and has all of a mail that is quoted as a whole", async () => {
    const { chatId, to } = await answeredChat();
    const link = `https://emporia.example/chat/x?key=1abc2d.${"a".repeat(43)}`;
    await deliver(rawMail(html(`<blockquote>Look: ${link} and ${to}</blockquote>`)), { to });
    const [text = ""] = await textsOf(chatId);
    expect(text).toBe("Look: https://emporia.example/chat/x?key=… and chat@emporia.example");
    const kept = await env.DB.prepare("SELECT text FROM chat_mails WHERE chat_id = ?")
      .bind(chatId)
      .first("text");
    expect(kept).toBe(text);
  });

  it("with lines of 200,000 spaces is read at once", async () => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(plain(`Two${" ".repeat(100_000)}\n${" ".repeat(99_000)}please`)), { to });
    await deliver(rawMail(html(`Three${"<b> </b>".repeat(100_000)}please`)), { to });
    expect((await textsOf(chatId)).map((text) => text.slice(0, 5).trim())).toEqual(["Two", "Three"]);
  });

  it("with a damaged picture posts the text, and names the picture", async () => {
    const { chatId, to } = await answeredChat();
    const broken = `\u00ff\u00d8\u00ff\u00e0${"\u0000".repeat(2000)}\u00ff\u00d9`;
    const parts = multipart("mixed", plain("See"), attachment("oak.jpg", "image/jpeg", broken));
    await deliver(rawMail(parts), { to });
    expect(await textsOf(chatId)).toEqual(["See\n\nNot attached here: oak.jpg"]);
  });

  it("shortens what is longer than a message, and leaves out control characters", async () => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(plain(`A\u0007B ${"ü".repeat(3000)}`)), { to });
    const [text = ""] = await textsOf(chatId);
    expect(text.startsWith("AB üü")).toBe(true);
    expect(text.endsWith("(The whole text is in the mail.)")).toBe(true);
    expect([...text].length).toBeLessThanOrEqual(2000);
    const row = await env.DB.prepare("SELECT text FROM chat_mails WHERE chat_id = ?")
      .bind(chatId)
      .first("text");
    expect(String(row)).toHaveLength(3003);
  });
});

describe("a reply of staff to the mail about a waiting visitor", () => {
  /** Starts a chat that waits, and returns what a new member of staff is mailed. */
  async function waitingChat() {
    const maren = await addUser({ firstName: "Maren", isManager: true });
    const chat = await startChat(VISITOR);
    const mails = await mailsOf(chat.chatId, desk.sent);
    const mail = mails.find(({ to }) => to === maren.email);
    if (!mail) throw new Error("Staff were not mailed.");
    return { ...chat, maren, mails, to: mail.replyTo };
  }

  it("answers as that person", async () => {
    const { chatId, cookie, mails, to } = await waitingChat();
    expect(new Set(mails.map(({ replyTo }) => replyTo)).size).toBe(mails.length);
    await deliver(rawMail(plain("It is, and oiled."), { From: "Maren <maren@private.example>" }), { to });
    const [message] = await mailedTo(chatId);
    expect(message).toMatchObject({
      message: "It is, and oiled.",
      isFromAdmin: true,
      senderName: "Support Team",
    });
    expect((message as { staffName?: string }).staffName).toBe("Maren");
    expect((await messagesOf(chatId, { cookie })).at(-1)).toMatchObject({ authorName: "Maren" });
  });

  it("ends the wait: what the visitor writes next is mailed to staff again", async () => {
    const { chatId, cookie, maren, to } = await waitingChat();
    await deliver(rawMail(plain("It is.")), { to });
    await postMessage(chatId, "And walnut?", { cookie });
    const again = await mailsOf(chatId, desk.sent);
    expect(again.map((mail) => mail.to)).toContain(maren.email);
  });

  it("ends with the address of their account", async () => {
    const { chatId, cookie, maren, to } = await waitingChat();
    await deliver(rawMail(plain("Of the address then")), { to });
    const email = `new-${maren.email}`;
    await env.DB.prepare("UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2")
      .bind(email, maren.id)
      .run();
    await deliver(rawMail(plain("Of the address before")), { to });
    expect(await outcomes()).toEqual({ posted: 1, unknownToken: 1 });
    await postMessage(chatId, "And walnut?", { cookie });
    const again = (await mailsOf(chatId, desk.sent)).find((mail) => mail.to === email);
    await deliver(rawMail(plain("Of the address now")), { to: again?.replyTo ?? "" });
    expect(await textsOf(chatId)).toEqual(["Of the address then", "Of the address now"]);
  });

  it("waits for the second factor that the shop requires, and so do their mails", async () => {
    const { chatId, cookie, maren, to } = await waitingChat();
    await requireFactors(true);
    try {
      await deliver(rawMail(plain("It is.")), { to });
      expect(await outcomes()).toEqual({ locked: 1 });
      const { chatId: other } = await startChat(VISITOR);
      expect((await mailsOf(other, desk.sent)).map((mail) => mail.to)).not.toContain(maren.email);
    } finally {
      await requireFactors(false);
    }
    await deliver(rawMail(plain("It is.")), { to });
    expect(await textsOf(chatId)).toEqual(["It is."]);
    await postMessage(chatId, "And walnut?", { cookie });
    expect((await mailsOf(chatId, desk.sent)).map((mail) => mail.to)).toContain(maren.email);
  });

  it("ends when they are locked or no longer staff", async () => {
    const { chatId, maren, to } = await waitingChat();
    for (const change of ["is_user = 0", "is_user = 1, is_manager = 0"]) {
      await env.DB.prepare(`UPDATE users SET ${change} WHERE id = ?`).bind(maren.id).run();
      await deliver(rawMail(plain("It is.")), { to });
    }
    expect(await textsOf(chatId)).toEqual([]);
    expect(await outcomes()).toEqual({ locked: 2 });
  });

  it("ends for good when they are locked or an admin sets their password", async () => {
    const { token } = await admin();
    for (const edits of [
      [{ isUser: false }, { isUser: true }],
      [{ password: "Another#2026!", confirmPassword: "Another#2026!" }],
    ]) {
      const { chatId, maren, to } = await waitingChat();
      for (const json of edits)
        expect((await call(`/api/user/${maren.id}`, { method: "PUT", json, token })).status).toBe(200);
      await deliver(rawMail(plain("It is.")), { to });
      expect(await textsOf(chatId)).toEqual([]);
    }
    expect(await outcomes()).toEqual({ unknownToken: 2 });
  });
});
