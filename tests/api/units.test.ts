import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { manager } from "../support/people";
import { credit, hold, json, numberFrom, type Refusal, sell, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

interface UnitAnswer {
  id: string;
  options: Record<string, string>;
  sku: string;
  barcode: string;
  price: number;
  stock: number;
  available: number;
  image: string;
}
interface ProductAnswer {
  id: string;
  price: number;
  stock: number;
  available: number;
  colors: string[];
  options: { name: string; values: string[] }[];
  units: UnitAnswer[];
}

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

const COLOURS = [{ name: "Colour", values: ["Moss", "Sand"] }];
const CASE = { name: "Ribbed case", price: 20, category: "PHONE_CASE", description: "" };

const send = (method: string, path: string, body: unknown) =>
  call(`/api/product${path}`, { method, json: body, token });
const read = (id: string, options: { token?: string } = { token }) =>
  json<ProductAnswer>(call(`/api/product/id/${id}`, options));
const put = (id: string, body: unknown) => send("PUT", `/${id}`, body);

/** Adds a case in two colours. @returns its id and its units by colour */
async function addCase(moss = 3, sand = 9, more: Record<string, unknown> = {}) {
  const units = [
    { options: { Colour: "Moss" }, sku: "CASE-MOSS", stock: moss },
    { options: { Colour: "Sand" }, stock: sand },
  ];
  const answer = await send("POST", "", { ...CASE, options: COLOURS, units, ...more });
  expect(answer.status, await answer.clone().text()).toBe(201);
  const { id } = await json<{ id: string }>(answer);
  return { id, ...(await unitsOf(id)) };
}

async function unitsOf(id: string) {
  const { units } = await read(id);
  const of = (colour: string) => units.find(({ options }) => options.Colour === colour)?.id ?? "";
  return { moss: of("Moss"), sand: of("Sand") };
}

const stocks = async (id: string) => (await read(id)).units.map(({ stock }) => stock);
const moved = (unit: string) =>
  numberFrom(
    "SELECT coalesce(sum(quantity), 0) AS n FROM stock_movements WHERE coalesce(unit_id, product_id) = ?",
    unit,
  );

/** Expects that no invariant of stock and sales is violated. */
async function expectSound() {
  for (const [name, check] of Object.entries(SALE_CHECKS))
    expect((await env.DB.prepare(check).all()).results, name).toEqual([]);
}

describe("a product without options", () => {
  it("has one unit with its id", async () => {
    const id = await addProduct({ stock: 4, priceCents: 1250 });
    const { options, units } = await read(id);
    expect(options).toEqual([]);
    expect(units).toEqual([
      { id, options: {}, sku: "", barcode: "", price: 12.5, stock: 4, available: 4, image: "" },
    ]);
  });

  it("gets a SKU and a barcode, and keeps them when others change it", async () => {
    const id = await addProduct({ stock: 4 });
    expect((await put(id, { units: [{ sku: "A-1", barcode: "4006381333931" }] })).status).toBe(200);
    await put(id, { stock: 7, price: 3 });
    expect((await read(id)).units).toMatchObject([
      { id, sku: "A-1", barcode: "4006381333931", stock: 7, price: 3 },
    ]);
    expect(await moved(id)).toBe(7);
  });
});

describe("a product with options", () => {
  it("answers options, units, and sums; shoppers see what is available", async () => {
    const { id, moss } = await addCase();
    await hold(token, { lines: [{ unitId: moss, quantity: 1 }] });
    expect(await read(id)).toMatchObject({
      stock: 12,
      available: 11,
      colors: ["Moss", "Sand"],
      options: COLOURS,
    });
    expect((await read(id)).units).toMatchObject([
      { options: { Colour: "Moss" }, sku: "CASE-MOSS", price: 20, stock: 3, available: 2 },
      { options: { Colour: "Sand" }, stock: 9, available: 9 },
    ]);
    const shown = await read(id, {});
    expect(shown.units.map(({ stock }) => stock)).toEqual([2, 9]);
    expect(shown.stock).toBe(11);
    await expectSound();
  });

  it("keeps its units under a change that names none", async () => {
    const { id, moss } = await addCase();
    expect((await put(id, { name: "Smooth case", stock: 12, colors: ["Moss", "Sand"] })).status).toBe(200);
    expect(await stocks(id)).toEqual([3, 9]);
    expect((await unitsOf(id)).moss).toBe(moss);
  });

  it("refuses a stock and colours that its units have, with the choices", async () => {
    const { id } = await addCase();
    const stock = await put(id, { stock: 5 });
    expect(stock.status).toBe(409);
    expect((await json<Refusal>(stock)).message).toContain("Moss, Sand");
    expect((await put(id, { colors: ["Red"] })).status).toBe(409);
    expect(await stocks(id)).toEqual([3, 9]);
  });

  it("changes the stock of one unit, with one movement", async () => {
    const { id, moss } = await addCase();
    const units = [{ id: moss, stock: 5 }, { options: { Colour: "Sand" } }];
    expect((await put(id, { units })).status).toBe(200);
    expect(await stocks(id)).toEqual([5, 9]);
    const movements = await json<Record<string, unknown>[]>(call(`/api/product/${id}/movements`, { token }));
    expect(movements).toMatchObject([{ quantity: 2, reason: "adjustment", stockAfter: 5 }, {}, {}]);
    await expectSound();
  });

  it("has the lowest price that can be bought, and its own", async () => {
    const { id, moss, sand } = await addCase(1, 9);
    await put(id, { units: [{ id: moss, price: 15 }, { id: sand }] });
    const listed = () => numberFrom("SELECT price_cents AS n FROM products WHERE id = ?", id);
    expect((await read(id)).price).toBe(20);
    expect(await listed()).toBe(1500);
    await sold(token, { lines: [{ unitId: moss, quantity: 1, amount: 15 }] });
    expect(await listed()).toBe(2000);
    await put(id, { price: 18 });
    expect(await read(id)).toMatchObject({ price: 18, units: [{ price: 15 }, { price: 18 }] });
    expect(await listed()).toBe(1800);
    await put(id, { units: [{ id: moss, price: null }, { id: sand }] });
    expect(await read(id)).toMatchObject({ price: 18, units: [{ price: 18 }, { price: 18 }] });
    await expectSound();
  });

  it("is gone with its units; their movements add up to 0", async () => {
    const { id, moss } = await addCase();
    expect((await send("DELETE", `/${id}`, undefined)).status).toBe(200);
    expect(await moved(moss)).toBe(0);
    await expectSound();
  });
});

describe("units that don't fit", () => {
  const refused = async (body: Record<string, unknown>, status: number, path: string) => {
    const { id } = await addCase();
    const before = await read(id);
    const answer = await put(id, body);
    expect(answer.status, await answer.clone().text()).toBe(status);
    expect((await json<Refusal>(answer)).details?.[0]?.path).toBe(path);
    expect(await read(id)).toEqual(before);
  };

  it.each<[string, Record<string, unknown>, string]>([
    [
      "two with the same choice",
      { units: ["Moss", "moss"].map((Colour) => ({ options: { Colour } })) },
      "units.1.options",
    ],
    ["an unknown value", { units: [{ options: { Colour: "Red" } }] }, "units.0.options"],
    ["an unknown option", { units: [{ options: { Colour: "Moss", Size: "5" } }] }, "units.0.options"],
    ["no value", { units: [{ options: {} }] }, "units.0.options"],
    ["an unknown id", { units: [{ id: "none", options: { Colour: "Moss" } }] }, "units.0.id"],
    ["none", { units: [] }, "units"],
    ["101", { units: Array.from({ length: 101 }, () => ({ options: { Colour: "Moss" } })) }, "units"],
    ["a stock below 0", { units: [{ options: { Colour: "Moss" }, stock: -1 }] }, "units.0.stock"],
    ["a price of 0", { units: [{ options: { Colour: "Moss" }, price: 0 }] }, "units.0.price"],
    [
      "a picture of another product",
      { units: [{ options: { Colour: "Moss" }, image: "https://a.example/b.jpg" }] },
      "units.0.image",
    ],
    ["four options", { options: ["A", "B", "C", "D"].map((name) => ({ name, values: ["1"] })) }, "options"],
    ["an option twice", { options: ["A", "a"].map((name) => ({ name, values: ["1"] })) }, "options"],
    ["a value twice", { options: [{ name: "A", values: ["x", "X"] }] }, "options.0.values"],
    [
      "more choices than a product has",
      { options: ["A", "B"].map((name) => ({ name, values: [..."abcdefghijk"] })) },
      "options",
    ],
    ["no list", { units: "Moss" }, "units"],
  ])("are refused: %s", (_, body, path) => refused(body, 400, path));

  it("are refused: one of another product", async () => {
    const other = await addCase();
    await refused({ units: [{ id: other.moss, options: { Colour: "Moss" } }] }, 400, "units.0.id");
  });
});

describe("counting each choice", () => {
  it("divides the stock, and ends with the sum", async () => {
    const id = await addProduct({ stock: 12, colors: ["Moss", "Sand"] });
    const divided = (moss: number, sand: number) => ({
      options: COLOURS,
      units: [
        { options: { Colour: "Moss" }, stock: moss },
        { options: { Colour: "Sand" }, stock: sand },
      ],
    });
    expect((await put(id, divided(3, 8))).status).toBe(409);
    expect((await put(id, { options: COLOURS })).status).toBe(409);
    expect((await put(id, divided(3, 9))).status).toBe(200);
    expect(await read(id)).toMatchObject({ stock: 12, units: [{ stock: 3 }, { stock: 9 }] });
    expect((await put(id, { options: [] })).status).toBe(200);
    expect(await read(id)).toMatchObject({ stock: 12, options: [], units: [{ id, stock: 12 }] });
    await expectSound();
  });

  it("deletes no unit on hold, and says whose it is", async () => {
    const { id, moss, sand } = await addCase();
    const placed = await json<{ id: string }>(hold(token, { lines: [{ unitId: moss, quantity: 2 }] }));
    const refused = await put(id, { units: [{ id: sand }] });
    expect(refused.status).toBe(409);
    expect((await json<Refusal>(refused)).message).toContain("Moss is on hold");
    await call(`/api/hold/${placed.id}`, { method: "DELETE", token });
    expect((await put(id, { units: [{ id: sand }] })).status).toBe(200);
    expect(await read(id)).toMatchObject({ stock: 9, units: [{ id: sand }] });
    await expectSound();
  });

  it("deletes a unit that was sold, whose document and movements stay", async () => {
    const { id, moss, sand } = await addCase();
    const [document] = await sold(token, { lines: [{ unitId: moss, quantity: 2, amount: 40 }] });
    const answer = await put(id, { options: [{ name: "Colour", values: ["Sand"] }], units: [{ id: sand }] });
    expect(answer.status, await answer.clone().text()).toBe(200);
    expect(await read(id)).toMatchObject({ stock: 9, units: [{ id: sand }] });
    const kept = await json<{ lines: object[] }>(call(`/api/sale/${document?.id}`, { token }));
    expect(kept.lines).toMatchObject([{ unitId: moss, quantity: 2 }]);
    expect(await moved(moss)).toBe(0);
    await expectSound();
  });

  it("deletes no product with a unit on hold, and says whose it is", async () => {
    const { id, sand } = await addCase();
    const placed = await json<{ id: string }>(hold(token, { lines: [{ unitId: sand, quantity: 2 }] }));
    const refused = await send("DELETE", `/${id}`, undefined);
    expect(refused.status).toBe(409);
    expect((await json<Refusal>(refused)).message).toBe(
      "Ribbed case is on hold for a customer: 2. Release it first.",
    );
    expect(await read(id)).toMatchObject({ stock: 12, available: 10 });
    await call(`/api/hold/${placed.id}`, { method: "DELETE", token });
    expect((await send("DELETE", `/${id}`, undefined)).status).toBe(200);
    await expectSound();
  });

  it("refuses a unit's stock that has changed since it was seen", async () => {
    const { id, moss, sand } = await addCase();
    const units = (stockWas: number) => [{ id: moss, stock: 1, stockWas }, { id: sand }];
    expect((await put(id, { units: units(4) })).status).toBe(409);
    expect((await put(id, { units: units(3) })).status).toBe(200);
    expect(await stocks(id)).toEqual([1, 9]);
  });
});

describe("a sale, a hold and a credit note of a unit", () => {
  it("name the unit, and move its stock alone", async () => {
    const { id, moss } = await addCase();
    const [document] = await sold(token, { lines: [{ unitId: moss, quantity: 2, amount: 40 }] });
    expect(document?.lines).toMatchObject([
      { productId: id, unitId: moss, description: "Ribbed case (Moss)", category: "PHONE_CASE" },
    ]);
    expect(await stocks(id)).toEqual([1, 9]);
    await credit(token, document?.id ?? "", { restock: true, paymentMode: "CARD", reason: "Wrong" });
    expect(await stocks(id)).toEqual([3, 9]);
    await expectSound();
  });

  it("are refused for a product with a choice, which they name", async () => {
    const { id } = await addCase();
    const line = { quantity: 1, amount: 20 };
    for (const refused of [
      await sell(token, { lines: [{ productId: id, ...line }] }),
      await hold(token, { lines: [{ productId: id, quantity: 1 }] }),
    ]) {
      expect(refused.status).toBe(409);
      expect((await json<Refusal>(refused)).message).toContain("choose one of Moss, Sand");
    }
    expect(await stocks(id)).toEqual([3, 9]);
    await expectSound();
  });

  it("are sold by 20 units in 3 round trips to D1, that of the session included", async () => {
    const cases = await Promise.all(Array.from({ length: 10 }, () => addCase()));
    const lines = cases.flatMap(({ moss, sand }) =>
      [moss, sand].map((unitId) => ({ unitId, quantity: 1, amount: 20 })),
    );
    const answer = await sell(token, { lines });
    expect([answer.status, answer.headers.get("Server-Timing")]).toEqual([
      201,
      expect.stringContaining("3 round trips"),
    ]);
  });

  it("share the last pieces: of 50 sales and 50 holds of one colour, three are done", async () => {
    const { id, moss } = await addCase(3, 9);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => [
        sell(token, { id: `race-sale-${i}`, lines: [{ unitId: moss, quantity: 1, amount: 20 }] }),
        hold(token, { id: `race-hold-${i}`, lines: [{ unitId: moss, quantity: 1 }] }),
      ]).flat(),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(97);
    expect(await read(id)).toMatchObject({
      available: 9,
      units: [{ available: 0 }, { stock: 9, available: 9 }],
    });
    await expectSound();
  });
});

