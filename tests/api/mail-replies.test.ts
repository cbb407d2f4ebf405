import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messagesOf, postMessage, staffToken, startChat, written } from "../support/chat";
import { decoded, fileKeysInBucket, PDF } from "../support/chat-files";
import {
  appleReply,
  attachment,
  catchMails,
  deliver,
  gmailReply,
  html,
  mailsOf,
  multipart,
  outcomes,
  outlookReply,
  type Part,
  plain,
  rawMail,
} from "../support/mails";
import { addUser, call, insert, openSession } from "../support/shop";

let token = "";
let sent: ReturnType<typeof catchMails>;
beforeAll(async () => {
  token = await staffToken();
  await call("/api/chat/settings", { method: "PATCH", json: { isOnline: true }, token });
});
beforeEach(async () => {
  sent = catchMails();
  await env.DB.exec("DELETE FROM received_mails");
});

const VISITOR = { userName: "Ines", userEmail: "ines@mail.example", initialMessage: "Is it oak?" };

/** Starts a chat, answers it, and returns it with the address to which the mail with the answer asks to reply. */
async function answeredChat(from: Parameters<typeof startChat>[1] = {}, email = VISITOR.userEmail) {
  const chat = await startChat({ ...VISITOR, userEmail: email }, from);
  await postMessage(chat.chatId, "It is.", { token });
  const [mail] = (await mailsOf(chat.chatId, sent)).filter(({ to }) => to === email);
  if (!mail) throw new Error("The answer was not mailed.");
  return { ...chat, mail, to: mail.replyTo };
}

/** Messages that came by mail. */
const mailed = async (chatId: string) =>
  (await written(chatId, { token })).filter(({ id }) => id.startsWith("mail-"));
const textsOf = async (chatId: string) => (await mailed(chatId)).map(({ message }) => message);
const stateOf = async (chatId: string) =>
  env.DB.prepare("SELECT state, unread_count FROM chats WHERE id = ?").bind(chatId).first();

