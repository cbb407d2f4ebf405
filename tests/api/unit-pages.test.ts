import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { json } from "../support/sales";
import { call } from "../support/shop";
import { visitor } from "../support/visitor";

const OPTIONS = [
  { name: "Colour", values: ["Moss", "Sand"] },
  { name: "Size", values: ["42 cm", "52 cm"] },
];
const EAN = "4006381333931";
const UNITS = [
  { options: { Colour: "Moss", Size: "42 cm" }, stock: 0, sku: "BOARD-M42" },
  { options: { Colour: "Moss", Size: "52 cm" }, stock: 2, price: 98, sku: "BOARD-M52", barcode: EAN },
  { options: { Colour: "Sand", Size: "42 cm" }, stock: 9, barcode: "4006381333932" },
];

let token: string;
let board: string;

const post = async (product: Record<string, unknown>) => {
  const fields = { name: "Serving board", price: 78, category: "HOME_DECOR", description: "<p>A board.</p>" };
  const answer = await call("/api/product", { json: { ...fields, ...product }, token });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return (await json<{ id: string }>(answer)).id;
};

beforeAll(async () => {
  ({ token } = await manager());
  board = await post({ options: OPTIONS, units: UNITS });
});

/** Facts of a product's page. */
async function pageOf(path: string) {
  const answer = await call(path);
  const chosen: string[] = [];
  const tiles: string[] = [];
  const offers: string[] = [];
  const errors: string[] = [];
  const texts: string[] = [];
  const near: (string | undefined)[] = [];
  const collect = (list: string[]) => ({
    element: () => void list.push(""),
    text: ({ text }: Text) => void list.push(`${list.pop() ?? ""}${text}`),
  });
  const rewriter = new HTMLRewriter()
    .on(".choices input[checked]", { element: (e) => void chosen.push(e.getAttribute("value") ?? "") })
    .on(".choices .swatch small", collect(tiles))
    .on(".choices > p", collect(errors))
    .on(".price-row", collect(texts))
    .on(".restock p a", { element: (e) => void near.push(e.getAttribute("href")?.replaceAll("&amp;", "&")) })
    .on('script[type="application/ld+json"]', collect(offers));
  const html = await rewriter.transform(answer.clone()).text();
  const [data] = offers.flatMap((text) => JSON.parse(text) as Record<string, unknown>[]);
  return { status: answer.status, answer, html, chosen, tiles, errors, near, price: texts.join(""), data };
}

it.each([
  "/shop",
  "/shop?category=HOME_DECOR",
  "/shop?sort=price-asc",
  "/shop?search=board",
  "/shop?inStock=1",
  "/",
])("the tags of %s have a price, and say whether it is the lowest", async (path) => {
  await post({ name: "Serving board of one price", stock: 3 });
  const tags: string[] = [];
  const rewriter = new HTMLRewriter().on("main .price-tag", {
    element: () => void tags.push(""),
    text: ({ text }) => void tags.push(`${tags.pop() ?? ""}${text}`),
  });
  await rewriter.transform(await call(path)).text();
  expect(new Set(tags)).toEqual(new Set(["$78.00", "from $78.00"]));
});

