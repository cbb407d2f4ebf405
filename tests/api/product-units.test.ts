import { beforeAll, describe, expect, it } from "vitest";
import { manager, problems } from "../support/people";
import { call, storeImages } from "../support/shop";

const PAGE = "/admin/products-management";
let token = "";
beforeAll(async () => {
  token = (await manager()).token;
  await storeImages("products/units.jpg");
});

interface Unit {
  id: string;
  options: Record<string, string>;
  price: number;
  stock: number;
  sku: string;
}
interface Product {
  id: string;
  price: number;
  stock: number;
  colors: string[];
  options: { name: string; values: string[] }[];
  units: Unit[];
}

const CASE = { name: "Phone case", price: 20, category: "OTHERS", imageUrls: ["minio:products/units.jpg"] };
const COLOURS = [{ name: "Colour", values: ["Moss", "Sand"] }];
const put = (id: string, json: unknown) => call(`/api/product/${id}`, { method: "PUT", json, token });
const read = async (id: string) =>
  (await (await call(`/api/product/id/${id}?raw=1`, { token })).json()) as Product;
async function add(json: object): Promise<Product> {
  const answer = await call("/api/product", { json: { ...CASE, ...json }, token });
  expect([answer.status, answer.ok ? [] : await problems(answer)]).toEqual([201, []]);
  return read(((await answer.json()) as { id: string }).id);
}
const refused = async (answer: Response) => [answer.status, await problems(answer)];
const stocks = ({ units }: Product) => units.map(({ stock }) => stock);

describe("edits of units by two people", () => {
  it("tells the second of two editors what has changed, at the unit", async () => {
    const { id, units } = await add({ options: COLOURS, units: [{ options: { Colour: "Moss" }, stock: 5 }] });
    const [moss] = units;
    const edit = (stock: number, stockWas: number) =>
      put(id, { units: [{ id: moss?.id, stock, stockWas }], was: { units: [moss?.id] } });
    expect((await edit(6, 5)).status).toBe(200);
    expect(await refused(await edit(9, 5))).toEqual([
      409,
      [
        "units.0.stock: Now 6. Save again to overwrite it.",
        `unitsWas: ${JSON.stringify({ [moss?.id ?? ""]: 6 })}`,
      ],
    ]);
    expect((await edit(9, 6)).status).toBe(200);
    // What the first one has added stays.
    const added = [{ id: moss?.id }, { options: { Colour: "Sand" }, stock: 2 }];
    expect((await put(id, { units: added })).status).toBe(200);
    expect(await refused(await edit(10, 9))).toEqual([
      409,
      ["units: Somebody else has just added Sand. Open the product again."],
    ]);
    expect(stocks(await read(id))).toEqual([9, 2]);
  });
});

it("begins to count the choices of a product that has none, as the form does", async () => {
  const { id } = await add({ stock: 7, colors: ["Moss", "Sand"] });
  const units = [
    { options: { Colour: "Moss" }, stock: 4 },
    { options: { Colour: "Sand" }, stock: 3 },
  ];
  const answer = await put(id, { options: COLOURS, units, was: { options: [], units: [] } });
  expect([answer.status, answer.ok ? [] : await problems(answer)]).toEqual([200, []]);
  expect(stocks(await read(id))).toEqual([4, 3]);
});

describe("choices of a product", () => {
  it("that read alike are refused: a cart names a choice by its words", async () => {
    const options = [
      { name: "Group", values: ["x / y", "x"] },
      { name: "Kind", values: ["z", "y / z"] },
    ];
    const units = [{ options: { Group: "x / y", Kind: "z" } }, { options: { Group: "x", Kind: "y / z" } }];
    expect(await refused(await call("/api/product", { json: { ...CASE, options, units }, token }))).toEqual([
      400,
      ["units.1.options: Two choices are written “x / y / z”. Write a value without “ / ”"],
    ]);
  });

  it("have together at most what a product may have", async () => {
    const units = ["Moss", "Sand"].map((Colour) => ({ options: { Colour }, stock: 600_000 }));
    const sent = { ...CASE, options: COLOURS, units };
    expect(await refused(await call("/api/product", { json: sent, token }))).toEqual([
      400,
      ["units: All choices together have 1,200,000 pieces. At most 1,000,000"],
    ]);
  });
});

describe("product form with units, without JavaScript", () => {
  async function send(fields: Record<string, string | string[]>, query = "dialog=new") {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields))
      for (const each of [value].flat()) form.append(name, each);
    return call(`${PAGE}?${query}`, { method: "POST", body: form, token, headers: { Accept: "text/html" } });
  }
  const typed = {
    ...{ name: "Unit scarf", price: "30", category: "OTHERS", description: "Warm" },
    ...{ addImages: "https://pictures.example/scarf.jpg", id: "unit-scarf" },
  };

  it("draws the form again with the units that a button makes", async () => {
    const counted = await send({ ...typed, colors: ["Moss"], act: "count" });
    expect(counted.status).toBe(200);
    const html = await counted.text();
    expect(html).toContain('value="Unit scarf"');
    expect(html).toContain('aria-label="Price of Moss"');
    const added = await send({
      ...{ ...typed, counted: "1", "options[0].name": "Colour", "options[0].values": ["Moss"] },
      ...{ "options[1].name": "Size", "options[1].add": "S, M", act: "add:1" },
      ...{ "units[0].at": "0.-1", "units[0].price": "32", "units[0].stock": "4" },
    });
    const matrix = await added.text();
    expect(matrix).toContain('aria-label="Stock of Moss / S"');
    expect(matrix).toContain('aria-label="Stock of Moss / M"');
    expect(matrix).toMatch(/name="units\[0\].price"[^>]*value="32"|value="32"[^>]*name="units\[0\].price"/);
  });

  it("saves them, and says at the cell what is wrong", async () => {
    const fields = {
      ...{ ...typed, intent: "create", counted: "1" },
      ...{ "options[0].name": "Size", "options[0].values": ["S", "M"] },
      ...{ "units[0].at": "0", "units[0].stock": "4", "units[0].price": "0", "units[0].sku": "SC-S" },
      ...{ "units[1].at": "1", "units[1].stock": "2", "units[1].price": "$32.50", "units[1].sku": "SC-M" },
    };
    const answer = await send(fields);
    expect(answer.status).toBe(400);
    const refused = await answer.text();
    expect(refused).toContain("Failed to save product: Validation error: S, Price: Price must be above 0<");
    expect((await send({ ...fields, "units[0].price": "" })).status).toBe(303);
    const product = await read("unit-scarf");
    expect(product).toMatchObject({ stock: 6, price: 30, options: [{ name: "Size", values: ["S", "M"] }] });
    expect(product.units).toMatchObject([
      { sku: "SC-S", price: 30, stock: 4 },
      { sku: "SC-M", price: 32.5, stock: 2 },
    ]);
  });
});