describe("a unit whose stock falls below what is on hold of it", () => {
  /** Adds a case with 3 pieces of Moss on hold, but 1 in stock. @param sand pieces of the other colour */
  async function addShort(sand: number) {
    const { id, moss, sand: other } = await addCase(3, sand, { name: "Short case" });
    await hold(token, { lines: [{ unitId: moss, quantity: 3 }] });
    expect((await put(id, { units: [{ id: moss, stock: 1 }, { id: other }] })).status).toBe(200);
    return { id, other };
  }
  const total = async (query: string) =>
    Number((await call(`/api/product/all?category=PHONE_CASE&${query}`)).headers.get("X-Total-Count"));
  const ids = async (query: string) =>
    (await json<{ id: string; stock: number }[]>(call(`/api/product/all?category=PHONE_CASE&${query}`))).map(
      ({ id, stock }) => `${id} ${stock}`,
    );

  it("takes nothing from the other units: their product has what they have", async () => {
    const { id } = await addShort(9);
    expect(await read(id)).toMatchObject({
      ...{ stock: 10, available: 9 },
      units: [
        { stock: 1, available: 0 },
        { stock: 9, available: 9 },
      ],
    });
    expect((await read(id, {})).stock).toBe(9);
    await expectSound();
  });

  it("leaves the product in stock in lists, filters, counts and searches, though all is on hold in sum", async () => {
    const before = [await total("stock=in"), await total("search=short&stock=in")];
    const { id, other } = await addShort(2);
    expect(await read(id)).toMatchObject({ stock: 3, available: 2 });
    for (const query of ["stock=in", "search=short&stock=in", "sort=price-asc&stock=in", ""])
      expect(await ids(query), query).toContain(`${id} 2`);
    expect([await total("stock=in"), await total("search=short&stock=in")]).toEqual(
      before.map((count) => count + 1),
    );
    await sold(token, { lines: [{ unitId: other, quantity: 2, amount: 40 }] });
    expect(await read(id)).toMatchObject({ stock: 1, available: 0 });
    expect(await total("stock=in")).toBe(before[0]);
    await expectSound();
  });
});

it("answers a product sent twice once, and refuses another with its id", async () => {
  const sent = { id: "case-sent-twice", ...CASE, options: COLOURS };
  const units = [{ options: { Colour: "Moss" }, stock: 2 }];
  expect((await send("POST", "", { ...sent, units })).status).toBe(201);
  expect((await send("POST", "", { ...sent, units })).status).toBe(201);
  expect(await stocks(sent.id)).toEqual([2]);
  expect((await send("POST", "", { ...sent, name: "Another", units })).status).toBe(409);
  await expectSound();
});