describe("the page of a product with options", () => {
  it("opens with the first unit that can be bought", async () => {
    const page = await pageOf(`/products/${board}`);
    expect(page.chosen).toEqual(["Moss", "52 cm"]);
    expect(page.tiles).toEqual(["2 left", "not made in 52 cm", "sold out in Moss", "$98.00"]);
    expect(page.price).toContain("Only 2 left");
    expect(page.html).toContain('value="98.00"');
  });

  it("opens with the choice of its address, in any case, and completes it", async () => {
    const page = await pageOf(`/products/${board}?Colour=sand`);
    expect(page.chosen).toEqual(["Sand", "42 cm"]);
    expect(page.price).toContain("In stock, 9 left");
    expect(page.answer.headers.get("X-Edge-Cache")).toBeNull();
  });

  it("says that a choice is sold out or not made, and asks about it", async () => {
    const soldOut = await pageOf(`/products/${board}?Colour=Moss&Size=42+cm`);
    expect(soldOut.price).toContain("Out of Stock");
    expect(soldOut.html).toMatch(/name="color" value="Moss \/ 42 cm"/);
    expect(soldOut.near).toEqual([
      `/products/${board}?Colour=Moss&Size=52+cm`,
      `/products/${board}?Colour=Sand&Size=42+cm`,
    ]);
    const unmade = await pageOf(`/products/${board}?Colour=Sand&Size=52+cm`);
    expect(unmade.price).toContain("Out of Stock");
    expect(unmade.html).toContain("Sand / 52 cm is not made");
    expect(unmade.html).not.toContain("restock-email");
    expect(unmade.near).toHaveLength(2);
  });

  it("says that a value is gone, and writes hostile ones as text", async () => {
    const gone = await pageOf(`/products/${board}?Colour=Clay`);
    expect(gone.errors).toEqual(["There is no “Clay” any more."]);
    expect(gone.chosen).toEqual(["Moss", "52 cm"]);
    const hostile = await pageOf(
      `/products/${board}?Colour=${encodeURIComponent("<script>alert(1)</script>")}`,
    );
    expect(hostile.status).toBe(200);
    expect(hostile.html).not.toContain("<script>alert");
  });

  it("leads from the fields of a form without a script to the address of the choice", async () => {
    const fields = new URLSearchParams({ id: board, quantity: "1", choice1: "Sand", choice2: "42 cm" });
    const answer = await call(`/products/${board}?${fields}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe(`/products/${board}?Colour=Sand&Size=42+cm`);
    const hostile = await call(`/products/${board}?choice1=//evil.example`);
    expect(hostile.headers.get("Location")).toBe(`/products/${board}`);
  });

  it("is kept at the edge without a choice, whatever an advertisement adds", async () => {
    const id = await post({ options: OPTIONS, units: UNITS });
    const state = async (query: string) =>
      (await call(`/products/${id}${query}`)).headers.get("X-Edge-Cache");
    expect(await state("?utm_source=mail")).toBe("miss");
    expect(await state("?fbclid=1")).toBe("hit");
    expect(await state("?Colour=Sand")).toBeNull();
  });

  it("has 100 units, and answers 404 for the id of one", async () => {
    const sizes = Array.from({ length: 100 }, (_, i) => `${i + 1} mm`);
    const units = sizes.map((Size, i) => ({ options: { Size }, stock: i % 3, price: 10 + i }));
    const id = await post({ options: [{ name: "Size", values: sizes }], units });
    const page = await pageOf(`/products/${id}?Size=100+mm`);
    expect(page.chosen).toEqual(["100 mm"]);
    expect(page.tiles).toHaveLength(100);
    const product = await json<{ units: { id: string }[] }>(call(`/api/product/id/${id}`));
    expect((await call(`/products/${product.units[0]?.id}`)).status).toBe(404);
  });

  it("has an offer of each unit for search engines", async () => {
    const { data } = await pageOf(`/products/${board}`);
    expect(data).toMatchObject({ "@type": "Product", sku: board });
    const offers = data?.offers as Record<string, unknown>[];
    expect(offers.map(({ sku, gtin, price }) => [sku, gtin, price])).toEqual([
      ["BOARD-M42", undefined, "78.00"],
      ["BOARD-M52", EAN, "98.00"],
      [expect.any(String), undefined, "78.00"],
    ]);
    expect(offers[0]?.availability).toBe("https://schema.org/OutOfStock");
    expect(offers[1]?.url).toMatch(/\/products\/[\w-]+\?Colour=Moss&Size=52\+cm$/);
  });

  it("has one offer without options", async () => {
    const id = await post({ name: "Plain board", stock: 3, units: [{ sku: "PLAIN-1", barcode: EAN }] });
    const { data, chosen, tiles } = await pageOf(`/products/${id}`);
    expect([chosen, tiles]).toEqual([[], []]);
    expect(data).toMatchObject({ sku: "PLAIN-1", offers: { sku: "PLAIN-1", gtin: EAN } });
  });
});

describe("forms of a product with options, without a script", () => {
  const add = (fields: Record<string, string>) => ({ intent: "add", id: board, quantity: "1", ...fields });

  it("put the chosen unit in the cart, not the one that the page was drawn with", async () => {
    const { post: send, cart } = visitor();
    const drawn = { color: "Moss / 52 cm" };
    const answer = await send(add({ ...drawn, choice1: "Sand", choice2: "42 cm" }));
    expect(answer.status).toBe(303);
    expect((await cart()).lines).toMatchObject([{ color: "Sand / 42 cm", priceCents: 7800, stock: 9 }]);
  });

  it.each([
    ["a missing choice", {}, "Choose Colour and Size first."],
    ["a choice that is half made", { choice1: "Moss" }, "Choose Size first."],
    ["one that is sold out", { choice1: "Moss", choice2: "42 cm" }, "Moss / 42 cm is out of stock."],
    ["one that is not made", { choice1: "Sand", choice2: "52 cm" }, "Choose another."],
    ["a value that is gone", { choice1: "Clay", choice2: "52 cm" }, "Choose Colour first."],
    ["markup", { choice1: "<script>alert(1)</script>" }, "Choose Colour and Size first|come in"],
  ])("explain %s", async (_why, fields, message) => {
    const { send, cart } = visitor();
    const answer = await send(add(fields));
    expect([400, 409]).toContain(answer.status);
    expect(answer.failure).toMatch(new RegExp(message.replace(/\./g, "\\.")));
    expect((await cart()).lines).toEqual([]);
  });

  it("start a chat about the unit, with its price and up to its stock", async () => {
    const { send, page } = visitor();
    const fields = { intent: "product", id: board, quantity: "9", choice1: "Moss", choice2: "52 cm" };
    const { status, to = "" } = await send(fields, "/chat/submit");
    expect(status).toBe(200);
    const html = await page(to);
    expect(html).toContain("Moss / 52 cm");
    expect(html).toContain("2 × $98.00");
    const refused = await send({ ...fields, choice2: "42 cm" }, "/chat/submit");
    expect(refused).toMatchObject({ status: 409, failure: expect.stringContaining("out of stock") });
  });

  it("lead from the cart to the form of those who wait for a choice that has sold out", async () => {
    const units = UNITS.map((unit) => ({ ...unit, sku: undefined, barcode: undefined, stock: 1 }));
    const id = await post({ name: "Cutting board", options: OPTIONS, units });
    const { post: send, page } = visitor();
    await send({ intent: "add", id, choice1: "Moss", choice2: "52 cm" });
    await env.DB.prepare(
      `UPDATE units SET stock = 0, stock_change = json_object('id', 'sold-out', 'reason', 'adjustment', 'actor', 'Pat')
        WHERE product_id = ? AND option_values LIKE '%Moss%52 cm%'`,
    )
      .bind(id)
      .run();
    const [, path = ""] = /href="(\/products\/[^"]+)#restock"/.exec(await page("/cart")) ?? [];
    expect(path).toBe(`/products/${id}?Colour=Moss&amp;Size=52+cm`);
    expect(await page(path.replace("&amp;", "&"))).toContain("Tell me when Moss / 52 cm is back");
  });

  it("ask about a choice that is sold out", async () => {
    const { post: send, page } = visitor();
    const answer = await send({ intent: "ask", id: board, choice1: "Moss", choice2: "42 cm" }, "/chat?index");
    const to = answer.headers.get("Location") ?? "";
    expect(new URL(to, "http://shop.invalid").searchParams.get("color")).toBe("Moss / 42 cm");
    const html = await page(to);
    expect(html).toContain("Moss / 42 cm");
    expect(html).toContain("Out of Stock");
  });
});

