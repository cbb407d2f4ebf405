import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { addProduct, addUser, call, cookiesOf } from "../support/shop";

const HELLO = { initialMessage: "Hello", continue: true };

const texts = async (chatId: string, cookie: string) =>
  (await messagesOf(chatId, { cookie })).filter((each) => !each.isFromAdmin).map(({ message }) => message);

/** Presses Buy Now as the page's script does. */
async function buy(id: string, cookie = "", address = "2001:db8:1::1") {
  const answer = await call("/chat/submit", {
    body: new URLSearchParams({ intent: "product", id, quantity: "1", stay: "1" }),
    headers: { "Content-Type": "application/x-www-form-urlencoded", "CF-Connecting-IP": address },
    cookie,
  });
  const { to = "", toast } = (await answer.json()) as { to?: string; toast?: string };
  return { chatId: to.replace("/chat/", ""), cookie: cookiesOf(answer), status: answer.status, toast };
}

const countChats = async () =>
  (await env.DB.prepare("SELECT count(*) AS n FROM chats").first<{ n: number }>())?.n;

describe("POST chat/create with continue", () => {
  it("appends to the visitor's open conversation, and answers with its id", async () => {
    const first = await startChat({ ...HELLO, userName: "Ines" });
    const second = await startChat({ initialMessage: "And this?", continue: true }, first);
    expect(second.chatId).toBe(first.chatId);
    expect(second.answer.status).toBe(201);
    expect(await texts(first.chatId, first.cookie)).toEqual(["Hello", "And this?"]);
    const plain = await startChat({ initialMessage: "A new one" }, first);
    expect(plain.chatId).not.toBe(first.chatId);
  });

  it("says that a chat has started only for a new one", async () => {
    const [lamp, mug] = [await addProduct(), await addProduct()];
    const first = await buy(lamp);
    expect(first.toast).toBe("Chat started successfully!");
    const second = await buy(mug, first.cookie);
    expect([second.chatId, second.toast]).toEqual([first.chatId, undefined]);
    const plain = await call("/chat?index", {
      body: new URLSearchParams({ intent: "product", id: lamp, quantity: "1" }),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      cookie: first.cookie,
    });
    const next = await call(plain.headers.get("Location") ?? "", {
      cookie: `${first.cookie}; ${cookiesOf(plain)}`,
    });
    expect(await next.text()).not.toContain("Chat started successfully!");
  });

  it("starts a new chat when the latest is closed, older than 30 days or deleted", async () => {
    const token = await staffToken();
    const closed = await startChat(HELLO);
    await env.CHAT_ROOM.getByName(closed.chatId).update({ state: "closed", by: "Theo" });
    expect((await startChat(HELLO, closed)).chatId).not.toBe(closed.chatId);
    const deleted = await startChat(HELLO);
    await call(`/api/chat/${deleted.chatId}`, { method: "DELETE", token });
    expect((await startChat(HELLO, deleted)).chatId).not.toBe(deleted.chatId);
    const room = env.CHAT_ROOM.getByName((await startChat(HELLO)).chatId);
    const details = { userName: "Ines", userEmail: "", isAnonymous: true, lines: [] };
    const initialMessage = { message: "Hi", cards: [] };
    expect(await room.continue({ ...details, initialMessage, since: Date.now() + DAY_MS })).toBe(false);
    expect(await room.continue({ ...details, initialMessage, since: Date.now() - 30 * DAY_MS })).toBe(true);
  });

  it("asks the room, since the list can be behind it", async () => {
    const { chatId, cookie } = await startChat(HELLO);
    await env.CHAT_ROOM.getByName(chatId).update({ state: "closed", by: "Theo" });
    await env.DB.prepare("UPDATE chats SET state = 'open'").run();
    expect((await startChat(HELLO, { cookie })).chatId).not.toBe(chatId);
  });

  it("never continues a chat of another browser or account", async () => {
    const stranger = await startChat(HELLO);
    const customer = cookiesOf(await call("/api/auth/login", { json: await addUser() }));
    const own = await startChat(HELLO, { cookie: `${customer}; ${stranger.cookie}` });
    expect(own.chatId).not.toBe(stranger.chatId);
    const forged = await startChat({ ...HELLO, chatId: stranger.chatId, state: "open", id: stranger.chatId });
    expect(forged.chatId).not.toBe(stranger.chatId);
    expect(await texts(stranger.chatId, stranger.cookie)).toEqual(["Hello"]);
  });

  it("continues a customer's chat in another browser, with their name and e-mail address", async () => {
    const user = await addUser({ firstName: "Ines", lastName: "Moreau" });
    const login = async () => cookiesOf(await call("/api/auth/login", { json: user }));
    const first = await startChat(HELLO, { cookie: await login() });
    const other = await startChat(
      { initialMessage: "From my phone", continue: true },
      { cookie: await login() },
    );
    expect(other.chatId).toBe(first.chatId);
    const row = await env.DB.prepare("SELECT * FROM chats WHERE id = ?").bind(first.chatId).first();
    expect(row).toMatchObject({ user_name: "Ines Moreau", user_email: user.email, is_anonymous: 0 });
  });

  it("stores a name and an e-mail address given later, and keeps known ones", async () => {
    const { chatId, cookie } = await startChat(HELLO);
    const later = { userName: "Ines", userEmail: "ines@mail.example", continue: true };
    await startChat(later, { cookie });
    await startChat({ userName: "Eve", userEmail: "eve@mail.example", continue: true }, { cookie });
    const row = await env.DB.prepare("SELECT * FROM chats WHERE id = ?").bind(chatId).first();
    expect(row).toMatchObject({ user_name: "Ines", user_email: "ines@mail.example", is_anonymous: 0 });
  });

  it("takes a product that was deleted, and no malformed one", async () => {
    const { chatId, cookie } = await startChat({ ...HELLO, productId: await addProduct() });
    const deleted = await addProduct();
    const token = await staffToken();
    expect((await call(`/api/product/${deleted}`, { method: "DELETE", token })).status).toBe(200);
    const gone = await startChat({ ...HELLO, productId: deleted }, { cookie });
    expect([gone.answer.status, gone.chatId]).toEqual([201, chatId]);
    for (const bad of [{ continue: "maybe" }, { productId: 7 }, { productId: "x".repeat(65) }])
      expect((await startChat({ ...HELLO, ...bad })).answer.status).toBe(400);
  });
});

