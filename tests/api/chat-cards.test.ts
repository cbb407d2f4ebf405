import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { cardTypesBy } from "~/features/chat/protocol";
import { cardOf, postMessage, staffToken, startChat, written } from "../support/chat";
import { submit } from "../support/forms";
import { connect } from "../support/live";
import { hold } from "../support/sales";
import { addProduct, call, cookiesOf } from "../support/shop";

const deleteProduct = (id: string) => env.DB.prepare("DELETE FROM products WHERE id = ?").bind(id).run();
const changeStock = async (id: string, stock: number) =>
  expect(
    (await call(`/api/product/${id}`, { method: "PUT", json: { stock }, token: await staffToken() })).status,
  ).toBe(200);
const inRoom = (chatId: string, sql: string) =>
  runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => storage.sql.exec(sql).toArray());
const stored = async (answer: Response) => (await answer.json()) as Record<string, unknown>;

describe("message with a card", () => {
  it("carries the card in the answer, the history, a catch-up and the live event", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const token = await staffToken();
    const answer = await postMessage(chatId, "How about this one?", { token }, { card: cardOf(productId) });
    expect(answer.status).toBe(201);
    const message = { message: "How about this one?", cards: [cardOf(productId)] };
    const { seq } = (await answer.json()) as { seq: number };
    expect(await visitor.waitForEvent("new-message")).toMatchObject(message);
    expect(await written(chatId, { cookie }, seq - 1)).toMatchObject([message]);
    const late = await connect(`?chat=${chatId}&after=${seq - 1}`, { Cookie: cookie });
    expect(await late.waitForEvent("new-message")).toMatchObject(message);
    const plain = await stored(await postMessage(chatId, "No card", { cookie }));
    expect(plain).not.toHaveProperty("cards");
  });

  it("is rejected with the room for its text when the product's line does not fit beside it", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const about = `Desk Lamp: http://localhost:8787/products/${productId}`;
    const room = 2000 - 2 - about.length;
    const send = (length: number) =>
      postMessage(chatId, "é".repeat(length), { cookie }, { about, card: cardOf(productId) });
    const long = await send(room + 1);
    const told = `Must be at most ${room.toLocaleString("en")} characters beside the product`;
    expect([long.status, await stored(long)]).toMatchObject([
      400,
      { details: [{ path: "message", message: told }] },
    ]);
    expect(await stored(await send(room))).toMatchObject({ message: `${"é".repeat(room)}\n\n${about}` });
    const { answer } = await startChat({ initialMessage: "é".repeat(room + 1), about, productId });
    expect(answer.status).toBe(400);
    expect(await written(chatId, { cookie })).toHaveLength(2);
  });

  it("is one row in the room", async () => {
    const productId = await addProduct();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await postMessage(chatId, "And this?", { cookie }, { card: cardOf(productId) });
    const rows = await inRoom(
      chatId,
      "SELECT message, cards FROM messages WHERE written_by > 0 ORDER BY seq",
    );
    expect(rows).toEqual([
      { message: "Hello", cards: null },
      { message: "And this?", cards: JSON.stringify([cardOf(productId)]) },
    ]);
  });

  it("is stored once for its id; the id with another card is a conflict", async () => {
    const [lamp, mug] = [await addProduct(), await addProduct()];
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const send = (card?: object) => postMessage(chatId, "This?", { cookie }, { id: "once", card });
    const first = await stored(await send(cardOf(lamp)));
    await deleteProduct(lamp);
    expect(await stored(await send(cardOf(lamp)))).toEqual(first);
    for (const other of [cardOf(mug), undefined]) expect((await send(other)).status).toBe(409);
    expect(await written(chatId, { cookie })).toHaveLength(2);
  });

  it.each(cardTypesBy("shop", "upload"))(
    "forbids a card that only the shop adds, to both sides: %s",
    async (type) => {
      const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
      for (const by of [{ cookie }, { token: await staffToken() }])
        expect((await postMessage(chatId, "Look", by, { card: { type, holdId: "1" } })).status).toBe(403);
      expect(await written(chatId, { cookie })).toHaveLength(1);
    },
  );

  it.each([
    ["an unknown type", { type: "voucher", id: "1" }],
    ["its own price", { type: "product", productId: "p", price: 1 }],
    ["no product", { type: "product" }],
    ["a blank product", { type: "product", productId: "" }],
    ["a long id", { type: "product", productId: "x".repeat(65) }],
    ["another type of id", { type: "product", productId: { $ne: null } }],
    ["text", "a lamp"],
    ["a list", [{ type: "product", productId: "p" }]],
  ])("rejects a card with %s and stores nothing", async (_, card) => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    expect((await postMessage(chatId, "Look", { cookie }, { card })).status).toBe(400);
    expect(await written(chatId, { cookie })).toHaveLength(1);
  });

  it("answers 404 for a product that does not exist, and 403 to a stranger without saying so", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const card = cardOf("gone");
    const answer = await postMessage(chatId, "Look", { cookie }, { card });
    expect([answer.status, await stored(answer)]).toMatchObject([404, { message: "Product not found" }]);
    expect((await postMessage(chatId, "Look", {}, { card })).status).toBe(403);
    expect(await written(chatId, { cookie })).toHaveLength(1);
  });

  it("keeps its text when the product is deleted", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const text = "Is the Desk Lamp dimmable?";
    const { chatId, cookie } = await startChat({ productId, initialMessage: text });
    await deleteProduct(productId);
    expect(await written(chatId, { cookie })).toMatchObject([{ message: text, cards: [{ productId }] }]);
  });

  it("is left to its text when its product was deleted before it was sent", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    await changeStock(productId, 7);
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await deleteProduct(productId);
    const card = cardOf(productId);
    const answer = await postMessage(chatId, "Is this still to be had?", { cookie }, { card });
    expect([answer.status, await stored(answer)]).toMatchObject([
      201,
      { message: "Is this still to be had?" },
    ]);
  });

  it("works in a room that was created without the column", async () => {
    const productId = await addProduct();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await inRoom(chatId, "ALTER TABLE messages DROP COLUMN cards");
    await evictDurableObject(env.CHAT_ROOM.getByName(chatId));
    await postMessage(chatId, "This?", { cookie }, { card: cardOf(productId) });
    const [old, added] = await written(chatId, { cookie });
    expect(old).not.toHaveProperty("cards");
    expect(added).toMatchObject({ cards: [{ productId }] });
  });
});

