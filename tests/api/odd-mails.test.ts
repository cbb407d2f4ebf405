import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { messagesOf } from "../support/chat";
import { PDF } from "../support/chat-files";
import {
  answeredChat,
  attachment,
  deliver,
  desk,
  html,
  mailedTo,
  multipart,
  outcomes,
  plain,
  rawMail,
  textsOf,
  withDesk,
} from "../support/mails";
import { addUser, call, openSession } from "../support/shop";

withDesk();

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
    const [message] = await mailedTo(chatId);
    expect(Math.abs((message?.timestamp.seconds ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  it("of 5 MB of nested HTML is posted or dropped", async () => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(html(`<p>Hello</p>${"<div>".repeat(1_000_000)}deep`)), { to });
    expect(await textsOf(chatId)).toEqual(["Hello"]);
  });

  it.each([
    ["100 kB are kept in full", 90_000, "line end", "longer"],
    ["more says where it was cut", 300_000, "The mail is longer", "line end"],
  ])("of %s", async (_, length, kept, missing) => {
    const { chatId, to } = await answeredChat();
    const body = `${"line\n".repeat(length / 5)}line end`;
    await deliver(rawMail(plain(body)), { to });
    const [message] = await mailedTo(chatId);
    const shown = await call(`/admin/chat?chat=${chatId}&mail=${message?.id}`, { token: desk.token });
    const [, full = ""] = /aria-label="Full mail">([\s\S]*?)<\/section>/.exec(await shown.text()) ?? [];
    expect(full).toContain(kept);
    expect(full).not.toContain(missing);
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
    const before = await messagesOf(chatId, { token: desk.token });
    expect(await deliver(raw, { to })).toEqual([]);
    expect(await messagesOf(chatId, { token: desk.token })).toEqual(before);
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
    await call(`/api/chat/${chatId}`, { method: "DELETE", token: desk.token });
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
