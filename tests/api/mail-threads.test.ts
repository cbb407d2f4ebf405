import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { eraseDue } from "~/features/privacy/deletion.server";
import { messagesOf, postMessage, startChat, written } from "../support/chat";
import { press } from "../support/forms";
import { answer, deliver, desk, mailsOf, plain, rawMail, VISITOR, withDesk } from "../support/mails";
import { admin, person } from "../support/people";
import { pressWith, requestDeletion, unzipped } from "../support/personal-data";
import { call, insert } from "../support/shop";
import { send } from "../support/worker";

withDesk();

/** Value of a header in a raw mail. */
const header = (raw: string | undefined, name: string) =>
  new RegExp(`^${name}: (.+)$`, "m").exec(raw ?? "")?.[1]?.trim() ?? "";
/** Path of the link that turns the mails off. */
const stopPath = (raw: string | undefined) =>
  header(raw, "List-Unsubscribe").replace("<http://localhost:8787", "").replace(">", "");

describe("a mail of a conversation", () => {
  it("invites to reply, and has the headers of one thread", async () => {
    const { chatId } = await startChat(VISITOR);
    const first = await answer(chatId);
    const second = await answer(chatId);
    expect(first?.raw).toContain("Reply to this mail or open the conversation");
    expect(first?.replyTo).toBe(second?.replyTo);
    expect(header(first?.raw, "Message-ID")).not.toBe(header(second?.raw, "Message-ID"));
    for (const name of ["References", "In-Reply-To", "Subject"])
      expect(header(first?.raw, name), name).toBe(header(second?.raw, name));
    expect(header(first?.raw, "References")).toMatch(/^<chat\..+@emporia\.example>$/);
    expect(header(first?.raw, "Auto-Submitted")).toBe("auto-generated");
    expect(header(first?.raw, "X-Emporia-Chat")).not.toBe("");
    expect(header(first?.raw, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(first?.raw).not.toMatch(/<img/i);
  });

  it("has a token that the database does not reveal", async () => {
    const { chatId } = await startChat(VISITOR);
    const token = /\+(.+)@/.exec((await answer(chatId))?.replyTo ?? "")?.[1] ?? "";
    const { results } = await env.DB.prepare("SELECT * FROM mail_threads").all();
    expect(token).toMatch(/^[\da-f]{40}$/);
    expect(JSON.stringify(results)).not.toContain(token);
    expect(JSON.stringify(results)).not.toContain(VISITOR.userEmail);
  });

  it("has a new token under another secret, and takes no reply to the old one", async () => {
    const { chatId } = await startChat(VISITOR);
    const before = (await answer(chatId))?.replyTo ?? "";
    await env.DB.prepare("UPDATE mail_threads SET token_hash = 'of another secret' WHERE chat_id = ?")
      .bind(chatId)
      .run();
    const after = (await answer(chatId))?.replyTo ?? "";
    expect(after).not.toBe(before);
    await deliver(rawMail(plain("Old")), { to: before });
    await deliver(rawMail(plain("New")), { to: after });
    const texts = (await written(chatId, { token: desk.token })).map(({ message }) => message);
    expect([texts.includes("Old"), texts.includes("New")]).toEqual([false, true]);
  });

  it("has a token that ends with the address which the account has left", async () => {
    const ines = await person();
    const { chatId } = await startChat({ initialMessage: "Is it oak?" }, ines);
    const before = (await answer(chatId, ines.email))?.replyTo ?? "";
    await deliver(rawMail(plain("Of the first address")), { to: before });
    const email = `new-${ines.email}`;
    await env.DB.prepare("UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2")
      .bind(email, ines.id)
      .run();
    await deliver(rawMail(plain("Of the address before")), { to: before });
    const after = (await answer(chatId, email))?.replyTo ?? "";
    await deliver(rawMail(plain("Of the address now")), { to: after });
    const texts = (await written(chatId, { token: desk.token })).map(({ message }) => message);
    expect(texts).toEqual(expect.arrayContaining(["Of the first address", "Of the address now"]));
    expect(texts).not.toContain("Of the address before");
  });

  it("is marked for staff where another address sent it", async () => {
    const { chatId } = await startChat(VISITOR);
    const to = (await answer(chatId))?.replyTo ?? "";
    const shown = async (mail: string) => {
      await deliver(mail, { to });
      const last = (await written(chatId, { token: desk.token })).at(-1);
      return (await call(`/admin/chat?chat=${chatId}&mail=${last?.id}`, { token: desk.token })).text();
    };
    const from = { From: "Somebody <else@mail.example>" };
    expect(await shown(rawMail(plain("Forwarded")))).not.toContain("From another address");
    expect(await shown(rawMail(plain("Not mine"), from))).toContain("From another address");
  });

  it("is kept in full among the latest 200 alone", async () => {
    const { chatId } = await startChat(VISITOR);
    const to = (await answer(chatId))?.replyTo ?? "";
    const old = Array.from({ length: 200 }, (_, i) => ({
      ...{ id: `mail-old-${i}`, chat_id: chatId, user_id: null, sender: "", subject: "", text: "" },
      received_at: i,
    }));
    for (let at = 0; at < old.length; at += 100) await insert("chat_mails", old.slice(at, at + 100));
    await deliver(rawMail(plain("The newest")), { to });
    const { results } = await env.DB.prepare(
      "SELECT id FROM chat_mails WHERE chat_id = ? ORDER BY received_at",
    )
      .bind(chatId)
      .all<{ id: string }>();
    expect([results.length, results[0]?.id]).toEqual([200, "mail-old-1"]);
  });

  it("cannot be posted over by a client's id", async () => {
    const { chatId, cookie } = await startChat(VISITOR);
    expect((await postMessage(chatId, "Hello", { cookie }, { id: "mail-1" })).status).toBe(400);
  });
});

describe("/unsubscribe", () => {
  it("asks first, without JavaScript, and turns the mails off and on", async () => {
    const { chatId } = await startChat(VISITOR);
    const path = stopPath((await answer(chatId))?.raw);
    const asked = await (await call(path)).text();
    expect(asked).toContain("Do you want no more of these mails?");
    expect(await answer(chatId)).toBeDefined();
    expect(await (await press(asked, /^Turn them off$/)).text()).toContain("You get no more mails");
    expect(await answer(chatId)).toBeUndefined();
    const stopped = await (await call(path)).text();
    await press(stopped, /^Turn them on again$/);
    expect(await answer(chatId)).toBeDefined();
  });

  it("turns the mails of this conversation alone off with one click of a mail program", async () => {
    const [one, other] = [await startChat(VISITOR), await startChat(VISITOR)];
    const path = stopPath((await answer(one.chatId))?.raw);
    const clicked = await send(
      new Request(`http://localhost:8787${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
        redirect: "manual",
      }),
    );
    expect(clicked.status).toBe(200);
    expect(await answer(one.chatId)).toBeUndefined();
    expect(await answer(other.chatId)).toBeDefined();
    const messages = await messagesOf(one.chatId, one);
    expect(messages.at(-1)?.message).toBe("It is.");
  });

  it("changes nothing with a link that is not valid", async () => {
    const { chatId } = await startChat(VISITOR);
    const path = stopPath((await answer(chatId))?.raw);
    for (const forged of [path.replace("key=", "key=x"), path.replace("id=", "id=x"), "/unsubscribe"]) {
      expect(await (await call(forged)).text()).toContain("This link is not valid any more.");
      const body = new URLSearchParams({ intent: "stop" });
      expect((await call(forged, { method: "POST", body })).status, forged).toBe(404);
    }
    expect(await answer(chatId)).toBeDefined();
  });

  it("turns mails of a chat to one member of staff off", async () => {
    const ann = await person({ isManager: true });
    const { chatId, cookie } = await startChat(VISITOR);
    const mail = (await mailsOf(chatId, desk.sent)).find(({ to }) => to === ann.email);
    await call(stopPath(mail?.raw), {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    await call(`/api/chat/${chatId}/read`, { method: "PATCH", json: { isAdmin: true }, token: desk.token });
    await postMessage(chatId, "Hello?", { cookie });
    const others = (await mailsOf(chatId, desk.sent)).map(({ to }) => to);
    expect([others.length > 0, others.includes(ann.email)]).toEqual([true, false]);
  });
});

describe("kept mails", () => {
  it("are in the visitor's download, and go with the data of the person", async () => {
    const ines = await person();
    const { chatId } = await startChat({ initialMessage: "Is it oak?" }, ines);
    const to = (await answer(chatId, ines.email))?.replyTo ?? "";
    await deliver(rawMail(plain("Yes, two.\n\n-- \nInes, Berlin")), { to });
    const downloaded = await pressWith(ines, /^Download my data$/);
    const files = await unzipped(await call(downloaded.headers.get("Location") ?? "", ines));
    expect(JSON.parse(files["mails.json"] ?? "[]")).toEqual([
      expect.objectContaining({ chatId, text: expect.stringContaining("Ines, Berlin") }),
    ]);
    await requestDeletion(ines);
    expect(await eraseDue(env, Date.now() + 8 * DAY_MS)).toBe(1);
    for (const table of ["chat_mails", "mail_threads"]) {
      const left = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE chat_id = ?`)
        .bind(chatId)
        .first("n");
      expect(left, table).toBe(0);
    }
    await deliver(rawMail(plain("Still there?")), { to });
    expect(
      await env.DB.prepare("SELECT outcome FROM received_mails WHERE outcome <> 'posted'").first("outcome"),
    ).toBe("unknownToken");
  });
});

describe("Health", () => {
  it("counts received mails by what became of them", async () => {
    const { token: owner } = await admin();
    const health = async () => (await call("/admin/health", { token: owner })).text();
    expect(await health()).toContain("No reply was received yet");
    await deliver(rawMail(plain("Hello")), { to: "chat@emporia.example" });
    const { chatId } = await startChat(VISITOR);
    await deliver(rawMail(plain("Hello")), { to: (await answer(chatId))?.replyTo ?? "" });
    const text = (await health()).replaceAll("<!-- -->", "");
    for (const line of ["1 posted in their conversation", "1 not to an address of a conversation"])
      expect(text).toContain(line);
  });
});
