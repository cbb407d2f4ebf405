import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { SaleCardsData } from "~/features/sales/cards/card-data";
import { messagesOf, startChat } from "../support/chat";
import { pdfFile, pictureFile, posted, postFiles } from "../support/chat-files";
import { formsIn, formWith, press, submit } from "../support/forms";
import { manager } from "../support/people";
import { hold, json, sendQuote, stockOf } from "../support/sales";
import { addProduct, call, cookiesOf } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

const page = async (path: string, by: { cookie?: string; token?: string }) => (await call(path, by)).text();
const lamp = (stock = 5) => addProduct({ name: "Walnut lamp", priceCents: 6400, stock });
const soon = () => Math.floor(Date.now() / 1000) + 3600;
const cards = (chatId: string, by: { cookie?: string; token?: string }) =>
  json<SaleCardsData>(call(`/chat/${chatId}/cards`, by));

/** Starts a chat about a cart of 2 lamps. */
async function cartChat(productId: string) {
  const cart = cookiesOf(await submit("/cart", { intent: "add", id: productId, quantity: "2" }));
  const started = await submit("/cart", { intent: "chat" }, { cookie: cart });
  const chatId = started.headers.get("Location")?.replace(/^\/chat\//, "") ?? "";
  return { chatId, cookie: cookiesOf(started) };
}

describe("setting products aside", () => {
  it("takes the cart, until the next closing time, and shows both sides its card", async () => {
    const productId = await lamp();
    const { chatId, cookie } = await cartChat(productId);
    const form = await page(`/admin/sales/hold?chat=${chatId}`, { token });
    expect(formWith(form, /^Set aside/).fields).toMatchObject({
      "lines[0].unitId": productId,
      "lines[0].quantity": "2",
      until: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
    });
    // The menu agrees with the way back.
    expect(/<a[^>]*aria-current="page"[^>]*>/.exec(form)?.[0]).toContain('href="/admin/chat"');
    const placed = await press(form, /^Set aside/, {}, { token });
    expect([placed.status, placed.headers.get("Location")]).toEqual([303, `/admin/chat?chat=${chatId}`]);
    expect(await stockOf(productId)).toMatchObject({ stock: 5, held: 2 });
    const { holds } = await cards(chatId, { cookie });
    expect(holds).toMatchObject([{ state: "active", lines: [{ productId, quantity: 2 }] }]);
    const visitor = await page(`/chat/${chatId}`, { cookie });
    expect(visitor).toContain(`Set aside until ${holds[0]?.until}`);
    const consoleHtml = await page(`/admin/chat?chat=${chatId}`, { token });
    expect(consoleHtml).toContain(`/admin/sales/new?chat=${chatId}&amp;hold=${holds[0]?.id}`);
  });

  it("names the choices of its lines in the card, in the text and in the sale", async () => {
    const productId = await addProduct({
      name: "Key tag",
      stock: 9,
      colors: ["Walnut", "Oak"],
      hasEngraving: true,
    });
    const add = (fields: Record<string, string>, cookie = "") =>
      submit("/cart", { intent: "add", id: productId, ...fields }, { cookie });
    const first = cookiesOf(await add({ quantity: "2", color: "Walnut", engraving: "Noor" }));
    const cart = cookiesOf(await add({ quantity: "1", color: "Oak" }, first));
    const started = await submit("/cart", { intent: "chat" }, { cookie: cart });
    const chatId = started.headers.get("Location")?.replace(/^\/chat\//, "") ?? "";
    const cookie = cookiesOf(started);
    await press(await page(`/admin/sales/hold?chat=${chatId}`, { token }), /^Set aside/, {}, { token });
    const name = "Key tag (2 × Walnut, “Noor”; 1 × Oak)";
    const { holds } = await cards(chatId, { cookie });
    expect(holds).toMatchObject([{ lines: [{ productId, quantity: 3, name }] }]);
    expect((await messagesOf(chatId, { cookie })).at(-1)?.message).toMatch(`: 3 × ${name}`);
    expect(await page(`/chat/${chatId}`, { cookie })).toContain(`3 × ${name}`);
    const sale = await page(`/admin/sales/new?hold=${holds[0]?.id}`, { token });
    expect(formWith(sale, /^Record sale/).fields).toMatchObject({ "lines[0].description": name });
    const lines = [{ productId, quantity: 1, description: "Key tag (Oak)" }];
    const placed = await json<{ lines: object[] }>(hold(token, { until: soon(), lines }));
    expect(placed.lines).toMatchObject([{ name: "Key tag (Oak)", quantity: 1 }]);
  });

  it("reports a shortage at its line and keeps the quantity", async () => {
    const productId = await lamp(1);
    const form = await page(`/admin/sales/hold?products=${productId}`, { token });
    const line = { "lines[0].unitId": productId, "lines[0].quantity": "3" };
    const refused = await press(form, /^Set aside/, line, { token });
    const html = await refused.text();
    expect(refused.status).toBe(409);
    expect(html).toContain("1 left");
    expect(html).toContain("Line 1: Walnut lamp: 1 left");
    expect(formWith(html, /^Set aside/).fields).toMatchObject({ "lines[0].quantity": "3" });
  });

  it("extends in the shop's time zone and releases, and tells the chat", async () => {
    const { chatId, cookie } = await startChat({});
    const productId = await lamp();
    const placed = await json<{ id: string }>(
      hold(token, { chatId, until: soon(), lines: [{ productId, quantity: 1 }] }),
    );
    const form = await page(`/admin/sales/hold?chat=${chatId}&hold=${placed.id}`, { token });
    const year = new Date().getUTCFullYear();
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const extended = await press(form, /^Save/, { until: `${day}T13:00` }, { token });
    expect(extended.status).toBe(303);
    expect((await cards(chatId, { cookie })).holds[0]?.until).toMatch(/13:00$/);
    const past = await press(form, /^Save/, { until: `${year - 1}-01-01T13:00` }, { token });
    expect([past.status, await past.text()]).toEqual([400, expect.stringContaining("Must be in the future")]);
    const inList = `/admin/chat?chat=${chatId}&q=lamp&filter=mine`;
    const released = await press(await page(inList, { token }), /^Release$/, {}, { token });
    expect([released.status, released.headers.get("Location")]).toEqual([303, inList]);
    expect(await stockOf(productId)).toMatchObject({ held: 0 });
    const texts = (await messagesOf(chatId, { cookie })).map(({ message }) => message);
    expect(texts.at(-2)).toMatch(/^Set aside until .* 13:00: 1 × Walnut lamp$/);
    expect(texts.at(-1)).toBe("No longer set aside: 1 × Walnut lamp");
  });

  it("is released by its visitor without JavaScript, once, and by no other visitor", async () => {
    const productId = await lamp();
    const { chatId, cookie } = await startChat({});
    await hold(token, { chatId, until: soon(), lines: [{ productId, quantity: 2 }] });
    const html = await page(`/chat/${chatId}`, { cookie });
    const { fields } = formWith(html, /^Release$/);
    const other = await startChat({});
    const stolen = await submit(`/chat/${other.chatId}`, fields, { cookie: other.cookie });
    expect(stolen.status).toBe(404);
    expect(await stockOf(productId)).toMatchObject({ held: 2 });
    for (let i = 0; i < 2; i++) expect((await press(html, /^Release$/, {}, { cookie })).status).toBe(303);
    expect(await stockOf(productId)).toMatchObject({ held: 0 });
    const messages = await messagesOf(chatId, { cookie });
    expect(messages.filter(({ message }) => message.startsWith("I don't need these any more"))).toMatchObject(
      [{ isFromAdmin: false }],
    );
    const shrunk = await page(`/chat/${chatId}`, { cookie });
    expect(shrunk).toContain("2 × Walnut lamp: released");
    expect(formsIn(shrunk).some(({ buttons }) => buttons.some(({ text }) => text === "Release"))).toBe(false);
  });
});

describe("a quote", () => {
  it("shows files under their original names", async () => {
    const { chatId, cookie } = await startChat({});
    const { cards: [sketch] = [] } = await posted(
      await postFiles({ chatId, cookie }, [pdfFile("Sketch of Noor.pdf")]),
    );
    const { cards: [picture] = [] } = await posted(
      await postFiles({ chatId, cookie }, [pictureFile("opaquePng", "Pot.png")]),
    );
    const form = await (await call(`/admin/sales/quote?chat=${chatId}`, { token })).text();
    const thumbnails = [...form.matchAll(/class="sale-file" src="([^"]+)"/g)].map(([, src]) => src);
    expect(thumbnails).toEqual([`/api/chat/file?key=${encodeURIComponent(picture?.key ?? "")}&amp;w=320`]);
    const lines = [{ description: "Coaster", quantity: 1, amount: 9 }];
    await call("/api/quote", { token, json: { chatId, title: "Coasters", lines, files: [sketch?.key] } });
    const { quotes } = await cards(chatId, { cookie });
    expect(quotes).toMatchObject([{ files: [{ key: sketch?.key, name: "Sketch of Noor.pdf" }] }]);
  });

  it("is accepted without JavaScript and becomes a sale of its lines", async () => {
    const { chatId, cookie } = await startChat({});
    expect((await sendQuote(token, chatId)).headers.get("Location")).toBe(`/admin/chat?chat=${chatId}`);
    const html = await page(`/chat/${chatId}`, { cookie });
    expect(html).toContain("4 × Coaster, Slate");
    expect(html).toContain("Ready by 31st Jan 2099");
    const accepted = await press(html, /^Accept$/, {}, { cookie });
    expect([accepted.status, accepted.headers.get("Location")]).toEqual([303, `/chat/${chatId}`]);
    expect((await messagesOf(chatId, { cookie })).at(-1)).toMatchObject({
      message: "I accept the quote: Slate coasters, $36.00",
      isFromAdmin: false,
    });
    const consoleHtml = await page(`/admin/chat?chat=${chatId}`, { token });
    expect(consoleHtml).toContain("Accepted");
    const record = await page(`/admin/sales/new?chat=${chatId}`, { token });
    expect(formWith(record, /^Record sale/).fields).toMatchObject({
      "lines[0].description": "Coaster, Slate",
      "lines[0].quantity": "4",
      "lines[0].price": "9.00",
      "lines[0].businessType": "LASER",
    });
    expect((await press(record, /^Record sale/, {}, { token })).status).toBe(303);
    expect((await cards(chatId, { cookie })).quotes).toMatchObject([{ state: "accepted", isSold: true }]);
  });

  it("of what the chat asks for is sold once, as its product and from the stock", async () => {
    const productId = await lamp();
    const { chatId, cookie } = await cartChat(productId);
    const form = await page(`/admin/sales/quote?chat=${chatId}`, { token });
    const words = {
      title: "Two lamps",
      "lines[0].description": "Lamps, with a name",
      "lines[0].price": "60",
    };
    expect((await press(form, /^Send quote/, words, { token })).status).toBe(303);
    await press(await page(`/chat/${chatId}`, { cookie }), /^Accept$/, {}, { cookie });
    const record = await page(`/admin/sales/new?chat=${chatId}`, { token });
    const { fields } = formWith(record, /^Record sale/);
    expect(fields).toMatchObject({
      ...{ "lines[0].unitId": productId, "lines[0].description": "Lamps, with a name" },
      ...{ "lines[0].quantity": "2", "lines[0].price": "60.00", "lines[0].businessType": "EMPORIA" },
    });
    expect(Object.keys(fields).filter((name) => name.startsWith("lines[1]"))).toEqual([]);
    expect((await press(record, /^Record sale/, {}, { token })).status).toBe(303);
    const { quotes, receipts } = await cards(chatId, { cookie });
    expect(quotes).toMatchObject([{ state: "accepted", isSold: true }]);
    expect(receipts).toMatchObject([{ totalCents: 12_000 }]);
    expect(await stockOf(productId)).toMatchObject({ stock: 3 });
  });

  it("of what is set aside is sold once, at its price, and ends the hold, from the chat and from either card", async () => {
    const [productId, vase] = [
      await lamp(),
      await addProduct({ name: "Stone vase", priceCents: 2400, stock: 3 }),
    ];
    const { chatId, cookie } = await cartChat(productId);
    const form = await page(`/admin/sales/quote?chat=${chatId}`, { token });
    const words = {
      title: "Two lamps",
      "lines[0].description": "Lamps, with a name",
      "lines[0].price": "52.99",
    };
    expect((await press(form, /^Send quote/, words, { token })).status).toBe(303);
    await press(await page(`/chat/${chatId}`, { cookie }), /^Accept$/, {}, { cookie });
    // The quoted pieces are what is set aside.
    const aside = await page(`/admin/sales/hold?chat=${chatId}`, { token });
    expect(formWith(aside, /^Set aside/).fields).toMatchObject({
      "lines[0].unitId": productId,
      "lines[0].quantity": "2",
    });
    const both = {
      chatId,
      until: soon(),
      lines: [productId, vase].map((id) => ({ productId: id, quantity: 2 })),
    };
    const { id: holdId } = await json<{ id: string }>(hold(token, both));
    const quoteId = (await cards(chatId, { cookie })).quotes[0]?.id;
    const vases = { "lines[0].unitId": vase, "lines[0].quantity": "2", "lines[0].price": "24.00" };
    const lamps = { "lines[1].unitId": productId, "lines[1].quantity": "2", "lines[1].price": "52.99" };
    for (const named of ["", `&hold=${holdId}`, `&quote=${quoteId}`]) {
      const record = await page(`/admin/sales/new?chat=${chatId}${named}`, { token });
      const { fields } = formWith(record, /^Record sale/);
      expect(fields, named).toMatchObject({ ...vases, ...lamps, holdId, quoteId });
      expect(
        Object.keys(fields).filter((name) => name.startsWith("lines[2]")),
        named,
      ).toEqual([]);
    }
    expect(await page(`/admin/chat?chat=${chatId}`, { token })).toContain("$153.98");
    const offered = formWith(
      await page(`/admin/sales/quote?chat=${chatId}`, { token }),
      /^Send quote/,
    ).fields;
    expect(offered).toMatchObject({ ...vases, "lines[0].description": "Stone vase" });
    expect(offered).not.toHaveProperty(["lines[1].unitId"]);
    const record = await page(`/admin/sales/new?chat=${chatId}&quote=${quoteId}`, { token });
    expect((await press(record, /^Record sale/, { paymentMode: "CARD" }, { token })).status).toBe(303);
    expect(await cards(chatId, { cookie })).toMatchObject({
      holds: [{ state: "sold" }],
      quotes: [{ isSold: true }],
      receipts: [{ totalCents: 15_398 }],
    });
    expect(await stockOf(productId)).toMatchObject({ stock: 3, held: 0 });
    expect(await stockOf(vase)).toMatchObject({ stock: 1, held: 0 });
  });

  it("typed by hand is of the product on hold that it names", async () => {
    const productId = await lamp();
    const { chatId, cookie } = await startChat({});
    await hold(token, { chatId, until: soon(), lines: [{ productId, quantity: 1 }] });
    const form = await page(`/admin/sales/quote?chat=${chatId}`, { token });
    expect(formWith(form, /^Send quote/).fields).toMatchObject({
      "lines[0].unitId": productId,
      "lines[0].description": "Walnut lamp",
      "lines[0].price": "64.00",
    });
    const lines = [{ description: "walnut lamp, engraved", quantity: 1, amount: 52.99 }];
    await call("/api/quote", { token, json: { chatId, title: "Lamp", lines } });
    await press(await page(`/chat/${chatId}`, { cookie }), /^Accept$/, {}, { cookie });
    const record = await page(`/admin/sales/new?chat=${chatId}`, { token });
    const { fields } = formWith(record, /^Record sale/);
    expect(fields).toMatchObject({ "lines[0].unitId": productId, "lines[0].price": "52.99" });
    expect(Object.keys(fields).filter((name) => name.startsWith("lines[1]"))).toEqual([]);
    expect((await press(record, /^Record sale/, {}, { token })).status).toBe(303);
    expect(await stockOf(productId)).toMatchObject({ stock: 4, held: 0 });
  });

  it("stays unsold when its lines were taken out of the sale", async () => {
    const { chatId, cookie } = await startChat({});
    await sendQuote(token, chatId);
    await press(await page(`/chat/${chatId}`, { cookie }), /^Accept$/, {}, { cookie });
    const record = await page(`/admin/sales/new?chat=${chatId}`, { token });
    const { fields, action } = formWith(record, /^Record sale/);
    const without = await submit(action, { ...fields, edit: "remove.0" }, { token });
    const own = await press(await without.text(), /^Add own line/, { find: "Gift wrap" }, { token });
    const sold = await press(await own.text(), /^Record sale/, { "lines[0].price": "2" }, { token });
    expect(sold.status).toBe(303);
    expect((await cards(chatId, { cookie })).quotes).toMatchObject([{ state: "accepted", isSold: false }]);
  });

  it("tells the visitor that it was withdrawn, which no message of theirs can keep from being posted", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Four coasters?" });
    await sendQuote(token, chatId);
    const id = (await cards(chatId, { cookie })).quotes[0]?.id;
    const early = { id: `quote-${id}-withdrawn`, message: "Mine", isFromAdmin: false, chatId };
    const refused = await call("/api/chat/message", { json: early, cookie });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("Must not begin with hold-, "),
    ]);
    const json = { state: "withdrawn" };
    expect((await call(`/api/quote/${id}`, { method: "PATCH", json, token })).status).toBe(200);
    const messages = await messagesOf(chatId, { cookie });
    expect(messages.find((message) => message.id === early.id)).toMatchObject({ isFromAdmin: true });
  });

  it("cannot be accepted after it was withdrawn", async () => {
    const { chatId, cookie } = await startChat({});
    await sendQuote(token, chatId);
    const html = await page(`/chat/${chatId}`, { cookie });
    const consoleHtml = await page(`/admin/chat?chat=${chatId}`, { token });
    expect((await press(consoleHtml, /^Withdraw$/, {}, { token })).status).toBe(303);
    const late = await press(html, /^Accept$/, {}, { cookie });
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringContaining("This quote was withdrawn."),
    ]);
  });

  it("reports its errors beside the fields and keeps what was typed", async () => {
    const { chatId } = await startChat({});
    const form = await page(`/admin/sales/quote?chat=${chatId}`, { token });
    const refused = await press(form, /^Send quote/, { "lines[0].price": "9", note: "Felt" }, { token });
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toContain("Title is required");
    expect(html).toContain("Description is required");
    expect(formWith(html, /^Send quote/).fields).toMatchObject({ note: "Felt", "lines[0].price": "9" });
  });
});

describe("the data of the cards", () => {
  it("is for the chat's visitor and staff", async () => {
    const { chatId, cookie } = await startChat({});
    expect((await call(`/chat/${chatId}/cards`, { cookie })).status).toBe(200);
    expect((await call(`/chat/${chatId}/cards`, { token })).status).toBe(200);
    const other = await startChat({});
    expect((await call(`/chat/${chatId}/cards`, { cookie: other.cookie })).status).toBe(403);
    expect((await call("/chat/unknown/cards", {})).status).toBe(403);
  });

  it("says that a hold has ended by the clock", async () => {
    const { chatId, cookie } = await startChat({});
    const { id } = await json<{ id: string }>(
      hold(token, { chatId, until: soon(), lines: [{ productId: await lamp(), quantity: 1 }] }),
    );
    await env.DB.prepare("UPDATE holds SET until = unixepoch() - 1 WHERE id = ?").bind(id).run();
    expect((await cards(chatId, { cookie })).holds).toMatchObject([{ state: "ended" }]);
    expect(await page(`/chat/${chatId}`, { cookie })).toContain("ended, no longer set aside");
  });
});