describe("POST chat/create with productId", () => {
  it("attaches the product to the initial message", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const asked = { initialMessage: "Is it dimmable?", productId, continue: true };
    const { chatId, cookie } = await startChat(asked);
    expect(await written(chatId, { cookie })).toMatchObject([
      { message: "Is it dimmable?", cards: [cardOf(productId)] },
    ]);
  });

  it("sends no message without a text", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const { chatId, cookie } = await startChat({ productId, continue: true });
    expect(await written(chatId, { cookie })).toEqual([]);
    const form = await submit(
      "/chat?index",
      { intent: "start", productId, quantity: "1", initialMessage: " " },
      {},
    );
    expect(form.status).toBe(400);
    expect(await form.text()).toContain("Write your message first");
    expect(form.headers.get("Set-Cookie") ?? "").not.toContain("emporia_chat");
  });

  it("keeps the product for the seller where no message names it, also in a chat that is continued", async () => {
    const productId = await addProduct({ name: "Reading Light" });
    const { chatId } = await startChat({ productId });
    const line = { productId, name: "Reading Light", quantity: 1, isQuestion: true };
    expect(await env.CHAT_ROOM.getByName(chatId).lines()).toMatchObject([line]);
    const token = await staffToken();
    expect(await (await call(`/admin/chat?chat=${chatId}`, { token })).text()).toContain("In question");
    const before = await startChat({ initialMessage: "Hello" });
    await startChat({ productId, continue: true }, before);
    expect(await env.CHAT_ROOM.getByName(before.chatId).lines()).toMatchObject([line]);
  });

  it("answers 404 for a product that never was, and stores nothing", async () => {
    const chats = async () =>
      (await env.DB.prepare("SELECT count(*) AS n FROM chats").first<{ n: number }>())?.n;
    const before = await startChat({ initialMessage: "Hello" });
    const count = await chats();
    for (const more of [
      {},
      { initialMessage: "Is it oiled?" },
      { initialMessage: "Is it?", continue: true },
    ]) {
      const { answer } = await startChat({ productId: "never-was", ...more }, before);
      expect([answer.status, cookiesOf(answer)]).toEqual([404, ""]);
    }
    expect(await chats()).toBe(count);
    expect(await written(before.chatId, before)).toHaveLength(1);
  });

  it.each([0, 4])(
    "keeps the question about a product with %d in stock that was deleted meanwhile",
    async (stock) => {
      const token = await staffToken();
      const product = {
        name: "Reading Light",
        description: "Of oak.",
        price: 5,
        stock,
        category: "HOME_DECOR",
        colors: [],
      };
      const created = await call("/api/product", { json: { ...product, imageUrls: [] }, token });
      const { productId } = (await created.json()) as { productId: string };
      await call(`/api/product/${productId}`, { method: "DELETE", token });
      const { answer, chatId, cookie } = await startChat({ productId, initialMessage: "Is it oiled?" });
      expect(answer.status).toBe(201);
      expect(await written(chatId, { cookie })).toMatchObject([{ message: "Is it oiled?" }]);
    },
  );

  it("asks for nothing where no quantity and options are named", async () => {
    const productId = await addProduct();
    const { chatId } = await startChat({ productId, initialMessage: "Is it oiled?" });
    expect(await env.CHAT_ROOM.getByName(chatId).lines()).toEqual([]);
  });

  it("keeps quantity and options for the seller, of one product once", async () => {
    const productId = await addProduct({ name: "Case", colors: ["Clay", "Ink"], hasEngraving: false });
    const asked = { productId, quantity: 2, color: "Clay" };
    const { chatId, cookie } = await startChat({ ...asked, initialMessage: "Is it there?", continue: true });
    const lines = () => env.CHAT_ROOM.getByName(chatId).lines();
    const line = { productId, name: "Case", isQuestion: true, inCart: false };
    expect(await lines()).toMatchObject([{ ...line, quantity: 2, color: "Clay" }]);
    const card = { type: "product", productId, quantity: 1, color: "Ink" };
    await postMessage(chatId, "Or in ink?", { cookie }, { card });
    expect(await lines()).toMatchObject([{ ...line, quantity: 1, color: "Ink" }]);
    const bought = { intent: "product", id: productId, quantity: "3", color: "Ink" };
    await submit("/chat?index", bought, { cookie });
    expect(await lines()).toMatchObject([{ productId, quantity: 3, color: "Ink" }]);
    expect((await lines())[0]).not.toHaveProperty("isQuestion");
  });

  it("is refused with an error of the field for options that the product does not offer", async () => {
    const productId = await addProduct({ name: "Case", colors: ["Clay", "Ink"], hasEngraving: false });
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const colour = { path: "color", message: "Case doesn't come in “Gold”. Choose Clay, Ink." };
    const words = { path: "engraving", message: "Case can't be engraved." };
    for (const [options, problem] of [
      [{ color: "Gold" }, colour],
      [{ color: "Clay", engraving: "Noor" }, words],
    ] as const) {
      const asked = { productId, quantity: "1", ...options };
      const about = { message: "Is it there?", ...asked };
      const card = { type: "product", ...asked };
      for (const answer of [
        await call("/api/chat/create", { json: { ...about, initialMessage: about.message } }),
        await call("/api/chat/message", { json: { chatId, message: about.message, card }, cookie }),
      ]) {
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({ details: [problem] });
      }
      const form = await submit(`/chat/${chatId}`, { intent: "write", ...about }, { cookie });
      expect(form.status).toBe(400);
      expect(await form.text()).toContain(problem.message.replaceAll("'", "&#x27;"));
    }
    expect((await written(chatId, { cookie })).map(({ message }) => message)).toEqual(["Hello"]);
  });

  it.each(["-1", "0", "1.5", "many"])("Buy Now refuses a quantity of %s", async (quantity) => {
    const id = await addProduct();
    const answer = await submit("/chat?index", { intent: "product", id, quantity });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("quantity: Must be a whole number from 1 to 1,000,000");
  });

  it("asks the same about another product as a message of its own", async () => {
    const [lamp, mug] = [await addProduct(), await addProduct()];
    const ask = (productId: string, cookie = "") =>
      startChat({ initialMessage: "Is it in stock?", productId, continue: true }, { cookie });
    const { chatId, cookie } = await ask(lamp);
    await ask(mug, cookie);
    await ask(mug, cookie);
    expect((await written(chatId, { cookie })).map(({ cards }) => cards)).toEqual([
      [cardOf(lamp)],
      [cardOf(mug)],
    ]);
  });

  it("attaches the product of Buy Now", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const answer = await call("/chat/submit", {
      body: new URLSearchParams({ intent: "product", id: productId, quantity: "1", stay: "1" }),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    const { to } = (await answer.json()) as { to: string };
    expect(await written(to.replace("/chat/", ""), { cookie: cookiesOf(answer) })).toMatchObject([
      { message: "I'm interested in buying the Desk Lamp.", cards: [cardOf(productId)] },
    ]);
  });
});

describe("stock on a card", () => {
  it("is what is free for visitors, and for staff what is there and what is on hold", async () => {
    const id = await addProduct({ name: "Desk Lamp", stock: 9 });
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello", productId: id });
    await hold(token, { lines: [{ productId: id, quantity: 2 }] });
    const productsFor = async (by: { token?: string; cookie?: string }) =>
      ((await (await call(`/chat/products?ids=${id}`, by)).json()) as { products: object[] }).products;
    const [shown] = await productsFor({ cookie });
    expect(shown).toMatchObject({ stock: 7 });
    expect(shown).not.toHaveProperty("onHand");
    expect(await productsFor({ token })).toMatchObject([{ stock: 7, onHand: 9 }]);
    const console = await (await call(`/admin/chat?chat=${chatId}&attach=desk`, { token })).text();
    // In the message, the cart and the search.
    expect(console.match(/9 on hand, 2 on hold/g)).toHaveLength(3);
    const page = await (await call(`/chat/${chatId}`, { cookie })).text();
    expect(page).not.toMatch(/onHand|on hold/);
  });
});
