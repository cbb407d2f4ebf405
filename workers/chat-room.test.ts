import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { type Message, messagesOf, postMessage, staffToken, startChat } from "../tests/support/chat";
import { connect } from "../tests/support/live";
import { addProduct, call, insert } from "../tests/support/shop";
import type { ChatRoom } from "./chat-room";

const roomOf = (chatId: string) => env.CHAT_ROOM.getByName(chatId);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Runs SQL in a room's storage. */
function inRoom(chatId: string, sql: string): Promise<Record<string, unknown>[]> {
  return runInDurableObject(roomOf(chatId), (_, { storage }) => storage.sql.exec(sql).toArray());
}

/** Inserts messages into a room's storage. */
function fill(chatId: string, count: number) {
  return inRoom(
    chatId,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at)
     SELECT 'old-' || i, 'Number ' || i, 1, 0, 'Support Team', 1790000000000 + i FROM n`,
  );
}

async function settings(json: object) {
  await call("/api/chat/settings", { method: "PATCH", json, token: await staffToken() });
}

const texts = (messages: Message[]) => messages.map(({ message }) => message);

describe("message delivery", () => {
  it("catches up 500 missed messages in order and continues live, without gaps or duplicates", async () => {
    const { chatId, cookie } = await startChat({});
    await fill(chatId, 500);
    const line = await connect(`?chat=${chatId}&after=1`, { Cookie: cookie });
    await postMessage(chatId, "Now", { cookie });
    await line.waitForEvent("new-message", ({ message }) => message === "Now");
    expect(line.events().map(({ data }) => data.seq)).toEqual(Array.from({ length: 501 }, (_, i) => i + 2));
    line.send("join-chat", { chatId, after: 501 });
    await line.waitForFrame(() => line.frames.length === 502);
    expect(line.events().at(-1)?.data).toMatchObject({ message: "Now", seq: 502 });
  });

  it("stores and broadcasts a message with the same id once, for 50 posts", async () => {
    const { chatId, cookie } = await startChat({});
    const lines = [
      await connect(`?chat=${chatId}`, { Cookie: cookie }),
      await connect(`?chat=${chatId}`, { Cookie: cookie }),
    ];
    await Promise.all(
      Array.from({ length: 50 }, () => postMessage(chatId, "Once", { cookie }, { id: "same" })),
    );
    await postMessage(chatId, "End", { cookie });
    for (const line of lines) {
      await line.waitForEvent("new-message", ({ message }) => message === "End");
      expect(line.events().map(({ data }) => data.message)).toEqual(["Once", "End"]);
    }
  });

  it("stores a message once when its sender disconnects before the response and retries", async () => {
    const { chatId, cookie } = await startChat({});
    const line = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const lost = postMessage(chatId, "Cut", { cookie }, { id: "cut-1" });
    line.socket.close();
    const again = postMessage(chatId, "Cut", { cookie }, { id: "cut-1" });
    const [first, second] = await Promise.all([lost, again]);
    expect(await second.json()).toEqual(await first.json());
    expect(await messagesOf(chatId, { cookie })).toHaveLength(2);
  });

  it("keeps sockets, identities and order when the object is evicted", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "One" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const seller = await connect(`?chat=${chatId}`, bearer(token));
    await evictDurableObject(roomOf(chatId));
    await postMessage(chatId, "Two", { cookie });
    await evictDurableObject(roomOf(chatId));
    visitor.send("typing", { chatId, senderName: "" });
    expect(await seller.waitForEvent("user-typing")).toMatchObject({ senderName: "Ines" });
    expect(await visitor.waitForEvent("new-message")).toMatchObject({ message: "Two", seq: 3 });
    await call("/api/auth/logout", { method: "POST", token });
    expect(await seller.closed).toBe(4401);
  });

  it("updates the list of chats by its alarm after D1 failed", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    await env.DB.exec("ALTER TABLE chats RENAME TO gone");
    expect((await postMessage(chatId, "Two", { cookie })).status).toBe(201);
    await expect.poll(() => warned.mock.calls.length).toBeGreaterThan(0);
    await env.DB.exec("ALTER TABLE gone RENAME TO chats");
    await evictDurableObject(roomOf(chatId));
    await inRoom(chatId, "UPDATE duties SET due_at = 0 WHERE kind = 'summary'");
    expect(await runDurableObjectAlarm(roomOf(chatId))).toBe(true);
    const row = await env.DB.prepare("SELECT last_message, unread_count FROM chats WHERE id = ?")
      .bind(chatId)
      .first();
    expect(row).toEqual({ last_message: "Two", unread_count: 2 });
    expect(await inRoom(chatId, "SELECT kind FROM duties")).toEqual([{ kind: "staff-mail" }]);
  });

  it("deletes a chat from its room and from the list", async () => {
    const { chatId } = await startChat({ initialMessage: "One" });
    await call(`/api/chat/${chatId}`, { method: "DELETE", token: await staffToken() });
    expect(await inRoom(chatId, "SELECT name FROM sqlite_master WHERE name IN ('chat', 'messages')")).toEqual(
      [],
    );
    expect(await env.DB.prepare("SELECT 1 FROM chats WHERE id = ?").bind(chatId).first()).toBeNull();
    await evictDurableObject(roomOf(chatId));
    expect(await roomOf(chatId).history(0, "staff")).toBeNull();
  });

  it("imports the stored chat into an empty room", async () => {
    const message = {
      id: "m1",
      message: "Kept",
      isFromAdmin: false,
      senderName: "Ines",
      at: 1_790_000_000_123,
    };
    const lines = [{ productId: "p1", name: "Thing", quantity: 2, priceCents: 500 }];
    const chat = { id: "kept-chat", userName: "Ines", userEmail: "", userId: null, isAnonymous: true, lines };
    await insert("chat_imports", [
      { chat_id: "kept-chat", content: JSON.stringify({ chat, messages: [message], unread: 1 }) },
    ]);
    const token = await staffToken();
    expect(texts(await messagesOf("kept-chat", { token }))).toEqual(["Kept"]);
    await postMessage("kept-chat", "Answer", { token });
    expect(await messagesOf("kept-chat", { token })).toMatchObject([
      { seq: 1, timestamp: { seconds: 1_790_000_000, nanoseconds: 123_000_000 } },
      { seq: 2, message: "Answer" },
    ]);
    const requestedAt = 1_790_000_000;
    expect(await roomOf("kept-chat").lines()).toEqual(lines.map((line) => ({ ...line, requestedAt })));
  });

  it("imports the read mark of staff, before the unread messages", async () => {
    const said = (id: string, isFromAdmin: boolean, at: number) => ({
      ...{ id, message: id, isFromAdmin, senderName: "Ines", at },
    });
    const messages = [said("question", false, 1), said("answer", true, 2), said("thanks", false, 3)];
    const chat = {
      id: "half-read",
      userName: "Ines",
      userEmail: "",
      userId: null,
      isAnonymous: true,
      lines: [],
    };
    await insert("chat_imports", [
      { chat_id: "half-read", content: JSON.stringify({ chat, messages, unread: 1 }) },
    ]);
    expect((await roomOf("half-read").history(0, "staff"))?.reads).toMatchObject({ staff: { seq: 2 } });
    expect(await roomOf("half-read").markRead("staff", 3)).toBe(0);
  });
});

describe("automatic responses", () => {
  it("post the offline message once per chat", async () => {
    await settings({ isOnline: false, welcomeMessage: "Welcome", offlineMessage: "Away" });
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    await postMessage(chatId, "Two", { cookie });
    await roomOf(chatId).markRead("staff");
    expect(texts(await messagesOf(chatId, { cookie }))).toEqual(["Welcome", "One", "Away", "Two"]);
    await settings({ isOnline: true });
    const online = await startChat({ initialMessage: "One" });
    await settings({ isOnline: false });
    await postMessage(online.chatId, "Two", online);
    await expect
      .poll(async () => texts(await messagesOf(online.chatId, online)))
      .toEqual(["Welcome", "One", "Two", "Away"]);
    await settings({ isOnline: true });
  });

  it("answer a trigger once a minute, and not shortly after a person has answered", async () => {
    const token = await staffToken();
    await settings({ welcomeMessage: "", autoResponseEnabled: true });
    await call("/api/chat/responses", { json: { trigger: "Hours", response: "9 to 5" }, token });
    await call("/api/chat/responses", {
      json: { trigger: "hours", response: "Off", isActive: false },
      token,
    });
    const { chatId, cookie } = await startChat({ initialMessage: "Your hours?" });
    // Automatic responses run after the response to the POST.
    const settled = () =>
      expect.poll(() => inRoom(chatId, "SELECT kind FROM duties WHERE kind = 'answers'")).toEqual([]);
    expect(texts(await messagesOf(chatId, { cookie }))).toEqual(["Your hours?", "9 to 5"]);
    const line = await connect(`?chat=${chatId}`, { Cookie: cookie });
    await postMessage(chatId, "hours!", { cookie });
    await settled();
    await inRoom(chatId, "UPDATE told SET at = at - 61000");
    await postMessage(chatId, "HOURS!", { cookie });
    const said = await line.waitForEvent("new-message", ({ message }) => message === "9 to 5");
    expect(said).toMatchObject({ senderName: "Support Team", isFromAdmin: true });
    await inRoom(chatId, "UPDATE told SET at = at - 61000");
    await postMessage(chatId, "A person here", { token });
    await postMessage(chatId, "hours?", { cookie });
    await postMessage(chatId, "End", { cookie });
    await settled();
    const all = texts(await messagesOf(chatId, { cookie }));
    expect(all.filter((text) => text === "9 to 5")).toHaveLength(2);
  });

  it("answer what the visitor typed, and know the words to engrave", async () => {
    const token = await staffToken();
    await settings({ welcomeMessage: "", autoResponseEnabled: true });
    const response = "Four days. {words}";
    await call("/api/chat/responses", { json: { trigger: "engraving", response }, token });
    const productId = await addProduct({ name: "Engraving kit", hasEngraving: true });
    const repliesTo = async (initialMessage: string, fields = {}) => {
      const { chatId, cookie } = await startChat({ initialMessage, productId, ...fields });
      return texts(await messagesOf(chatId, { cookie })).slice(1);
    };
    const question = "How long does the engraving take?";
    expect(await repliesTo(question, { engraving: "Noor" })).toEqual([
      "Four days. We have your words: “Noor”.",
    ]);
    expect(await repliesTo(question)).toEqual(["Four days. Send us your words or your drawing here."]);
    const bought = "I'm interested in buying the Engraving kit.\nEngraving: “Noor”";
    expect(await repliesTo(bought, { engraving: "Noor" })).toEqual([]);
    expect(await repliesTo(`Is it heavy?\n\nEngraving kit: http://localhost/products/${productId}`)).toEqual(
      [],
    );
  });
});

