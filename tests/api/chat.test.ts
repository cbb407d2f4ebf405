import { describe, expect, it, vi } from "vitest";
import { type Message, messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { addUser, call, signIn } from "../support/shop";

/** Stops the clock by which the limit counts: on a slow machine the messages of a test may take longer than its 10 seconds. */
const stopClock = () => vi.spyOn(Date, "now").mockReturnValue(Date.now());

describe("POST chat/create", () => {
  it("returns the id, sets the chat cookie, and posts the welcome message first", async () => {
    const { chatId, cookie, answer } = await startChat({
      userName: " Ines ",
      userEmail: "ines@mail.example",
      initialMessage: " Hello ",
      isAnonymous: false,
    });
    expect(answer.status).toBe(201);
    expect(chatId).toMatch(/^[\w-]{32}$/);
    expect(answer.headers.get("Set-Cookie")).toMatch(
      /emporia_chats=.*Max-Age=7776000;.*HttpOnly; SameSite=Lax/,
    );
    const messages = await messagesOf(chatId, { cookie });
    expect(messages).toMatchObject([
      { seq: 1, isFromAdmin: true, senderName: "Support Team" },
      { seq: 2, isFromAdmin: false, senderName: "Ines", message: "Hello", chatId },
    ]);
  });

  it("treats a visitor without name and e-mail as an anonymous New Customer", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "  " });
    const answer = await call(`/api/chat/${chatId}/messages`, { cookie });
    const { chat, messages } = (await answer.json()) as { chat: object; messages: Message[] };
    expect(chat).toMatchObject({ id: chatId, userName: "New Customer", userEmail: "", isAnonymous: true });
    expect(messages).toHaveLength(1);
  });

  it("rejects an invalid e-mail address", async () => {
    const { answer } = await startChat({ userEmail: "ines@mail" });
    expect(answer.status).toBe(400);
  });

  it("keeps the latest 20 chats in the cookie", async () => {
    const first = await startChat({});
    let cookie = first.cookie;
    for (let i = 0; i < 20; i++) cookie = (await startChat({}, { cookie })).cookie;
    expect((await call(`/api/chat/${first.chatId}/messages`, { cookie })).status).toBe(403);
    expect((await call(`/api/chat/${first.chatId}/messages`, { cookie: first.cookie })).status).toBe(200);
  });
});

describe("access", () => {
  it("answers the same 403 for another visitor's, a guessed and a deleted chat", async () => {
    const token = await staffToken();
    const { chatId } = await startChat({});
    const { chatId: deleted } = await startChat({});
    await call(`/api/chat/${deleted}`, { method: "DELETE", token });
    const stranger = { cookie: (await startChat({})).cookie };
    const customer = await addUser();
    const answers = [];
    for (const by of [{}, stranger, { token: await signIn(customer.email, customer.password) }])
      for (const id of [chatId, deleted, "guessed"]) {
        answers.push(await call(`/api/chat/${id}/messages`, by), await postMessage(id, "Hello", by));
      }
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(bodies.size).toBe(1);
  });

  it("rejects a forged cookie, and the cart's cookie in its place", async () => {
    const { chatId, cookie } = await startChat({});
    const forged = cookie.replaceAll(/=[^.;]*/g, `=${btoa(JSON.stringify([[chatId, 9e9]]))}`);
    expect((await call(`/api/chat/${chatId}/messages`, { cookie: forged })).status).toBe(403);
    const asCart = cookie.replaceAll(/emporia_chats[\w-]*/g, "emporia_cart");
    expect((await call(`/api/chat/${chatId}/messages`, { cookie: asCart })).status).toBe(403);
  });

  it("answers 404 to a visitor for their own deleted chat", async () => {
    const { chatId, cookie } = await startChat({});
    expect((await call(`/api/chat/${chatId}`, { method: "DELETE", token: await staffToken() })).status).toBe(
      200,
    );
    expect((await call(`/api/chat/${chatId}/messages`, { cookie })).status).toBe(404);
    expect((await postMessage(chatId, "Anyone?", { cookie })).status).toBe(404);
  });

  it("admits a signed-in customer to their own chats in any browser", async () => {
    const { email, password } = await addUser();
    const token = await signIn(email, password);
    const { chatId } = await startChat({}, { token });
    expect(await messagesOf(chatId, { token })).toHaveLength(1);
  });

  it.each([
    ["GET", "/api/chat"],
    ["DELETE", "/api/chat/x"],
    ["PATCH", "/api/chat/x/read"],
    ["GET", "/api/chat/responses"],
    ["POST", "/api/chat/responses"],
    ["PATCH", "/api/chat/responses/x"],
    ["DELETE", "/api/chat/responses/x"],
    ["PATCH", "/api/chat/settings"],
  ])("%s %s is for staff", async (method, path) => {
    const { email, password } = await addUser();
    const body = method === "GET" ? {} : { json: {} };
    expect((await call(path, { method, ...body })).status).toBe(401);
    expect((await call(path, { method, ...body, token: await signIn(email, password) })).status).toBe(403);
  });
});

