import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { importFile, listedUnits, planFile, productsByName, unitsByName } from "../support/product-import";
import { call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_mappings"));

const PRODUCTS = `Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax included;Reference #;Quantity;Image URLs (x,y,z...)
7;1;Tee;Clothes;20,00;TEE;9;https://ps.example/tee.jpg
8;1;Vase;Home;12,50;VASE;4;
`;
const HEADERS =
  "Product ID*;Product Reference;Attribute (Name:Type:Position)*;Value (Value:Position)*;Reference;EAN13;Cost price;Impact on price;Quantity;Image URLs (x,y,z...)";
const combinations = (...rows: string[]) => `${[HEADERS, ...rows].join("\n")}\n`;
const SIZES = combinations(
  "7;TEE;Size:select:0, Color:color:1;S:0, Sand:1;TEE-S;4006381333931;8,00;0,000000;5;https://ps.example/sand.jpg",
  "7;TEE;Size:select:0, Color:color:1;L:1, Sand:1;TEE-L;;8,00;2,500000;3;",
  "7;TEE;Size:select:0, Color:color:1;L:1, Moss:2;TEE-M;;8,00;-1,500000;2;",
);

const prices = async (name: string) => (await listedUnits(token, name)).map(([, price]) => price);
const undo = async (runId: string) =>
  expect((await call(`/api/product/bulk-upload/${runId}/undo`, { method: "POST", token })).status).toBe(200);
/** Reads the newest changes of a product in the audit log. */
const audited = () =>
  env.DB.prepare("SELECT changes FROM audit_log WHERE object = 'product' ORDER BY seq DESC LIMIT 1").first(
    "changes",
  );

describe("a list of combinations of PrestaShop", () => {
  beforeEach(() => importFile(token, PRODUCTS));

  it("gives stored products their units, with prices beyond the product's", async () => {
    const { rows, prices, title } = await planFile(token, SIZES);
    expect([title, prices]).toEqual(["a PrestaShop list of combinations", undefined]);
    expect(rows).toMatchObject([{ product: "Tee", action: "update", by: "Product ID" }]);
    expect(rows[0]?.changes).toContainEqual({ field: "Prices", from: "$20.00", to: "$18.50 to $22.50" });
    expect(await importFile(token, SIZES)).toMatchObject({ updated: 1, created: 0, errors: 0 });
    expect(await listedUnits(token, "Tee")).toEqual([
      ["S / Sand", 20, 5, "TEE-S"],
      ["L / Sand", 22.5, 3, "TEE-L"],
      ["L / Moss", 18.5, 2, "TEE-M"],
    ]);
    expect((await unitsByName(token, "Tee"))[0]).toMatchObject({
      barcode: "4006381333931",
      image: "https://ps.example/sand.jpg",
    });
    expect(Object.values(await productsByName()).map(({ name, stock }) => [name, stock])).toEqual([
      ["Tee", 10],
      ["Vase", 4],
    ]);
    expect((await productsByName()).Tee).toMatchObject({
      imageUrls: ["https://ps.example/tee.jpg", "https://ps.example/sand.jpg"],
    });
  });

  it("changes nothing the second time, and only what differs the third", async () => {
    await importFile(token, SIZES);
    expect(await importFile(token, SIZES)).toMatchObject({ updated: 0, created: 0, errors: 0 });
    const dearer = SIZES.replace("2,500000", "0,00");
    expect(await importFile(token, dearer)).toMatchObject({ updated: 1, errors: 0 });
    expect((await listedUnits(token, "Tee"))[1]).toEqual(["L / Sand", 20, 3, "TEE-L"]);
  });

  it("adds to the price that the list of products has now, which Undo takes back", async () => {
    await importFile(token, SIZES);
    const dearer = PRODUCTS.replace("20,00", "25,00");
    expect((await planFile(token, dearer)).rows[0]).toMatchObject({
      action: "update",
      changes: expect.arrayContaining([{ field: "Price", from: "$20.00", to: "$25.00" }]),
      notes: expect.stringContaining("Its choices with prices of their own keep them"),
    });
    const { runId, updated } = await importFile(token, dearer);
    expect([updated, await prices("Tee")]).toEqual([1, [25, 22.5, 18.5]]);
    expect((await productsByName()).Tee?.price).toBe(25);
    expect(
      await env.DB.prepare("SELECT min(price_cents) AS n FROM products WHERE name = 'Tee'").first("n"),
    ).toBe(1850);
    expect(await audited()).toContain('"priceCents":[2000,2500]');
    expect(await importFile(token, dearer)).toMatchObject({ updated: 0 });
    await undo(runId);
    expect(await prices("Tee")).toEqual([20, 22.5, 18.5]);
    await importFile(token, dearer);
    expect(await importFile(token, SIZES)).toMatchObject({ updated: 1, errors: 0 });
    expect(await prices("Tee")).toEqual([25, 27.5, 23.5]);
  });

  it("follows the list once a discount has ended, also where no choice costs what the product does", async () => {
    const file = (percent: string) =>
      PRODUCTS.replace("Quantity;", "Quantity;Discount percent;").replace(";9;", `;9;${percent};`);
    await importFile(token, file("10"));
    const all = SIZES.replace("0,000000", "1,000000");
    await importFile(token, all);
    expect(await prices("Tee")).toEqual([19, 20.5, 16.5]);
    await importFile(token, file(""));
    await importFile(token, all);
    expect(await prices("Tee")).toEqual([21, 22.5, 18.5]);
  });

  it("keeps prices where it has no “Impact on price”, and gives new choices the product's", async () => {
    await importFile(token, SIZES);
    const blank = SIZES.replace("2,500000", "").replace("-1,500000", " ");
    expect(await importFile(token, blank)).toMatchObject({ updated: 0, errors: 0 });
    const without = `${SIZES}7;TEE;Size:select:0, Color:color:1;XL:2, Sand:1;TEE-X;;8,00;9;4;\n`
      .replace("Impact on price;", "")
      .replaceAll(/8,00;[^;]*/g, "8,00");
    expect(await importFile(token, without)).toMatchObject({ updated: 1, errors: 0 });
    expect(await prices("Tee")).toEqual([20, 22.5, 18.5, 20]);
  });

  it("says in the dry run what all choices will cost, and what prices are made of", async () => {
    const same = combinations("8;;Size:select;S;A;;;2,50;1;", "8;;Size:select;L;B;;;2,50;1;");
    const { rows, remark } = await planFile(token, same);
    expect(rows[0]?.changes).toContainEqual({ field: "Prices", from: "$12.50", to: "$15.00" });
    expect(remark).toContain("PrestaShop writes without tax and discounts");
    expect((await planFile(token, PRODUCTS)).remark).toBeUndefined();
  });

  it("rejects rows that name a product by another key than rows before", async () => {
    const twice = combinations("7;TEE;Size:select;S;TEE-S;;;1;5;", ";TEE;Size:select;L;TEE-L;;;2;3;");
    const { updated, errorDetails } = await importFile(token, twice);
    expect([updated, errorDetails]).toEqual([
      1,
      [expect.objectContaining({ row: 3, error: expect.stringContaining("Row 2 names the same product") })],
    ]);
    expect(await listedUnits(token, "Tee")).toEqual([["S", 21, 5, "TEE-S"]]);
  });

  it("changes no name, also where somebody renames a product meanwhile", async () => {
    await env.DB.exec(
      "CREATE TRIGGER renamed AFTER INSERT ON product_changes BEGIN UPDATE products SET name = 'Shirt' WHERE name = 'Tee'; END",
    );
    try {
      expect(await importFile(token, SIZES)).toMatchObject({ updated: 1, errors: 0 });
    } finally {
      await env.DB.exec("DROP TRIGGER renamed");
    }
    expect(Object.keys(await productsByName())).toEqual(["Shirt", "Vase"]);
  });

  it("finds a product by its reference, also once its units have references of their own", async () => {
    const sizes = combinations(";VASE;Size:select;S;VASE-S;;;0;1;", ";VASE;Size:select;L;VASE-L;;;4;2;");
    expect(await importFile(token, sizes)).toMatchObject({ updated: 1, errors: 0 });
    expect(await listedUnits(token, "Vase")).toEqual([
      ["S", 12.5, 1, "VASE-S"],
      ["L", 16.5, 2, "VASE-L"],
    ]);
    const more = combinations(";VASE;Size:select;XL;VASE-XL;;;6;1;");
    expect(await importFile(token, more)).toMatchObject({ updated: 1, created: 0, errors: 0 });
    expect((await listedUnits(token, "Vase"))[2]).toEqual(["XL", 18.5, 1, "VASE-XL"]);
  });

  it("is taken back by Undo", async () => {
    const { runId } = await importFile(token, SIZES);
    await undo(runId);
    expect((await productsByName()).Tee).toMatchObject({ stock: 9, price: 20 });
    expect(await unitsByName(token, "Tee")).toMatchObject([{ options: {}, sku: "TEE" }]);
  });

  it.each([
    ["a product that is not stored", "99;;Size:select;S;A;;;0;1;", "No product has the Product ID 99"],
    ["no product", ";;Size:select;S;A;;;0;1;", "It names no product"],
    ["a price below 0", "8;;Size:select;S;A;;;-12,50;1;", "S would cost $0.00: its price is $12.50"],
    ["an amount that is none", "8;;Size:select;S;A;;;1 or 2;1;", "Price “1 or 2” is not a price"],
    ["a word as an amount", "8;;Size:select;S;A;;;none;1;", "Price “none” is not a price"],
    [
      "a value that is missing",
      "8;;Size:select,Color:color;S;A;;;0;1;\n8;;Size:select,Color:color;L,Red;B;;;0;1;",
      "Row 2 has no Color",
    ],
  ])("rejects %s", async (_, row, error) => {
    const { created, updated, errorDetails } = await importFile(token, combinations(row));
    expect([created, updated]).toEqual([0, 0]);
    expect(errorDetails[0]?.error).toContain(error);
  });
});