describe("a chat that is deleted while a change of it is stored", () => {
  const author = { kind: "system", userId: null, sourceId: null } as const;
  const renamed = (userName: string) => ({ userName, by: "Pat", author });
  const CHANGES: Record<string, (room: ChatRoom) => Promise<unknown>> = {
    update: (room) => room.update(renamed("Second")),
    introduce: (room) => room.introduce({ userName: "", userEmail: "ines@mail.example" }),
    attach: (room) => room.attach({ userId: "ines", userName: "Ines", userEmail: "" }),
    markRead: (room) => room.markRead("staff"),
  };
  const MISSING: Record<string, unknown> = { update: { rejected: "notFound" }, attach: false };

  it.each(Object.entries(CHANGES))("answers as a missing one: %s", async (name, change) => {
    const { chatId } = await startChat({ initialMessage: "Hello" });
    const answers = await runInDurableObject(roomOf(chatId), (room: ChatRoom) =>
      Promise.all([room.update(renamed("First")), room.alarm(), change(room), room.remove(author)]),
    );
    expect(answers[2]).toEqual(MISSING[name] ?? null);
    const failed = env.DB.prepare("SELECT message FROM incidents WHERE reference = ?").bind(chatId).all();
    expect((await failed).results).toEqual([]);
  });
});
