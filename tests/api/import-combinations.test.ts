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
    const undone = await call(`/api/product/bulk-upload/${runId}/undo`, { method: "POST", token });
    expect(undone.status).toBe(200);
    expect((await productsByName()).Tee).toMatchObject({ stock: 9, price: 20 });
    expect(await unitsByName(token, "Tee")).toMatchObject([{ options: {}, sku: "TEE" }]);
  });

  it.each([
    ["a product that is not stored", "99;;Size:select;S;A;;;0;1;", "No product has the Product ID 99"],
    ["no product", ";;Size:select;S;A;;;0;1;", "It names no product"],
    ["a price below 0", "8;;Size:select;S;A;;;-12,50;1;", "S would cost $0.00: its price is $12.50"],
    ["an amount that is none", "8;;Size:select;S;A;;;1 or 2;1;", "Price “1 or 2” is not a price"],
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