describe("a reply to the mail with an answer", () => {
  it("becomes a message of the visitor, and is kept in full for staff", async () => {
    const { chatId, to } = await answeredChat();
    expect(to).toMatch(/^chat\+[\da-f]{40}@emporia\.example$/);
    expect(await deliver(rawMail(plain(gmailReply("Then I take two.").text)), { to })).toEqual([]);
    const [message] = await mailed(chatId);
    expect(message).toMatchObject({ message: "Then I take two.", isFromAdmin: false, senderName: "Ines" });
    expect(message?.id).toMatch(/^mail-[\da-f]{32}$/);
    expect(await outcomes()).toEqual({ posted: 1 });
    const shown = await (await call(`/admin/chat?chat=${chatId}&mail=${message?.id}`, { token })).text();
    expect(shown).toContain("&gt; It is.");
    expect(shown).toContain("Re: Emporia has answered you");
    const other = await startChat({});
    const foreign = await call(`/admin/chat?chat=${other.chatId}&mail=${message?.id}`, { token });
    expect(await foreign.text()).not.toContain("&gt; It is.");
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
    await call(`/api/chat/${chatId}`, { method: "PATCH", json: { state: "closed" }, token });
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
    const messages = await mailed(chatId);
    expect(messages.map(({ senderName }) => senderName)).toEqual(["Ines"]);
    expect(await outcomes()).toEqual({ posted: 1, repeated: 49 });
    expect((await fileKeysInBucket()).filter((key) => key.includes(chatId))).toHaveLength(1);
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

describe("attachments of a reply", () => {
  const picture = () => decoded("wideJpeg");

  it("are posted as files of the chat, under names without a path", async () => {
    const { chatId, to } = await answeredChat();
    const raw = rawMail(
      multipart(
        "mixed",
        plain("Like this"),
        attachment("../../x.jpg", "image/jpeg", picture()),
        attachment("C:\\\\plan.pdf", "application/pdf", PDF),
      ),
    );
    await deliver(raw, { to });
    const [message] = await mailed(chatId);
    expect(message?.cards?.map((card) => (card as { name?: string }).name)).toEqual(["x.jpg", "plan.pdf"]);
    expect(message?.message).toBe("Like this\nAttached: x.jpg, plan.pdf");
  });

  it("without text make a message too", async () => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(multipart("mixed", plain(""), attachment("a.pdf", "application/pdf", PDF))), {
      to,
    });
    expect(await textsOf(chatId)).toEqual(["Attached: a.pdf"]);
  });

  it.each<[string, Part[], string]>([
    [
      "of other types",
      [
        attachment("a.zip", "application/zip", "PK\u0003\u0004"),
        attachment("b.exe", "application/pdf", "MZ"),
      ],
      "a.zip, b.exe",
    ],
    [
      "a zip in a zip",
      [attachment("outer.zip", "application/zip", "PK\u0003\u0004inner.zipPK\u0003\u0004")],
      "outer.zip",
    ],
    [
      "an invitation",
      [
        {
          headers: { "Content-Type": 'text/calendar; method="REQUEST"' },
          body: "BEGIN:VCALENDAR\r\nEND:VCALENDAR",
        },
      ],
      "invitation.ics",
    ],
    [
      "a mail",
      [{ headers: { "Content-Type": "message/rfc822" }, body: "Subject: Inner\r\n\r\nInner" }],
      "mail.eml",
    ],
  ])("that a chat refuses are left out with a note: %s", async (_, parts, names) => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(multipart("mixed", plain("See there"), ...parts)), { to });
    expect(await textsOf(chatId)).toEqual([`See there\n\nNot attached here: ${names}`]);
  });

  it("of 200 parts are five, and the others are counted", async () => {
    const { chatId, to } = await answeredChat();
    const parts = Array.from({ length: 199 }, (_, i) => attachment(`${i}.pdf`, "application/pdf", PDF));
    await deliver(rawMail(multipart("mixed", plain("Many"), ...parts)), { to });
    const [message] = await mailed(chatId);
    expect(message?.cards).toHaveLength(5);
    expect(message?.message).toContain("Not attached here: 5.pdf, 6.pdf, 7.pdf, 8.pdf, 9.pdf, 189 more");
  });

  it("of signatures are left out without a note", async () => {
    const { chatId, to } = await answeredChat();
    const signed = multipart(
      "signed",
      multipart("related", plain("Yes"), {
        ...attachment("logo.jpg", "image/jpeg", "icon"),
        headers: {
          ...attachment("logo.jpg", "image/jpeg", "icon").headers,
          "Content-ID": "<logo>",
          "Content-Disposition": "inline",
        },
      }),
      attachment("smime.p7s", "application/pkcs7-signature", "signature"),
    );
    await deliver(rawMail(signed), { to });
    await deliver(
      rawMail(
        multipart("signed", plain("Good"), attachment("signature.asc", "application/pgp-signature", "x")),
      ),
      { to },
    );
    expect(await textsOf(chatId)).toEqual(["Yes", "Good"]);
  });

  it("that are encrypted are not shown, but said", async () => {
    const { chatId, to } = await answeredChat();
    const said = "This mail is encrypted and can't be read here.";
    await deliver(rawMail(attachment("smime.p7m", "application/pkcs7-mime", "secret")), { to });
    await deliver(rawMail(plain("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----")), { to });
    await deliver(
      rawMail(
        multipart(
          "encrypted",
          { headers: { "Content-Type": "application/pgp-encrypted" }, body: "Version: 1" },
          attachment("encrypted.asc", "application/octet-stream", "-----BEGIN PGP MESSAGE-----"),
        ),
      ),
      { to },
    );
    expect(await textsOf(chatId)).toEqual([said, said, said]);
  });
});