describe("POST chat/message", () => {
  it("returns the stored message with the server's values", async () => {
    const { chatId, cookie } = await startChat({});
    const answer = await postMessage(
      chatId,
      " Hi ",
      { cookie },
      { seq: 99, timestamp: { seconds: 1 }, senderName: "" },
    );
    expect(answer.status).toBe(201);
    const message = (await answer.json()) as Message;
    expect(message).toMatchObject({
      chatId,
      message: "Hi",
      isFromAdmin: false,
      senderName: "New Customer",
      seq: 2,
    });
    expect(message.timestamp.seconds).toBeGreaterThan(1_700_000_000);
  });

  it("rejects a visitor's isFromAdmin, and replaces names that resemble Support Team", async () => {
    const { chatId, cookie } = await startChat({});
    expect((await postMessage(chatId, "Hi", { cookie }, { isFromAdmin: true })).status).toBe(403);
    for (const senderName of ["support  TEAM\u200b", "Ѕuрpοrt Team", "Śuppórt Team", "\u3164"]) {
      const posing = await postMessage(chatId, "Hi", { cookie }, { senderName });
      expect(await posing.json(), senderName).toMatchObject({
        senderName: "New Customer",
        isFromAdmin: false,
      });
    }
    expect((await postMessage(chatId, "\u200b\u2060", { cookie })).status).toBe(400);
  });

  it("has staff write as Support Team, whatever they send", async () => {
    const { chatId, cookie } = await startChat({});
    const answer = await postMessage(chatId, "Hi", { token: await staffToken() }, { senderName: "Bob" });
    expect(await answer.json()).toMatchObject({ senderName: "Support Team", isFromAdmin: true });
    expect((await messagesOf(chatId, { cookie })).at(-1)).toMatchObject({ isFromAdmin: true });
  });

  it("stores a client id once and returns the same message each time", async () => {
    const { chatId, cookie } = await startChat({});
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => postMessage(chatId, "Once", { cookie }, { id: "mine-1" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(bodies.size).toBe(1);
    expect(await messagesOf(chatId, { cookie })).toHaveLength(2);
  });

  it("rejects a used id with another text or from the other side, and accepts a repetition", async () => {
    const { chatId, cookie } = await startChat({});
    const token = await staffToken();
    const first = await (await postMessage(chatId, "First", { cookie }, { id: "mine-1" })).text();
    await postMessage(chatId, "Answer", { token }, { id: "theirs-1" });
    const refused = [
      await postMessage(chatId, "Second", { cookie }, { id: "mine-1" }),
      await postMessage(chatId, "First", { token }, { id: "mine-1" }),
      await postMessage(chatId, "Third", { token }, { id: "mine-1" }),
      await postMessage(chatId, "Answer", { cookie }, { id: "theirs-1" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    expect(await refused[0]?.json()).toMatchObject({
      ERR_MSG: "Another message was sent with this id. Send this one with a new id.",
    });
    const again = await postMessage(chatId, " First ", { cookie }, { id: "mine-1" });
    expect([again.status, await again.text()]).toEqual([201, first]);
    expect((await postMessage(chatId, "Second", { cookie }, { id: "mine-2" })).status).toBe(201);
    expect((await messagesOf(chatId, { cookie })).slice(1).map(({ message }) => message)).toEqual([
      "First",
      "Answer",
      "Second",
    ]);
  });

  it("generates the id of a chat's first message", async () => {
    const fields = { initialMessage: "Hello", id: "mine-1" };
    const chats = [await startChat(fields), await startChat({ ...fields, initialMessage: "Other" })];
    for (const chat of chats) {
      const [, first] = await messagesOf(chat.chatId, chat);
      expect(first?.id).not.toBe("mine-1");
      expect((await postMessage(chat.chatId, "Next", chat, { id: "mine-1" })).status).toBe(201);
      expect((await postMessage(chat.chatId, "Next", chat, { id: first?.id })).status).toBe(409);
    }
  });

  it("counts all messages towards a visitor's 30, and only the seller's towards the seller's", async () => {
    const { chatId, cookie } = await startChat({});
    const token = await staffToken();
    stopClock();
    const all = (by: object) =>
      Promise.all(Array.from({ length: 15 }, (_, i) => postMessage(chatId, `${i}`, by))).then((answers) =>
        answers.filter(({ status }) => status === 201),
      );
    expect(await all({ token })).toHaveLength(15);
    expect(await all({ cookie })).toHaveLength(15);
    expect((await postMessage(chatId, "One more", { cookie })).status).toBe(429);
    expect(await all({ token })).toHaveLength(15);
    expect((await postMessage(chatId, "One more", { token })).status).toBe(429);
  });

  it("takes 30 messages in 10 seconds, then 429 with Retry-After; the other side may still write", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "First" });
    stopClock();
    for (let i = 0; i < 30; i++)
      expect((await postMessage(chatId, `${i}`, { cookie }, { id: `m${i}` })).status).toBe(201);
    const refused = await postMessage(chatId, "One more", { cookie });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await postMessage(chatId, "29", { cookie }, { id: "m29" })).status).toBe(201);
    expect((await postMessage(chatId, "Calm down", { token: await staffToken() })).status).toBe(201);
  });

  it("keeps HTML and emoji as they are, takes 2,000 characters and no more", async () => {
    const { chatId, cookie } = await startChat({});
    const tricky = "<script>alert(1)</script> &amp; 👩‍👩‍👧 \u202e";
    expect(await (await postMessage(chatId, tricky, { cookie })).json()).toMatchObject({ message: tricky });
    expect((await postMessage(chatId, "🙂".repeat(2000), { cookie })).status).toBe(201);
    expect((await postMessage(chatId, "🙂".repeat(2001), { cookie })).status).toBe(400);
    expect((await postMessage(chatId, "a".repeat(2001), { cookie })).status).toBe(400);
    for (const bad of ["", "   ", "\u0000", "\ud800"])
      expect((await postMessage(chatId, bad, { cookie })).status).toBe(400);
    expect((await postMessage(chatId, "Hi", { cookie }, { id: "no spaces" })).status).toBe(400);
  });
});
