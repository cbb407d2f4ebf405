import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { cartCookie } from "~/session/cookies.server";
import { messagesOf, staffToken } from "../support/chat";
import { addProduct, call, setStock } from "../support/shop";
import { visitor } from "../support/visitor";

const NOOR = "If found, please ring Noor";
let tag: string;
beforeAll(async () => {
  tag = await addProduct({
    id: "key-tag",
    name: "Key tag",
    priceCents: 1600,
    stock: 5,
    colors: ["Walnut", "Steel"],
    hasEngraving: true,
  });
  await addProduct({ id: "one-color", name: "Slate", stock: 5, colors: ["Slate"] });
  await addProduct({ id: "plain", name: "Plain", stock: 5 });
});

const add = (fields: Record<string, string> = {}) => ({ intent: "add", id: tag, ...fields });
const change = (fields: Record<string, string>) => ({ intent: "options", id: tag, ...fields });

describe("words that exceed the plate", () => {
  const plate = { x: 0.3, y: 0.5, width: 0.3, height: 0.2, angle: 0, tone: "cut" as const, lines: [12, 12] };
  const LONG = "A".repeat(60);
  const NOTE = "Too long for this piece: 2 lines of 12 letters. We'll ask in the chat.";
  beforeAll(async () => {
    await addProduct({
      id: "small-tag",
      name: "Small tag",
      stock: 9,
      colors: ["Steel"],
      hasEngraving: true,
      imageUrls: ["minio:tag"],
      imageAlts: ["The steel tag"],
      plates: { "minio:tag": plate },
    });
  });

  it("are told when they are added or changed, and in the cart; they stay as typed", async () => {
    const { send, cart, page } = visitor();
    const short = { intent: "add", id: "small-tag", engraving: "Noor" };
    expect(await send(short)).toMatchObject({ toast: "Small tag added to cart" });
    expect(await send({ ...short, engraving: LONG })).toMatchObject({
      toast: { type: "info", message: `Small tag added to cart. ${NOTE}` },
    });
    const changed = { id: "small-tag", wasColor: "Steel", wasEngraving: "Noor", engraving: `${NOOR}!` };
    expect(await send({ intent: "options", ...changed })).toMatchObject({
      toast: { type: "info", message: `Choice saved. ${NOTE}` },
    });
    expect((await cart()).lines).toMatchObject([
      { engraving: `${NOOR}!`, note: NOTE },
      { engraving: LONG, note: NOTE },
    ]);
    expect(await page("/cart")).toContain("Too long for this piece: 2 lines of 12 letters.");
  });

  it("are named on the product's page by what the plate holds", async () => {
    expect(await visitor().page("/products/small-tag")).toContain("2 lines of 12 letters");
  });
});

