import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { importFile, planFile } from "../support/product-import";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_mappings"));

/** Stores a product of 5 dollars. @returns its id */
async function stored(name: string, sku: string): Promise<string> {
  const id = await addProduct({ name, priceCents: 500, stock: 1 });
  await env.DB.prepare("UPDATE units SET sku = ? WHERE product_id = ?").bind(sku, id).run();
  return id;
}

const names = async () =>
  (await env.DB.prepare("SELECT id, name FROM products ORDER BY row").all<{ id: string; name: string }>())
    .results;

const file = (...rows: string[]) => `name,sku,price,stock\n${rows.join("\n")}\n`;

describe("a file without a key of its own", () => {
  it("finds a product by its SKU, in any case, and renames it", async () => {
    const id = await stored("Mug", "MUG-1");
    const content = file("Big mug,mug-1,5,1");
    expect((await planFile(token, content)).rows).toMatchObject([
      {
        action: "update",
        by: "SKU",
        changes: expect.arrayContaining([{ field: "Name", from: "Mug", to: "Big mug" }]),
      },
    ]);
    expect(await importFile(token, content)).toMatchObject({ created: 0, updated: 1, errors: 0 });
    expect(await names()).toEqual([{ id, name: "Big mug" }]);
    expect(await importFile(token, content)).toMatchObject({ created: 0, updated: 0, errors: 0 });
  });

  it("tells products of one name apart by their SKUs", async () => {
    const [first, second] = [await stored("Ring", "R-1"), await stored("Ring", "R-2")];
    await importFile(token, file("Ring,R-2,22,1", "Ring,R-1,11,1"));
    const { results } = await env.DB.prepare("SELECT id, price_cents FROM products ORDER BY row").all();
    expect(results).toEqual([
      { id: first, price_cents: 1100 },
      { id: second, price_cents: 2200 },
    ]);
  });

  it("exchanges the names of two products", async () => {
    const [a, b] = [await stored("A", "SKU-A"), await stored("B", "SKU-B")];
    expect(await importFile(token, file("B,SKU-A,5,1", "A,SKU-B,5,1"))).toMatchObject({
      updated: 2,
      errors: 0,
    });
    expect(await names()).toEqual([
      { id: a, name: "B" },
      { id: b, name: "A" },
    ]);
  });

  it.each([
    ["that two products have", async () => void (await stored("C", "X-1")), ["New,X-1,5,1"]],
    ["that two names of the file have", async () => undefined, ["New,X-1,5,1", "Newer,X-1,5,1"]],
    ["of a product that another row names", async () => undefined, ["New,X-1,5,1", "Old,,6,2"]],
    ["beside a row of that name without one", async () => undefined, ["New,X-1,5,1", "New,,5,1"]],
  ])("goes by names for an SKU %s", async (_, arrange, rows) => {
    await stored("Old", "X-1");
    await arrange();
    const answer = await importFile(token, file(...rows));
    expect(answer).toMatchObject({ errors: 0 });
    expect((await names()).map(({ name }) => name)).toEqual(expect.arrayContaining(["Old", "New"]));
  });
});

it("an SKU of a choice, in a row without one, is noted", async () => {
  const sizes = {
    options: [{ name: "Size", values: ["5", "6"] }],
    name: "Ring",
    price: 20,
    category: "JEWELRY",
  };
  const units = [
    { options: { Size: "5" }, sku: "R-5" },
    { options: { Size: "6" }, sku: "R-6" },
  ];
  expect((await call("/api/product", { json: { ...sizes, units }, token })).status).toBe(201);
  expect((await planFile(token, file("Ring again,r-6,20,1"))).rows).toMatchObject([
    { action: "create", notes: "A choice of “Ring” has the SKU r-6 already" },
  ]);
});

describe("a file with keys", () => {
  const shopify = (...rows: string[]) =>
    `Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty\n${rows.join("\n")}\n`;

  it("finds what has its SKU where no product has the key, before what has its name", async () => {
    const id = await stored("Mug, typed by hand", "MUG-1");
    await stored("Mug", "OTHER");
    const content = shopify("mug,Mug,MUG-1,5,1");
    expect((await planFile(token, content)).rows).toMatchObject([
      { action: "update", by: "SKU", notes: expect.stringContaining("From now on by its Handle") },
    ]);
    expect(await importFile(token, content)).toMatchObject({ created: 0, updated: 1, errors: 0 });
    expect(await names()).toMatchObject([{ id, name: "Mug" }, { name: "Mug" }]);
    expect((await planFile(token, content)).rows).toMatchObject([{ action: "skip", by: "Handle" }]);
  });

  it("leaves a product that has another key of the same system", async () => {
    await importFile(token, shopify("mug,Mug,MUG-1,5,1"));
    expect(await importFile(token, shopify("cup,Cup,MUG-1,6,2"))).toMatchObject({ created: 1, updated: 0 });
    expect((await names()).map(({ name }) => name)).toEqual(["Mug", "Cup"]);
  });
});