describe("an odd mail", () => {
  it.each([
    ["a subject of 10 kB", { Subject: `Re: ${"long ".repeat(2000)}` }],
    ["an address in Unicode", { From: "Íñes <ínes@münchen.example>", "Reply-To": "<ínes@münchen.example>" }],
    ["a date of 1970", { Date: "Thu, 01 Jan 1970 00:00:00 +0000" }],
    ["no Message-ID", { "Message-ID": "" }],
    ["a subject with control characters", { Subject: "=?utf-8?B?AAECA0hp?=" }],
  ])("with %s is posted once", async (_, headers) => {
    const { chatId, to } = await answeredChat();
    const raw = rawMail(plain("Yes"), headers);
    await deliver(raw, { to });
    await deliver(raw, { to });
    expect(await textsOf(chatId)).toEqual(["Yes"]);
    const [message] = await mailed(chatId);
    expect(Math.abs((message?.timestamp.seconds ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  it("of 5 MB of nested HTML is posted or dropped", async () => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(html(`<p>Hello</p>${"<div>".repeat(1_000_000)}deep`)), { to });
    expect(await textsOf(chatId)).toEqual(["Hello"]);
  });

  it("of parts that are nested too deep is dropped", async () => {
    const { chatId, to } = await answeredChat();
    let part = plain("deep");
    for (let i = 0; i < 100; i++) part = multipart("mixed", part);
    await deliver(rawMail(part), { to });
    expect(await textsOf(chatId)).toEqual([]);
    expect(await outcomes()).toEqual({ unreadable: 1 });
  });

  it.each([
    [
      "no part",
      rawMail({ headers: { "Content-Type": 'multipart/mixed; boundary="none"' }, body: "--other\r\n" }),
    ],
    ["no text", rawMail(plain("\n\n  \n"))],
    ["nothing at all", ""],
    [
      "an unknown encoding of nothing",
      rawMail({
        headers: { "Content-Type": "image/x; charset=x", "Content-Transfer-Encoding": "x-y" },
        body: "",
      }),
    ],
  ])("with %s changes nothing", async (_, raw) => {
    const { chatId, to } = await answeredChat();
    const before = await messagesOf(chatId, { token });
    expect(await deliver(raw, { to })).toEqual([]);
    expect(await messagesOf(chatId, { token })).toEqual(before);
    expect(Object.values(await outcomes())).toEqual([1]);
  });

  it("that breaks off is posted as far as it came", async () => {
    const { chatId, to } = await answeredChat();
    const raw = rawMail(multipart("mixed", plain("Yes"), attachment("a.pdf", "application/pdf", PDF)));
    await deliver(raw.slice(0, raw.indexOf("Content-Disposition")), { to });
    expect((await textsOf(chatId))[0]).toMatch(/^Yes/);
  });
});

describe("a mail that is dropped", () => {
  it.each<[string, Record<string, string>, string]>([
    ["an answer while somebody is away", { "Auto-Submitted": "auto-replied" }, "automatic"],
    [
      "Outlook's answer while somebody is away",
      { Subject: "Automatic reply: Emporia has answered you" },
      "automatic",
    ],
    ["an old vacation program's", { Precedence: "auto_reply" }, "automatic"],
    ["a list's", { "List-Id": "<oak.lists.example>" }, "list"],
    ["a bulk mail", { Precedence: "bulk" }, "list"],
    ["the shop's own", { "X-Emporia-Chat": "abc" }, "loop"],
    ["a delivery report", { "Content-Type": "multipart/report; report-type=delivery-status" }, "bounce"],
  ])("%s is counted and posts nothing", async (_, headers, outcome) => {
    const { chatId, to } = await answeredChat();
    expect(await deliver(rawMail(plain("I am away."), headers), { to })).toEqual([]);
    expect(await textsOf(chatId)).toEqual([]);
    expect(await outcomes()).toEqual({ [outcome]: 1 });
  });

  it("is one without a sender, of a mail server, to no token, or to an unknown one", async () => {
    const { chatId, to } = await answeredChat();
    const raw = rawMail(plain("Hello"));
    await deliver(raw, { to, from: "" });
    await deliver(raw, { to, from: "MAILER-DAEMON@mail.example" });
    await deliver(raw, { to: "chat@emporia.example" });
    await deliver(raw, { to: `chat+${"0".repeat(39)}@emporia.example` });
    await deliver(raw, { to: `chat+${"0".repeat(40)}@emporia.example` });
    expect(await textsOf(chatId)).toEqual([]);
    expect(await outcomes()).toEqual({ bounce: 2, noToken: 2, unknownToken: 1 });
  });

  it("is not one whose Auto-Submitted is no", async () => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(plain("Hello"), { "Auto-Submitted": "no" }), { to });
    expect(await textsOf(chatId)).toEqual(["Hello"]);
  });

  it("is one over 30 MB, and one of 30 MB is read", async () => {
    const { chatId, to } = await answeredChat();
    const large = (megabytes: number) =>
      rawMail(
        multipart("mixed", plain("Large"), {
          headers: { "Content-Type": "application/zip" },
          body: `${"x".repeat(1022)}\r\n`.repeat(megabytes * 1024),
        }),
      );
    await deliver(large(31), { to });
    expect(await textsOf(chatId)).toEqual([]);
    await deliver(large(29), { to });
    expect((await textsOf(chatId))[0]).toMatch(/^Large/);
    expect(await outcomes()).toEqual({ posted: 1, tooLarge: 1 });
  });

  it("is one to a deleted chat", async () => {
    const { chatId, to } = await answeredChat();
    await call(`/api/chat/${chatId}`, { method: "DELETE", token });
    await deliver(rawMail(plain("Hello?")), { to });
    expect(await outcomes()).toEqual({ unknownToken: 1 });
    const left = await env.DB.prepare("SELECT count(*) AS n FROM mail_threads WHERE chat_id = ?")
      .bind(chatId)
      .first("n");
    expect(left).toBe(0);
  });

  it("is one of a person whose data are being deleted, or whose account is locked", async () => {
    const owner = await addUser();
    const session = await openSession(owner.id);
    const { chatId, to } = await answeredChat({ token: session }, owner.email);
    await env.DB.prepare("UPDATE users SET is_user = 0 WHERE id = ?").bind(owner.id).run();
    await deliver(rawMail(plain("Hello?")), { to });
    await env.DB.prepare("UPDATE users SET is_user = 1 WHERE id = ?").bind(owner.id).run();
    await env.DB.prepare(
      "INSERT INTO erasures (id, user_id, requested_by, requested_at, due_at, begun_at) VALUES ('e', ?, 'owner', 1, 1, 2)",
    )
      .bind(owner.id)
      .run();
    await deliver(rawMail(plain("Hello?")), { to });
    await env.DB.exec("DELETE FROM erasures");
    expect(await outcomes()).toEqual({ erased: 1, locked: 1 });
    await deliver(rawMail(plain("Now")), { to });
    expect(await textsOf(chatId)).toEqual(["Now"]);
  });
});

describe("a reply of staff to the mail about a waiting visitor", () => {
  /** Starts a chat that waits, and returns what a new member of staff is mailed. */
  async function waitingChat() {
    const maren = await addUser({ firstName: "Maren", isManager: true });
    const chat = await startChat(VISITOR);
    const mails = await mailsOf(chat.chatId, sent);
    const mail = mails.find(({ to }) => to === maren.email);
    if (!mail) throw new Error("Staff were not mailed.");
    return { ...chat, maren, mails, to: mail.replyTo };
  }

  it("answers as that person", async () => {
    const { chatId, cookie, mails, to } = await waitingChat();
    expect(new Set(mails.map(({ replyTo }) => replyTo)).size).toBe(mails.length);
    await deliver(rawMail(plain("It is, and oiled."), { From: "Maren <maren@private.example>" }), { to });
    const [message] = await mailed(chatId);
    expect(message).toMatchObject({
      message: "It is, and oiled.",
      isFromAdmin: true,
      senderName: "Support Team",
    });
    expect((message as { staffName?: string }).staffName).toBe("Maren");
    expect((await messagesOf(chatId, { cookie })).at(-1)).toMatchObject({ authorName: "Maren" });
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
});