describe("a cart line with options", () => {
  it("is another line for other options, and the same one for the same", async () => {
    const { send, cart } = visitor();
    await send(add({ color: "Walnut", engraving: NOOR }));
    await send(add({ color: "Walnut", engraving: ` If found,  please ring Noor ` }));
    await send(add({ color: "Steel" }));
    await send(add());
    expect((await cart()).lines).toMatchObject([
      { id: tag, quantity: 2, color: "Walnut", engraving: NOOR },
      { id: tag, quantity: 1, color: "Steel", engraving: null },
      { id: tag, quantity: 1, color: null, engraving: null },
    ]);
  });

  it("shares the stock with the other lines of its product", async () => {
    const { send, cart } = visitor();
    await send(add({ color: "Walnut", quantity: "3" }));
    await send(add({ color: "Steel", quantity: "9" }));
    expect((await cart()).lines).toMatchObject([{ quantity: 3 }, { quantity: 2 }]);
    expect(await send(add())).toMatchObject({ status: 409 });
    await send({ intent: "set", id: tag, color: "Walnut", engraving: "", quantity: "9" });
    expect((await cart()).itemCount).toBe(5);
    const steel = { intent: "set", id: tag, color: "Steel", engraving: "" };
    await setStock(tag, 3);
    expect(await send({ ...steel, quantity: "1" })).toMatchObject({ status: 409 });
    expect((await cart()).lines).toMatchObject([{ quantity: 3 }, { quantity: 0 }]);
    await setStock(tag, 5);
  });

  it("is set and removed by its options; without them the first line of the product", async () => {
    const { send, cart } = visitor();
    await send(add({ color: "Walnut" }));
    await send(add());
    await send({ intent: "set", id: tag, color: "", engraving: "", quantity: "2" });
    expect((await cart()).lines).toMatchObject([{ color: "Walnut", quantity: 1 }, { quantity: 2 }]);
    await send({ intent: "remove", id: tag });
    expect((await cart()).lines).toMatchObject([{ color: null, quantity: 2 }]);
  });

  it("can be changed, and joins a line that has the options already", async () => {
    const { send, cart } = visitor();
    await send(add({ color: "Walnut", quantity: "2" }));
    await send(add());
    const named = { wasColor: "", wasEngraving: "" };
    expect(await send(change({ ...named, color: "Steel", engraving: NOOR }))).toMatchObject({ status: 200 });
    expect((await cart()).lines).toMatchObject([{ color: "Walnut" }, { color: "Steel", engraving: NOOR }]);
    await send(change({ wasColor: "Steel", wasEngraving: NOOR, color: "Walnut", engraving: "" }));
    expect((await cart()).lines).toMatchObject([{ color: "Walnut", engraving: null, quantity: 3 }]);
    expect(await send(change({ wasColor: "Steel", wasEngraving: "", color: "Walnut" }))).toMatchObject({
      status: 404,
    });
  });

  it("is read from the cookie of before there were options", async () => {
    const old = [
      [tag, 2],
      ["one-color", 1],
    ];
    const cookie = await cartCookie(
      old.map(([id, quantity]) => ({
        id: String(id),
        quantity: Number(quantity),
        color: null,
        engraving: null,
      })),
      env.COOKIE_SECRET,
      false,
    );
    const value = decodeURIComponent(/=([^.]*)/.exec(cookie)?.[1] ?? "");
    expect(JSON.parse(atob(value))).toEqual(old);
    const { cart } = visitor(cookie.split(";")[0]);
    expect((await cart()).lines).toMatchObject([
      { id: tag, quantity: 2, color: null },
      { id: "one-color", quantity: 1, color: "Slate" },
    ]);
  });

  it("forgets what the product no longer offers, and says so", async () => {
    const id = await addProduct({ colors: ["Moss", "Sand"], hasEngraving: true });
    const { send, cart } = visitor();
    await send({ intent: "add", id, color: "Moss", engraving: "Ada" });
    await env.DB.prepare("UPDATE products SET colors = ?, has_engraving = 0 WHERE id = ?")
      .bind('["Sand","Clay"]', id)
      .run();
    expect((await cart()).lines).toMatchObject([
      { color: null, engraving: null, unavailable: ["Moss", "Ada"] },
    ]);
  });

  it("names a withdrawn colour that is also the text to engrave", async () => {
    const id = await addProduct({ colors: ["Blue", "Sand"], hasEngraving: true });
    const { send, cart } = visitor();
    await send({ intent: "add", id, color: "Blue", engraving: "Blue" });
    await env.DB.prepare("UPDATE products SET colors = ? WHERE id = ?").bind('["Sand","Clay"]', id).run();
    expect((await cart()).lines).toMatchObject([{ color: null, engraving: "Blue", unavailable: ["Blue"] }]);
  });

  it("is refused when the cookie can't hold more words", async () => {
    const { send, cookie } = visitor();
    let refused = 0;
    const id = await addProduct({ stock: 1000, hasEngraving: true });
    for (let i = 0; i < 40; i++)
      if ((await send({ intent: "add", id, engraving: `${i} ${"ж".repeat(57)}` })).status === 409) refused++;
    expect(refused).toBeGreaterThan(0);
    expect(cookie().length).toBeLessThan(4096);
  });
});

describe("hasEngraving", () => {
  it("is set and taken back by staff, and stays when it is not sent", async () => {
    const token = await staffToken();
    const json = { name: "Pen", price: 45, category: "ENGRAVING", hasEngraving: true };
    const { id } = (await (await call("/api/product", { json, token })).json()) as { id: string };
    const put = (changes: object) => call(`/api/product/${id}`, { method: "PUT", json: changes, token });
    const shown = async () => (await call(`/api/product/id/${id}`)).json();
    await put({ price: 40 });
    expect(await shown()).toMatchObject({ price: 40, hasEngraving: true });
    expect((await put({ hasEngraving: "perhaps" })).status).toBe(400);
    await put({ hasEngraving: false });
    expect(await shown()).toMatchObject({ hasEngraving: false });
  });
});

