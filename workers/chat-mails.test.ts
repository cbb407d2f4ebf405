import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { epochSeconds } from "~/domain/durations";
import { chatLink, openByLink } from "~/features/chat/operations/mails.server";
import { requestContext } from "~/http/request-context.server";
import { linkKey } from "~/session/tokens.server";
import { messagesOf, postMessage, staffToken, startChat } from "../tests/support/chat";
import { connect } from "../tests/support/live";
import { addUser, type CallOptions, call, cookiesOf, openSession } from "../tests/support/shop";

const roomOf = (chatId: string) => env.CHAT_ROOM.getByName(chatId);
let token: string;
let sent: MockInstance;

beforeEach(async () => {
  await env.DB.exec("DELETE FROM sessions");
  await env.DB.exec("DELETE FROM users");
  token = await staffToken();
  await call("/api/chat/settings", { method: "PATCH", json: { isOnline: true }, token });
  sent = vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
});

/** Opens a mailed link, as its page does. */
async function open(chatId: string, key: string, later = 0): Promise<Response> {
  const request = new Request(`http://localhost:8787/chat/${chatId}?key=${key}`);
  const context = await requestContext(request, env, () => {});
  await openByLink.execute({ ...context, now: context.now + later }, { chatId, key });
  return new Response(null, { headers: context.headers });
}

/** Makes a task of a room due. */
async function due(chatId: string, kind: string): Promise<void> {
  await runInDurableObject(roomOf(chatId), (_, { storage }) => {
    storage.sql.exec("UPDATE duties SET due_at = 0 WHERE kind = ?", kind);
  });
  await runDurableObjectAlarm(roomOf(chatId));
}

/** Sent mails with recipient and text. */
function mails(): { to: string; raw: string }[] {
  const messages = sent.mock.calls.map(([message]) => message as { to: string; "EmailMessage::raw": string });
  return messages.map((message) => ({ to: message.to, raw: message["EmailMessage::raw"] }));
}

/** Kinds of the pending tasks of a room. */
async function pendingTasks(chatId: string): Promise<unknown[]> {
  return runInDurableObject(roomOf(chatId), (_, { storage }) =>
    storage.sql
      .exec("SELECT kind FROM duties ORDER BY kind")
      .toArray()
      .map(({ kind }) => kind),
  );
}

describe("the mail to staff about a waiting visitor", () => {
  it("is sent after 5 minutes without an answer, once until the chat is read", async () => {
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "Anyone?" });
    expect(sent).not.toHaveBeenCalled();
    await due(chatId, "staff-mail");
    expect(mails()[0]?.raw).toContain(`/admin/chat?chat=${chatId}`);
    expect(mails()[0]?.raw).toContain("> Anyone?");
    expect(sent).toHaveBeenCalledTimes(1);
    await postMessage(chatId, "Hello?", { cookie });
    expect(await pendingTasks(chatId)).not.toContain("staff-mail");
    await call(`/api/chat/${chatId}/read`, { method: "PATCH", json: { isAdmin: true }, token });
    await postMessage(chatId, "Still there?", { cookie });
    await due(chatId, "staff-mail");
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it("is due also after a notice, such as that a hold was extended, but not after an answer", async () => {
    const { chatId } = await startChat({ userName: "Ines", initialMessage: "Is it waterproof?" });
    const post = (id: string, isNotice: boolean) =>
      roomOf(chatId).post({
        ...{ id, message: id, isFromAdmin: true, senderName: "Support Team", cards: [] },
        isNotice,
      });
    await post("Set aside until 18:00", true);
    expect(await pendingTasks(chatId)).toContain("staff-mail");
    await post("It is.", false);
    expect(await pendingTasks(chatId)).not.toContain("staff-mail");
  });

  it("is due while nobody has written, and so are automatic answers: an act of staff delays neither", async () => {
    await call("/api/chat/settings", { method: "PATCH", json: { autoResponseEnabled: true }, token });
    const rule = { trigger: "waterproof", response: "All of them are.", category: "General" };
    await call("/api/chat/responses", { json: rule, token });
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "Hello" });
    const act = { isFromAdmin: true, senderName: "Support Team", cards: [], isUnlimited: true };
    for (const isNotice of [true, false])
      await roomOf(chatId).post({ ...act, id: `${isNotice}`, message: "Set aside until 18:00", isNotice });
    const last = async () => (await messagesOf(chatId, { token })).at(-1)?.message;
    await postMessage(chatId, "Is it waterproof?", { cookie });
    await expect.poll(last).toBe(rule.response);
    await postMessage(chatId, "I look.", { token });
    await runInDurableObject(roomOf(chatId), (_, { storage }) => void storage.sql.exec("DELETE FROM told"));
    await postMessage(chatId, "And is that one waterproof?", { cookie });
    await runDurableObjectAlarm(roomOf(chatId));
    expect(await last()).toBe("And is that one waterproof?");
    await call("/api/chat/settings", { method: "PATCH", json: { autoResponseEnabled: false }, token });
  });

  it("quotes what the visitor wrote, not what the shop answered by itself", async () => {
    await call("/api/chat/settings", { method: "PATCH", json: { autoResponseEnabled: true }, token });
    const rule = { trigger: "parking", response: "Behind the house.", category: "General" };
    await call("/api/chat/responses", { json: rule, token });
    const { chatId, cookie } = await startChat({ userName: "Otto", initialMessage: "Anyone?" });
    await postMessage(chatId, "What about parking?", { cookie });
    await expect.poll(async () => (await messagesOf(chatId, { token })).at(-1)?.message).toBe(rule.response);
    await due(chatId, "staff-mail");
    const mail = mails()[0]?.raw ?? "";
    for (const written of ["> Anyone?", "> What about parking?"]) expect(mail).toContain(written);
    expect(mail).not.toContain(rule.response);
  });

  it("quotes the latest five of more messages", async () => {
    const { chatId, cookie } = await startChat({ userName: "Otto", initialMessage: "No. 1" });
    for (let no = 2; no <= 7; no++) await postMessage(chatId, `No. ${no}`, { cookie });
    await due(chatId, "staff-mail");
    expect(mails()[0]?.raw.match(/^> No\. \d/gm)).toEqual([3, 4, 5, 6, 7].map((no) => `> No. ${no}`));
  });

  it("is not sent after an answer", async () => {
    const { chatId } = await startChat({ initialMessage: "Anyone?" });
    await postMessage(chatId, "Yes", { token });
    expect(await pendingTasks(chatId)).not.toContain("staff-mail");
  });

  it("is sent at once while the shop is offline", async () => {
    await call("/api/chat/settings", { method: "PATCH", json: { isOnline: false }, token });
    const { chatId, cookie } = await startChat({ initialMessage: "Anyone?" });
    await expect.poll(() => sent.mock.calls).toHaveLength(1);
    await postMessage(chatId, "Hello?", { cookie });
    await expect.poll(() => pendingTasks(chatId)).toEqual([]);
    expect(sent).toHaveBeenCalledTimes(1);
  });
});

