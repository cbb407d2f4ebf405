import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { addProduct, addUser, call, cookiesOf } from "../support/shop";

const DAY_MS = 24 * 3600 * 1000;
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
  const { to = "" } = (await answer.json()) as { to?: string };
  return { chatId: to.replace("/chat/", ""), cookie: cookiesOf(answer), status: answer.status };
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

  it("starts a new chat when the latest is closed, older than 30 days or deleted", async () => {
    const token = await staffToken();
    const closed = await startChat(HELLO);
    await env.CHAT_ROOM.getByName(closed.chatId).setState("closed");
    expect((await startChat(HELLO, closed)).chatId).not.toBe(closed.chatId);
    const deleted = await startChat(HELLO);
    await call(`/api/chat/${deleted.chatId}`, { method: "DELETE", token });
    expect((await startChat(HELLO, deleted)).chatId).not.toBe(deleted.chatId);
    const room = env.CHAT_ROOM.getByName((await startChat(HELLO)).chatId);
    const details = { userName: "Ines", userEmail: "", isAnonymous: true, lines: [], initialMessage: "Hi" };
    expect(await room.continue({ ...details, since: Date.now() + DAY_MS })).toBe(false);
    expect(await room.continue({ ...details, since: Date.now() - 30 * DAY_MS })).toBe(true);
  });

  it("asks the room, since the list can be behind it", async () => {
    const { chatId, cookie } = await startChat(HELLO);
    await env.CHAT_ROOM.getByName(chatId).setState("closed");
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

  it("stores the product that the chat is about; a deleted one is left out", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const { chatId, cookie } = await startChat({ ...HELLO, productId });
    expect(await env.CHAT_ROOM.getByName(chatId).lines()).toMatchObject([{ productId, name: "Desk Lamp" }]);
    const gone = await startChat({ ...HELLO, productId: "gone" }, { cookie });
    expect([gone.answer.status, gone.chatId]).toEqual([201, chatId]);
    expect(await env.CHAT_ROOM.getByName(chatId).lines()).toMatchObject([{ productId }]);
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
    expect(await env.CHAT_ROOM.getByName(chatId).lines()).toMatchObject([{ productId: mug, quantity: 1 }]);
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
