import { describe, expect, it } from "vitest";
import {
  findPurchases,
  isAttached,
  latestProductIds,
  listsCart,
  messageParts,
  productLine,
  splitLinks,
  withLine,
} from "./message-links";
import type { ChatMessage } from "./protocol";

const SHOP = "https://emporia.example";
const LAMP = { id: "desk-lamp", name: "Desk Lamp", priceCents: 12_900, stock: 2, image: null };
const lampLine = productLine(LAMP, SHOP);
const products = new Map([
  [LAMP.id, LAMP],
  ["gone", null],
]);
const hrefs = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);
const partsOf = (message: string, productId?: string) =>
  messageParts(
    { message, ...(productId && { cards: [{ type: "product" as const, productId }] }) },
    products,
    SHOP,
  );

describe("findPurchases", () => {
  it("finds the latest cart and the latest request for each product, of the visitor alone, in order", () => {
    const asks = (text: string, productId?: string, isFromAdmin = false) =>
      ({
        message: `I'm interested in buying ${text}`,
        isFromAdmin,
        ...(productId && { cards: [{ type: "product" as const, productId }] }),
      }) as ChatMessage;
    const cart = asks("these items:\n- Lamp × 1, $1.00 each\nTotal: $1.00");
    const [lamp, mug, again] = [
      asks("the Lamp.", "lamp"),
      asks("the Mug.", "mug"),
      asks("the Lamp.", "lamp"),
    ];
    const other = { message: "Is it heavy?", isFromAdmin: false } as ChatMessage;
    const messages = [{ ...cart }, lamp, cart, mug, other, again, asks("the Vase.", "vase", true)];
    expect([...findPurchases(messages)]).toEqual([cart, mug, again]);
    expect([cart, mug].map(listsCart)).toEqual([true, false]);
  });
});

describe("choices that a card has", () => {
  const pen = {
    type: "product" as const,
    productId: LAMP.id,
    quantity: 2,
    color: "Walnut",
    engraving: "One",
  };
  const textOf = (message: string, card: object = pen) =>
    messageParts({ message, cards: [{ ...pen, ...card }] }, products, SHOP).text;

  it("are left out of a request to buy", () => {
    const first = "I'm interested in buying the Desk Lamp.";
    expect(textOf(`${first}\nQuantity: 2\nWood: Walnut\nEngraving: “One”`)).toBe(first);
    const open = { color: undefined, engraving: undefined, quantity: 1 };
    expect(textOf(`${first}\nWood: not chosen yet\nWords: none yet`, open)).toBe(first);
  });

  it("stay where the card has others, and in what the visitor typed", () => {
    const typed = "Which fits?\nWood: Walnut";
    expect(textOf(typed)).toBe(typed);
    const other = "I'm interested in buying the Desk Lamp.\nEngraving: “Two”";
    expect(textOf(other)).toBe(other);
    const note = "I'm interested in buying the Desk Lamp.\nTomorrow, please.";
    expect(textOf(note)).toBe(note);
  });
});