describe("the mail with an answer to a visitor who has left", () => {
  const visitor = { userName: "Ines", userEmail: "ines@mail.example", initialMessage: "Is it oak?" };

  it("contains a link that opens this chat only, until it expires", async () => {
    const { chatId } = await startChat(visitor);
    const other = await startChat({});
    await postMessage(chatId, "It is.", { token });
    expect(await pendingTasks(chatId)).toContain("visitor-mail");
    await due(chatId, "visitor-mail");
    const [mail] = mails();
    expect(mail).toMatchObject({ to: "ines@mail.example" });
    expect(mail?.raw).toContain("> It is.");
    const key = new RegExp(`/chat/${chatId}\\?key=([\\w.-]+)`).exec(mail?.raw ?? "")?.[1] ?? "";
    const opened = await open(chatId, key);
    expect(await messagesOf(chatId, { cookie: cookiesOf(opened) })).toHaveLength(3);
    for (const [id, forged] of [
      [other.chatId, key],
      [chatId, key.replace(/^./, "z")],
      [chatId, ""],
    ] as const)
      await expect(open(id, forged)).rejects.toMatchObject({ code: "forbidden" });
    await expect(open(chatId, key, 15 * 24 * 3600)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("goes to the present address of the account that wrote", async () => {
    const owner = await addUser();
    const session = await openSession(owner.id);
    const { chatId } = await startChat(
      { userEmail: owner.email, initialMessage: "Is it oak?" },
      { token: session },
    );
    const email = "moved@mail.example";
    expect((await call(`/api/user/${owner.id}`, { method: "PUT", json: { email }, token })).status).toBe(200);
    // The notice to the old address is sent after the answer.
    await expect.poll(() => mails().map(({ to }) => to)).toContain(owner.email);
    sent.mockClear();
    await postMessage(chatId, "It is.", { token });
    await due(chatId, "visitor-mail");
    expect(mails().map(({ to }) => to)).toEqual([email]);
    const page = await (await call(`/admin/chat?chat=${chatId}`, { token })).text();
    expect(page).toContain(`mailto:${email}`);
    expect(page).not.toContain(`mailto:${owner.email}`);
  });

  it("is sent again after two minutes at the earliest, with all answers in between", async () => {
    const { chatId } = await startChat(visitor);
    await postMessage(chatId, "It is.", { token });
    const first = Date.now();
    await due(chatId, "visitor-mail");
    const mailed = Date.now();
    for (const answer of ["Oiled.", "And waxed."]) await postMessage(chatId, answer, { token });
    const dueAt = await runInDurableObject(roomOf(chatId), (_, { storage }) =>
      Number(storage.sql.exec("SELECT due_at FROM duties WHERE kind = 'visitor-mail'").one().due_at),
    );
    expect(dueAt).toBeGreaterThanOrEqual(first + 120_000);
    expect(dueAt).toBeLessThanOrEqual(mailed + 120_000);
    await due(chatId, "visitor-mail");
    const [, second, ...more] = mails();
    for (const answer of ["> Oiled.", "> And waxed."]) expect(second?.raw).toContain(answer);
    expect(more).toEqual([]);
  });

  it("names who wrote the answer, as the chat does", async () => {
    await call("/api/chat/settings", { method: "PATCH", json: { answererName: "Maren" }, token });
    const { id } = await addUser({ firstName: "Theo", isManager: true });
    const { chatId } = await startChat(visitor);
    await postMessage(chatId, "It is.", { token: await openSession(id) });
    await due(chatId, "visitor-mail");
    expect(mails()[0]?.raw).toContain("here is the answer of Theo, Support Team:");
  });

  it("contains a link that ignores HEAD, prefetches and images of other sites", async () => {
    const { chatId } = await startChat(visitor);
    const path = await chatLink("", env.COOKIE_SECRET, chatId, {
      to: visitor.userEmail,
      now: epochSeconds(),
    });
    const looks: CallOptions[] = [
      { method: "HEAD" },
      { headers: { "Sec-Purpose": "prefetch" } },
      { headers: { Purpose: "prefetch" } },
      { headers: { "Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site" } },
      { headers: { "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site" } },
    ];
    for (const look of looks) {
      const answer = await call(path, look);
      expect(cookiesOf(answer), JSON.stringify(look)).not.toContain("emporia_chats");
    }
    const followed = await call(path, { headers: { "Sec-Fetch-Dest": "document" } });
    expect([followed.status, followed.headers.get("Location")]).toEqual([303, `/chat/${chatId}`]);
    expect(cookiesOf(followed)).toContain("emporia_chats");
  });

  it("contains a link that ends when the account has another address", async () => {
    const account = await addUser({});
    const { chatId } = await startChat({ initialMessage: "Hello" }, { token: await openSession(account.id) });
    const path = await chatLink("", env.COOKIE_SECRET, chatId, { to: account.email, now: epochSeconds() });
    const opens = async (link: string) => {
      const answer = await call(link, { headers: { "Sec-Fetch-Dest": "document" } });
      return cookiesOf(answer).includes("emporia_chats");
    };
    expect(await opens(path)).toBe(true);
    await env.DB.prepare("UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2")
      .bind("new@mail.example", account.id)
      .run();
    expect(await opens(path)).toBe(false);
    const former = await linkKey(env.COOKIE_SECRET, "chat", chatId, epochSeconds() + 60);
    expect(await opens(`/chat/${chatId}?key=${former}`), "a link of the version before").toBe(true);
  });

  it("contains a link that asks before replacing another chat, except from a page of the shop", async () => {
    const { chatId } = await startChat(visitor);
    const path = await chatLink("", env.COOKIE_SECRET, chatId, {
      to: visitor.userEmail,
      now: epochSeconds(),
    });
    const other = await startChat({ initialMessage: "Mine" });
    const led = async (headers: Record<string, string>) => {
      const answer = await call(path, { headers: { "Sec-Fetch-Dest": "document", ...headers }, ...other });
      return { answer, status: answer.status, hasCookie: cookiesOf(answer).includes("emporia_chats") };
    };
    for (const site of ["cross-site", "same-site", "none"])
      expect(await led({ "Sec-Fetch-Site": site }), site).toMatchObject({ status: 200, hasCookie: false });
    expect(await led({ "Sec-Fetch-Site": "same-origin" })).toMatchObject({ status: 303, hasCookie: true });
    const { answer } = await led({ "Sec-Fetch-Site": "cross-site" });
    const [, key = ""] = /name="key" value="([^"]+)"/.exec(await answer.text()) ?? [];
    const agree = (site: string) =>
      call(`/chat/${chatId}`, {
        body: new URLSearchParams({ intent: "open", key }),
        headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": site },
        ...other,
      });
    expect((await agree("cross-site")).status).toBe(403);
    const agreed = await agree("same-origin");
    expect([agreed.status, agreed.headers.get("Location")]).toEqual([303, `/chat/${chatId}`]);
    expect(await messagesOf(chatId, { cookie: cookiesOf(agreed) })).toHaveLength(2);
    expect(await messagesOf(other.chatId, { cookie: cookiesOf(agreed) })).toHaveLength(2);
  });

  it("is not sent to a connected visitor, without an address, or for messages already read", async () => {
    const { chatId, cookie } = await startChat(visitor);
    const line = await connect(`?chat=${chatId}`, { Cookie: cookie });
    await postMessage(chatId, "It is.", { token });
    expect(await pendingTasks(chatId)).not.toContain("visitor-mail");
    line.socket.close();
    const anonymous = await startChat({ initialMessage: "Is it oak?" });
    await postMessage(anonymous.chatId, "It is.", { token });
    expect(await pendingTasks(anonymous.chatId)).not.toContain("visitor-mail");
    const reader = await startChat(visitor);
    await postMessage(reader.chatId, "It is.", { token });
    await messagesOf(reader.chatId, reader);
    await due(reader.chatId, "visitor-mail");
    expect(sent).not.toHaveBeenCalled();
  });
});