describe("rejected options", () => {
  it.each([
    [
      "a colour that the product doesn't have",
      { color: "Purple" },
      "Key tag doesn't come in “Purple”. Choose Walnut, Steel.",
    ],
    ["61 characters", { engraving: "x".repeat(61) }, "The engraving is longer than 60 characters."],
    [
      "control characters",
      { engraving: "Ada\u0007" + "x" },
      "The engraving has characters that can't be engraved.",
    ],
    ["a new line", { engraving: "Ada\nLovelace" }, "The engraving has characters that can't be engraved."],
    [
      "marks that turn the text round",
      { engraving: "Ada\u202eecalevoL" },
      "The engraving has characters that can't be engraved.",
    ],
  ])("%s", async (_, fields, failure) => {
    const { send, cart } = visitor();
    for (const path of ["/cart/submit", "/chat/submit"])
      expect(
        await send({ ...add(fields), ...(path === "/chat/submit" && { intent: "product" }) }, path),
      ).toMatchObject({
        status: 400,
        failure,
      });
    expect((await cart()).lines).toEqual([]);
  });

  it("words on a product that can't be engraved", async () => {
    expect(await visitor().send({ intent: "add", id: "plain", engraving: "Ada" })).toMatchObject({
      status: 400,
      failure: "Plain can't be engraved.",
    });
  });

  it.each([
    ["60 characters", "x".repeat(60)],
    ["emoji", "Noor 🐈‍⬛💚"],
    ["writing from right to left", "נור ونور"],
  ])("but not %s", async (_, engraving) => {
    const { send, cart } = visitor();
    expect(await send(add({ engraving }))).toMatchObject({ status: 200 });
    expect((await cart()).lines).toMatchObject([{ engraving }]);
  });

  it.each(["", "  ", "\u200b"])("and '%s' means no words", async (engraving) => {
    const { send, cart } = visitor();
    await send(add({ engraving }));
    expect((await cart()).lines).toMatchObject([{ engraving: null }]);
  });
});

describe("the options in a conversation", () => {
  const chatOf = (to = "") => to.replace(/^\/chat\//, "");

  it("are in the first message, in the cart beside it, and in the sale that it leads to", async () => {
    const { send, cookie } = visitor();
    const form = { intent: "product", id: tag, quantity: "2", color: "Walnut", engraving: NOOR };
    const chatId = chatOf((await send(form, "/chat/submit")).to);
    const [first] = await messagesOf(chatId, { cookie: cookie() });
    expect(first?.message).toBe(
      `I'm interested in buying the Key tag.\nQuantity: 2\nColour: Walnut\nEngraving: “${NOOR}”`,
    );
    const { cart } = (await (await call(`/chat/${chatId}/cart`, { cookie: cookie() })).json()) as {
      cart: { lines: unknown[] };
    };
    expect(cart.lines).toMatchObject([{ quantity: 2, color: "Walnut", engraving: NOOR, swatch: "#664830" }]);
    const sale = await (await call(`/admin/sales/new?chat=${chatId}`, { token: await staffToken() })).text();
    expect(sale).toContain(`value="Key tag (Walnut, “${NOOR}”)"`);
    // Another number of pieces is another request.
    for (const quantity of ["3", "3"]) await send({ ...form, quantity }, "/chat/submit");
    const asked = (await messagesOf(chatId, { cookie: cookie() })).filter(({ isFromAdmin }) => !isFromAdmin);
    expect(asked.map(({ message }) => message.split("\n")[1])).toEqual(["Quantity: 2", "Quantity: 3"]);
  });

  it("are called open where nothing was chosen", async () => {
    const { send, cookie } = visitor();
    await send(add({ color: "Steel" }));
    await send(add());
    await send({ intent: "add", id: "plain" });
    const chatId = chatOf((await send({ intent: "chat" }, "/cart/submit")).to);
    const [first] = await messagesOf(chatId, { cookie: cookie() });
    expect(first?.message.split("\n").slice(1, 4)).toEqual([
      "- Key tag (Steel, no words yet) × 1, $16.00 each",
      "- Key tag (colour not chosen, no words yet) × 1, $16.00 each",
      expect.stringMatching(/^- Plain × 1/),
    ]);
    const sale = await (await call(`/admin/sales/new?chat=${chatId}`, { token: await staffToken() })).text();
    for (const name of ["Key tag (Steel)", "Key tag", "Plain"]) expect(sale).toContain(`value="${name}"`);
  });
});