describe("lists and searches", () => {
  const suggest = async (q: string) =>
    (await json<{ products: { id: string }[] }>(call(`/api/product/suggest?q=${q}`))).products;
  const search = async (q: string) =>
    (await json<{ id: string }[]>(call(`/api/product/all?search=${q}`))).map(({ id }) => id);

  it("say the lowest price of what can be bought, and that there are others", async () => {
    const options = [{ name: "Size", values: ["S", "L"] }];
    const unit = (Size: string, price: number, stock: number) => ({ options: { Size }, price, stock });
    const category = "HEALTH_AND_BEAUTY";
    const trays = [
      [unit("S", 31, 2), unit("L", 41, 2)],
      [unit("S", 51, 0), unit("L", 61, 2)],
      [unit("S", 71, 2), unit("L", 71, 2)],
    ];
    for (const [i, units] of trays.entries())
      await post({ name: `Dovetailed tray ${i + 1}`, category, options, units });
    for (const query of ["search=dovetailed", `category=${category}`, `category=${category}&min=30&max=80`]) {
      const html = await (await call(`/shop?${query}`)).text();
      const tags = [...html.matchAll(/<data[^>]*value="([\d.]+)">(from )?/g)];
      expect(tags.map(([, price, from]) => [price, Boolean(from)]).sort(), query).toEqual([
        ["31.00", true],
        ["61.00", false],
        ["71.00", false],
      ]);
    }
    expect(await suggest("dovetailed")).toContainEqual(expect.objectContaining({ price: 31, isFrom: true }));
  });

  it("find a unit by its whole SKU and barcode, in any case, and by no part of them", async () => {
    const id = await post({
      name: "Sealed jar",
      options: [{ name: "Size", values: ["S", "L"] }],
      units: [{ options: { Size: "S" }, sku: "JAR-7781-S", barcode: "036000291452" }],
    });
    for (const code of ["JAR-7781-S", "jar-7781-s", "036000291452", "0036000291452"]) {
      expect(await search(code), code).toEqual([id]);
      expect(
        (await suggest(code)).map((one) => one.id),
        code,
      ).toEqual([id]);
    }
    expect(await search("jar-7781")).not.toContain(id);
    const html = await (await call("/shop?search=JAR-7781-S")).text();
    expect(html).toContain("Sealed jar");
    const filtered = await (await call("/shop?search=JAR-7781-S&category=JEWELRY")).text();
    expect(filtered).not.toContain("Sealed jar");
  });

  it("find words, where letters alone are also a code", async () => {
    await post({ name: "Marmot lamp", stock: 1 });
    const coded = await post({ name: "Wall hook", units: [{ sku: "MARMOT", stock: 1 }] });
    expect(await search("marmot")).not.toContain(coded);
    const other = await post({ name: "Wall peg", units: [{ sku: "QXZWV", stock: 1 }] });
    expect(await search("qxzwv")).toEqual([other]);
  });

  it("find no hidden product by its code", async () => {
    const id = await post({ name: "Hidden hook", stock: 1, units: [{ sku: "HID-551" }] });
    await call(`/api/product/${id}`, { method: "PUT", json: { isHidden: true }, token });
    expect(await search("HID-551")).not.toContain(id);
    expect(await suggest("HID-551")).toEqual([]);
  });
});