describe("Buy Now", () => {
  it("continues the conversation, with a card of the latest product", async () => {
    const [lamp, mug] = [await addProduct({ name: "Desk Lamp" }), await addProduct({ name: "Mug" })];
    const { chatId, cookie } = await startChat(HELLO);
    expect((await buy(lamp, cookie)).chatId).toBe(chatId);
    expect((await buy(mug, cookie)).chatId).toBe(chatId);
    expect(await texts(chatId, cookie)).toEqual([
      "Hello",
      "I'm interested in buying the Desk Lamp.",
      "I'm interested in buying the Mug.",
    ]);
    const lines = await env.CHAT_ROOM.getByName(chatId).lines();
    expect(lines).toMatchObject([{ productId: mug, quantity: 1 }, { productId: lamp }]);
  });

  it("adds one message when pressed twice, one after the other or at once", async () => {
    const lamp = await addProduct({ name: "Desk Lamp" });
    const { chatId, cookie } = await buy(lamp, "", "2001:db8:1::2");
    const chats = await countChats();
    await Promise.all([buy(lamp, cookie), buy(lamp, cookie)]);
    await buy(lamp, cookie);
    expect(await texts(chatId, cookie)).toEqual(["I'm interested in buying the Desk Lamp."]);
    expect(await countChats()).toBe(chats);
    await postMessage(chatId, "It is here.", { token: await staffToken() });
    await buy(lamp, cookie);
    expect(await texts(chatId, cookie)).toHaveLength(2);
  });
});

