import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { messagesOf, postMessage, staffToken, startChat } from "../support/chat";
import { connect } from "../support/live";
import { addProduct, call, cookiesOf } from "../support/shop";

const cardOf = (productId: string) => ({ type: "product", productId });
const deleteProduct = (id: string) => env.DB.prepare("DELETE FROM products WHERE id = ?").bind(id).run();
const inRoom = (chatId: string, sql: string) =>
  runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => storage.sql.exec(sql).toArray());
/** Reads a chat's messages except the shop's automatic ones, whose ids have a colon. */
const written = async (...request: Parameters<typeof messagesOf>) =>
  (await messagesOf(...request)).filter(({ id }) => !id.includes(":"));
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

  it.each([
    ["an unknown type", { type: "receipt", documentId: "1" }],
    ["a file", { type: "file", key: "chats/1/a.png", name: "a.png", contentType: "image/png", size: 1 }],
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
    const { chatId, cookie } = await startChat({ productId });
    await deleteProduct(productId);
    const text = "I have a question about the Desk Lamp.";
    expect(await written(chatId, { cookie })).toMatchObject([{ message: text, cards: [{ productId }] }]);
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

  it("asks about the product without an initial message, once when pressed twice", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const other = await addProduct({ name: "Mug" });
    const { chatId, cookie } = await startChat({ productId, continue: true });
    await Promise.all([1, 2].map(() => startChat({ productId, continue: true }, { cookie })));
    await startChat({ productId: other, continue: true }, { cookie });
    expect(await written(chatId, { cookie })).toMatchObject([
      { message: "I have a question about the Desk Lamp.", cards: [cardOf(productId)] },
      { message: "I have a question about the Mug.", cards: [cardOf(other)] },
    ]);
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

  it("leaves out a deleted product", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello", productId: "gone" });
    const [message] = await written(chatId, { cookie });
    expect(message).not.toHaveProperty("cards");
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

describe("GET chat/products", () => {
  const read = (ids: string) => call(`/chat/products?ids=${ids}`);

  it("answers the current name, price, stock and picture by one query, without deleted products", async () => {
    const lamp = await addProduct({ name: "Desk Lamp", stock: 2 });
    const mug = await addProduct({ name: "Mug" });
    const answer = await read(`${lamp},${mug},gone,${lamp}`);
    expect(answer.headers.get("Server-Timing")).toContain("1 round trips, 1 queries,");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const { products } = (await answer.json()) as { products: { name: string }[] };
    expect(products.map(({ name }) => name).sort()).toEqual(["Desk Lamp", "Mug"]);
    expect(products).toContainEqual({
      id: lamp,
      name: "Desk Lamp",
      priceCents: expect.any(Number),
      stock: 2,
      image: null,
    });
  });

  it("accepts 0 to 50 ids", async () => {
    expect(await (await read("")).json()).toEqual({ products: [] });
    const many = Array.from({ length: 51 }, (_, i) => `p${i}`);
    expect((await read(many.slice(1).join())).status).toBe(200);
    for (const bad of [many.join(), "x".repeat(65)]) expect((await read(bad)).status).toBe(400);
    expect((await call("/chat/products")).status).toBe(400);
  });
});

describe("cards without JavaScript", () => {
  const page = async (path: string, by: { cookie?: string; token?: string }) => (await call(path, by)).text();
  const form = (path: string, fields: Record<string, string>, by: { cookie?: string; token?: string }) =>
    call(path, {
      body: new URLSearchParams(fields),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      ...by,
    });

  it("start a conversation about a product, and continue the open one", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const start = await page(`/chat?product=${productId}`, {});
    expect(start).toContain(`name="productId" value="${productId}"`);
    const about = `Desk Lamp: https://shop.example/products/${productId}`;
    const answer = await form(
      "/chat?index",
      { intent: "start", initialMessage: "Is it dimmable?", productId, about, continue: "true" },
      {},
    );
    const chatId = answer.headers.get("Location")?.replace("/chat/", "") ?? "";
    const cookie = cookiesOf(answer);
    expect(await written(chatId, { cookie })).toMatchObject([
      { message: `Is it dimmable?\n\n${about}`, cards: [cardOf(productId)] },
    ]);
    const other = await addProduct({ name: "Mug" });
    const again = await call(`/chat?product=${other}`, { cookie });
    expect(again.headers.get("Location")).toBe(`/chat/${chatId}?product=${other}`);
    const chat = await page(`/chat/${chatId}?product=${other}`, { cookie });
    expect(chat).toContain("About Mug");
    await form(
      `/chat/${chatId}?product=${other}`,
      { intent: "write", message: "And this?", card: JSON.stringify(cardOf(other)) },
      { cookie },
    );
    expect((await written(chatId, { cookie })).at(-1)).toMatchObject({ cards: [cardOf(other)] });
    expect(await page(`/chat/${chatId}?product=${other}`, { cookie })).not.toContain('name="card"');
  });

  it("show name, price and stock now, with Add to Cart for the visitor alone", async () => {
    const productId = await addProduct({ name: "Desk Lamp", stock: 2 });
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ productId });
    await env.DB.prepare("UPDATE products SET stock = 1, price_cents = 4321 WHERE id = ?")
      .bind(productId)
      .run();
    const visitor = await page(`/chat/${chatId}`, { cookie });
    expect(visitor).toContain('value="43.21"');
    expect(visitor).toContain("Only 1 left");
    expect(visitor).toContain("Add to Cart<");
    const seller = await page(`/admin/chat?chat=${chatId}`, { token });
    expect(seller).toContain("message-product");
    expect(seller).toContain("$43.21");
    expect(seller).not.toContain("Add to Cart<");
    await deleteProduct(productId);
    const text = "I have a question about the Desk Lamp.";
    for (const html of [
      await page(`/chat/${chatId}`, { cookie }),
      await page(`/admin/chat?chat=${chatId}`, { token }),
    ]) {
      expect(html).toContain(text);
      expect(html).not.toContain("$43.21");
    }
  });

  it("let the seller find and attach a product", async () => {
    const productId = await addProduct({ name: "Terrazzo Planter" });
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const found = await page(`/admin/chat?chat=${chatId}&attach=Terrazzo`, { token });
    expect(found).toContain(`name="product" value="${productId}"`);
    const chosen = await page(`/admin/chat?chat=${chatId}&attach=Terrazzo&product=${productId}`, { token });
    expect(chosen).toContain("Remove Terrazzo Planter");
    const fields = { intent: "send", chatId, message: "This one?", card: JSON.stringify(cardOf(productId)) };
    await form(`/admin/chat?chat=${chatId}`, fields, { token });
    expect((await written(chatId, { cookie })).at(-1)).toMatchObject({
      message: "This one?",
      isFromAdmin: true,
      cards: [cardOf(productId)],
    });
  });

  it("links https addresses and draws the shop's own products as cards", async () => {
    const productId = await addProduct({ name: "Desk Lamp" });
    const { chatId, cookie } = await startChat({ initialMessage: "https://a.example/x, http://b.example" });
    const origin = "http://localhost:8787";
    await postMessage(chatId, `${origin}/products/${productId}`, { cookie });
    const html = await page(`/chat/${chatId}`, { cookie });
    expect(html).toContain('<a href="https://a.example/x" target="_blank" rel="nofollow noopener">');
    expect(html).not.toContain('href="http://b.example');
    expect(html.match(/class="chat-product"/g)).toHaveLength(1);
  });
});
