import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { cardOf, postMessage, staffToken, startChat, written } from "../support/chat";
import { submit } from "../support/forms";
import { addProduct, call, cookiesOf, ORIGIN, setStock } from "../support/shop";

const deleteProduct = (id: string) => env.DB.prepare("DELETE FROM products WHERE id = ?").bind(id).run();

describe("GET chat/products", () => {
  const read = (ids: string) => call(`/chat/products?ids=${ids}`);

  it("answers the current name, price, stock and picture in one round trip, without deleted products", async () => {
    const lamp = await addProduct({ name: "Desk Lamp", stock: 2 });
    const mug = await addProduct({ name: "Mug" });
    const answer = await read(`${lamp},${mug},gone,${lamp}`);
    expect(answer.headers.get("Server-Timing")).toContain("1 round trips, 2 queries,");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const { products } = (await answer.json()) as { products: { name: string }[] };
    expect(products.map(({ name }) => name).sort()).toEqual(["Desk Lamp", "Mug"]);
    expect(products).toContainEqual({
      id: lamp,
      name: "Desk Lamp",
      priceCents: expect.any(Number),
      stock: 2,
      image: null,
      choices: { label: "Colour", colors: [], hasEngraving: false },
      questions: ["Is it there today?", "Which size is it?", "Can you wrap it as a gift?"],
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

describe("pictures of what was asked for", () => {
  it("are in the chosen color: in the cart's card, the console and the list of conversations", async () => {
    const id = await addProduct({
      name: "Vase",
      colors: ["Clay", "Ink blue"],
      imageUrls: ["https://img.test/clay.webp", "https://img.test/ink.webp"],
      imageAlts: ["Vase in clay", "Vase in ink blue"],
    });
    const cart = cookiesOf(await submit("/cart", { intent: "add", id, color: "Ink blue" }, {}));
    const answer = await submit("/cart", { intent: "chat" }, { cookie: cart });
    const chatId = answer.headers.get("Location")?.replace("/chat/", "") ?? "";
    const cookie = cookiesOf(answer);
    const parts = {
      "/chat": [{ cookie }, /class="chat-mine"[\s\S]*?<\/ul>/],
      [`/chat/${chatId}`]: [{ cookie }, /class="chat-cart-snapshot"[\s\S]*?<\/ul>/],
      [`/admin/chat?chat=${chatId}`]: [
        { token: await staffToken() },
        /class="visitor-products"[\s\S]*?<\/ul>/,
      ],
    } as const;
    for (const [path, [by, pattern]] of Object.entries(parts)) {
      const [part = ""] = pattern.exec(await (await call(path, by)).text()) ?? [];
      expect([part.includes("ink.webp"), part.includes("clay.webp")], path).toEqual([true, false]);
    }
  });
});

describe("cards without JavaScript", () => {
  const page = async (path: string, by: { cookie?: string; token?: string }) => (await call(path, by)).text();

  it("start a conversation about a product, and continue the open one", async () => {
    const productId = await addProduct({ name: "Desk Lamp", colors: ["Clay", "Ink"], hasEngraving: true });
    const options = { quantity: 2, color: "Clay", engraving: "Noor" };
    const chosen = { productId, quantity: "2", color: "Clay", engraving: "Noor" };
    const start = await page(`/chat?product=${productId}`, {});
    expect(start).toContain(`name="productId" value="${productId}"`);
    const about = `Desk Lamp (Clay, “Noor”), 2 pieces: ${ORIGIN}/products/${productId}`;
    const answer = await submit(
      "/chat?index",
      { intent: "start", initialMessage: "Is it dimmable?", about: "1", continue: "true", ...chosen },
      {},
    );
    const chatId = answer.headers.get("Location")?.replace("/chat/", "") ?? "";
    const cookie = cookiesOf(answer);
    expect(await written(chatId, { cookie })).toMatchObject([
      { message: `Is it dimmable?\n\n${about}`, cards: [{ ...cardOf(productId), ...options }] },
    ]);
    const other = await addProduct({ name: "Mug" });
    const again = await call(`/chat?product=${other}`, { cookie });
    expect(again.headers.get("Location")).toBe(`/chat/${chatId}?product=${other}`);
    const chat = await page(`/chat/${chatId}?product=${other}`, { cookie });
    expect(chat).toContain("About Mug");
    await submit(
      `/chat/${chatId}?product=${other}`,
      { intent: "write", message: "And this?", productId: other, quantity: "1", about: "1" },
      { cookie },
    );
    expect((await written(chatId, { cookie })).at(-1)).toMatchObject({
      message: `And this?\n\nMug: ${ORIGIN}/products/${other}`,
      cards: [cardOf(other)],
    });
    expect(await page(`/chat/${chatId}?product=${other}`, { cookie })).not.toContain('name="productId"');
  });

  it("show name, price and stock now, with Add to Cart for the visitor alone", async () => {
    const productId = await addProduct({ name: "Desk Lamp", stock: 2 });
    const token = await staffToken();
    const text = "I have a question about the Desk Lamp.";
    const { chatId, cookie } = await startChat({ productId, initialMessage: text });
    await setStock(productId, 1);
    await env.DB.prepare("UPDATE products SET price_cents = 4321 WHERE id = ?").bind(productId).run();
    const visitor = await page(`/chat/${chatId}`, { cookie });
    expect(visitor).toContain('value="43.21"');
    expect(visitor).toContain("Only 1 left");
    expect(visitor).toContain("Add to Cart<");
    const seller = await page(`/admin/chat?chat=${chatId}`, { token });
    expect(seller).toContain("message-product");
    expect(seller).toContain("$43.21");
    expect(seller).not.toContain("Add to Cart<");
    await deleteProduct(productId);
    for (const html of [
      await page(`/chat/${chatId}`, { cookie }),
      await page(`/admin/chat?chat=${chatId}`, { token }),
    ]) {
      expect(html).toContain(text);
      expect(html).not.toContain("$43.21");
    }
  });

  it("tell the price of one piece from that of several", async () => {
    const productId = await addProduct({ name: "Phone case", priceCents: 2400, stock: 9 });
    const { chatId, cookie } = await startChat({ productId, quantity: 3, initialMessage: "Three?" });
    const visitor = await page(`/chat/${chatId}`, { cookie });
    expect(visitor).toContain("3 × $24.00");
    expect(visitor).toContain('value="72.00"');
    expect(visitor).not.toContain('value="24.00"');
    const seller = await page(`/admin/chat?chat=${chatId}`, { token: await staffToken() });
    expect(seller).toMatch(/"message-product-price">\$24\.00 each</);
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
    await submit(`/admin/chat?chat=${chatId}`, fields, { token });
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

it("a card of a later release leaves its message to the text, for the visitor and for the seller", async () => {
  const { chatId, cookie } = await startChat({ initialMessage: "Where are you?" });
  const token = await staffToken();
  await postMessage(chatId, "A parcel is on its way", { token });
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
    storage.sql.exec(
      "UPDATE messages SET cards = ? WHERE seq = 2",
      JSON.stringify([{ type: "parcel", parcelId: "1" }]),
    );
  });
  for (const [path, by] of [
    [`/chat/${chatId}`, { cookie }],
    [`/admin/chat?chat=${chatId}`, { token }],
  ] as const) {
    const page = await call(path, by);
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/<p[^>]*>A parcel is on its way<\/p>/);
  }
});