describe("the form of Buy Now, submitted twice without a cookie", () => {
  /** Presses Buy Now as a form does without JavaScript. */
  const press = async (id: string, key: string, cookie = "") => {
    const answer = await call("/chat?index", {
      body: new URLSearchParams({ intent: "product", id, quantity: "1", key }),
      headers: { "Content-Type": "application/x-www-form-urlencoded", "CF-Connecting-IP": "2001:db8:2::1" },
      cookie,
    });
    return { chatId: answer.headers.get("Location")?.replace("/chat/", "") ?? "", cookie: cookiesOf(answer) };
  };
  const keyIn = async (path: string) =>
    /name="key" value="([\da-f]{32})"/.exec(await (await call(path)).text())?.[1] ?? "";

  it("adds to the cart, too", async () => {
    const id = await addProduct();
    const fields = { intent: "add", id, quantity: "1", key: await keyIn(`/products/${id}`) };
    const answer = await call("/cart", {
      body: new URLSearchParams(fields),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect([answer.status, cookiesOf(answer).includes("emporia_cart")]).toEqual([303, true]);
  });

  it("starts one chat with one message, for the reader of that page alone", async () => {
    const id = await addProduct({ name: "Twice" });
    const [key, other] = [await keyIn(`/products/${id}`), await keyIn(`/products/${id}`)];
    expect(key).not.toBe(other);
    const [one, two] = await Promise.all([press(id, key), press(id, key)]);
    expect(two.chatId).toBe(one.chatId);
    for (const { cookie } of [one, two])
      expect(await texts(one.chatId, cookie)).toEqual(["I'm interested in buying the Twice."]);
    expect((await press(id, other)).chatId).not.toBe(one.chatId);
    expect((await press(id, "")).chatId).not.toBe(one.chatId);
    await env.CHAT_ROOM.getByName(one.chatId).update({ state: "closed", by: "Theo" });
    expect((await press(id, key, one.cookie)).chatId).not.toBe(one.chatId);
  });
});

describe("GET chat/mine, PATCH chat/{id}/read by the visitor", () => {
  const mine = async (cookie: string) =>
    (await (await call("/api/chat/mine", { cookie })).json()) as { id: string; unreadCount: number }[];
  const markRead = (chatId: string, json: object, cookie: string) =>
    call(`/api/chat/${chatId}/read`, { method: "PATCH", json, cookie });

  it("lists the conversations of this browser, latest first, with unread answers and state", async () => {
    const token = await staffToken();
    const older = await startChat({ initialMessage: "One" });
    const newer = await startChat({ initialMessage: "Two" }, older);
    await postMessage(older.chatId, "An answer", { token });
    await env.CHAT_ROOM.getByName(newer.chatId).update({ state: "closed", by: "Theo" });
    await expect
      .poll(() => mine(newer.cookie))
      .toEqual([
        expect.objectContaining({
          id: older.chatId,
          lastMessage: "An answer",
          lastMessageAt: { seconds: expect.any(Number), nanoseconds: expect.any(Number) },
          unreadCount: 1,
          state: "open",
        }),
        expect.objectContaining({ id: newer.chatId, lastMessage: "Two", unreadCount: 0, state: "closed" }),
      ]);
    const page = await (await call("/chat", { cookie: newer.cookie })).text();
    expect(page).toContain("My conversations");
    expect(page).toContain(`href="/chat/${older.chatId}"`);
    expect(page).toMatch(/An answer.*1<span class="visually-hidden"> unread/s);
    await call(`/chat/${older.chatId}`, { cookie: newer.cookie });
    await expect
      .poll(async () => (await mine(newer.cookie)).map(({ unreadCount }) => unreadCount))
      .toEqual([0, 0]);
  });

  it("lists nothing of other browsers and accounts", async () => {
    const stranger = await startChat(HELLO);
    const login = cookiesOf(await call("/api/auth/login", { json: await addUser() }));
    expect(await mine("")).toEqual([]);
    expect(await mine(login)).toEqual([]);
    expect(await mine(`${login}; ${stranger.cookie}`)).toEqual([]);
    expect((await mine(stranger.cookie)).map(({ id }) => id)).toEqual([stranger.chatId]);
  });

  it("moves the visitor's mark forward only, and rejects forged marks", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const sent = [];
    for (const text of ["One", "Two"])
      sent.push((await (await postMessage(chatId, text, { token })).json()) as { seq: number });
    const [one = 0, two = 0] = sent.map(({ seq }) => seq);
    const unreadAfter = async (seq: number) => (await markRead(chatId, { seq }, cookie)).json();
    expect(await unreadAfter(one)).toEqual({ unreadCount: 1 });
    expect(await unreadAfter(two + 100)).toEqual({ unreadCount: 0 });
    expect(await unreadAfter(one)).toEqual({ unreadCount: 0 });
    await postMessage(chatId, "Three", { token });
    const stranger = await startChat({});
    const forged = [
      await markRead(chatId, { isAdmin: true }, cookie),
      await markRead(chatId, { seq: 99 }, stranger.cookie),
      await markRead(chatId, { seq: -1 }, cookie),
      await markRead(chatId, { seq: 99 }, ""),
    ];
    expect(forged.map(({ status }) => status)).toEqual([403, 403, 400, 401]);
    await expect.poll(async () => (await mine(cookie))[0]?.unreadCount).toBe(1);
  });
});