describe("splitLinks", () => {
  it("keeps every character, in order", () => {
    const text = "See https://a.example/x?y=1&z=<b>, or (https://b.example/c_(d)).\nhttp://c.example";
    expect(
      splitLinks(text)
        .map((segment) => segment.text)
        .join(""),
    ).toBe(text);
  });

  it.each([
    ["https://a.example", ["https://a.example/"]],
    ["Look: https://a.example/x.", ["https://a.example/x"]],
    ["(https://a.example/x)", ["https://a.example/x"]],
    ["https://a.example/c_(d)", ["https://a.example/c_(d)"]],
    ["HTTPS://A.EXAMPLE/X", ["https://a.example/X"]],
    ["https://a.example https://b.example", ["https://a.example/", "https://b.example/"]],
    ["http://a.example", []],
    ["javascript:alert(1)", []],
    ["data:text/html,<script>", []],
    ["https://emporia.example@evil.example/", []],
    ["https://:secret@evil.example/", []],
    ["https://", []],
    ["https://a.example/\u202egnp.exe", ["https://a.example/"]],
    ["看 https://a.example/x。谢谢", ["https://a.example/x"]],
    ["（https://a.example/x）后面的话", ["https://a.example/x"]],
    ["「https://a.example/x」です", ["https://a.example/x"]],
    ["https://a.example/x…", ["https://a.example/x"]],
    ["“https://a.example/x”", ["https://a.example/x"]],
    ["**https://a.example/x** now", ["https://a.example/x"]],
    ["*https://a.example/x* now", ["https://a.example/x"]],
    ["_https://a.example/x_, *see https://a.example/y*.", ["https://a.example/x", "https://a.example/y"]],
    ["https://a.example/id_", ["https://a.example/id_"]],
    ["https://a.example/a*b", ["https://a.example/a*b"]],
    ["https://a.example/größe-日本", ["https://a.example/gr%C3%B6%C3%9Fe-%E6%97%A5%E6%9C%AC"]],
    ['https://a.example/"onclick=alert(1)', ["https://a.example/"]],
  ])("finds the links of %j", (text, expected) => {
    expect(hrefs(text)).toEqual(expected);
  });
});

describe("products of messages", () => {
  it("are those of cards and of links to the shop's own products, latest first and at most 50", () => {
    const link = (id: string, origin = SHOP) => ({ message: `${origin}/products/${id}` });
    const card = { message: "This?", cards: [{ type: "product" as const, productId: "mug" }] };
    expect(
      latestProductIds([link("vase"), card, link("vase"), link("x", "https://evil.example")], SHOP),
    ).toEqual(["vase", "mug"]);
    expect(latestProductIds([link("a/../b"), link("a%2Fb"), link("a?b")], SHOP)).toEqual(["a", "b"]);
    const many = Array.from({ length: 60 }, (_, i) => link(`p${i}`));
    expect(latestProductIds(many, SHOP)).toHaveLength(50);
    expect(latestProductIds(many, SHOP)[0]).toBe("p59");
  });

  it("are all that a message has cards of", () => {
    const ids = ["desk-lamp", "mug", "vase"];
    const cards = ids.map((productId) => ({ type: "product" as const, productId }));
    const known = new Map(ids.map((id) => [id, { ...LAMP, id }]));
    const message = { message: "These?", isFromAdmin: false, cards };
    expect(messageParts(message, known, SHOP).products.map(({ id }) => id)).toEqual(ids);
    expect(latestProductIds([message], SHOP)).toEqual(ids);
    expect(ids.map((id) => isAttached([message], id))).toEqual([true, true, true]);
  });

  it("replace the last lines that only name them", () => {
    expect(partsOf(withLine("Is it dimmable?", lampLine), LAMP.id)).toEqual({
      text: "Is it dimmable?",
      products: [LAMP],
    });
    expect(partsOf(`${SHOP}/products/desk-lamp`)).toEqual({ text: "", products: [LAMP] });
    const within = `This one ${SHOP}/products/desk-lamp, please`;
    expect(partsOf(within)).toEqual({ text: within, products: [LAMP] });
  });

  it("leave the text as it is when they are deleted or unknown", () => {
    for (const id of ["gone", "unknown"]) {
      const text = `Look\n\nMug: ${SHOP}/products/${id}`;
      expect(partsOf(text, id)).toEqual({ text, products: [] });
    }
  });

  it("are attached once: not the conversation's latest one, nor the visitor's latest one", () => {
    const card = (productId: string, isFromAdmin: boolean) => ({
      isFromAdmin,
      cards: [{ type: "product" as const, productId }],
    });
    const plain = { isFromAdmin: false };
    const messages = [card("vase", false), card("lamp", false), plain, card("mug", true), plain];
    expect(["vase", "lamp", "mug"].map((id) => isAttached(messages, id))).toEqual([false, true, true]);
    expect(isAttached([plain], "lamp")).toBe(false);
  });

  it("are left out of a message that would become too long", () => {
    const long = "x".repeat(1990);
    expect(withLine(long, lampLine)).toBe(long);
    expect(withLine("", lampLine)).toBe(lampLine);
  });
});
