import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SHOPIFY, SHOPIFY_NEW, WOOCOMMERCE } from "../fixtures/other-shops";
import { manager } from "../support/people";
import { importFile, planFile, productsByName } from "../support/product-import";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
// Choices are saved for the next file of the same headers.
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_mappings"));

const upload = (content: BlobPart, name?: string, choices?: unknown) =>
  importFile(token, content, { name, choices });

describe("exports of other shops", () => {
  it("recognises a Shopify export and merges variants and images", async () => {
    const result = await upload(SHOPIFY);
    expect(result).toMatchObject({ created: 3, errors: 1 });
    expect(result.errorDetails).toMatchObject([{ row: 9, product: "Free sticker" }]);
    const products = await productsByName();
    expect(products["Felt sleeve"]).toMatchObject({
      description: "<p>Soft <b>wool</b>, made\nhere.</p>",
      price: 49,
      stock: 7,
      category: "COMPUTER_ACCESSORY",
      colors: ["Grey", "Blue"],
      imageUrls: [
        "https://cdn.shop.example/sleeve-1.jpg?v=1",
        "https://cdn.shop.example/sleeve-2.jpg?v=1",
        "https://cdn.shop.example/sleeve-3.jpg?v=1",
        "https://cdn.shop.example/sleeve-15.jpg",
      ],
    });
    expect(products["Signet ring"]).toMatchObject({
      category: "JEWELRY",
      price: 161.5,
      stock: 1,
      colors: [],
    });
    expect(products["Puzzling object"]?.category).toBe("OTHERS");
    expect(products["Not yet"]).toBeUndefined();
  });

  it("recognises Shopify's newer headers", async () => {
    expect(await upload(SHOPIFY_NEW)).toMatchObject({ created: 1, errors: 0 });
    expect((await productsByName())["Desk lamp"]).toMatchObject({
      price: 89,
      stock: 15,
      category: "HOME_DECOR",
      colors: ["Brass", "Black"],
    });
  });

  it("recognises a WooCommerce export and merges variations", async () => {
    expect(await upload(WOOCOMMERCE)).toMatchObject({ created: 4, errors: 0 });
    const products = await productsByName();
    expect(products["Beeswax candle"]).toMatchObject({
      price: 7.5,
      stock: 8,
      category: "HOME_DECOR",
      description: "<p>Burns\nlong</p>",
      imageUrls: ["https://woo.example/a.jpg", "https://woo.example/b,c.jpg"],
    });
    expect(products["Old offer"]).toMatchObject({ price: 20, category: "JEWELRY" });
    expect(products["Phone grip"]).toMatchObject({
      price: 12,
      stock: 7,
      category: "PHONE_ACCESSORY",
      colors: ["Red", "Blue"],
      imageUrls: ["https://woo.example/grip.jpg", "https://woo.example/red.jpg"],
    });
    expect(products["=SUM(A1)"]).toBeDefined();
  });

  it("applies the chosen columns and categories", async () => {
    const choices = { columns: ["price", "name", null, "category"], categories: { Gizmos: "CAR_ACCESSORY" } };
    expect(await upload("a,b,c,d\n5,Mug,x, gizmos ", "a.csv", choices)).toMatchObject({
      created: 1,
      errors: 0,
    });
    expect((await productsByName()).Mug).toMatchObject({ price: 5, category: "CAR_ACCESSORY" });
    expect(await upload(SHOPIFY, "a.csv", { categories: { "Laptop sleeves": "OTHERS" } })).toMatchObject({
      updated: 0,
      created: 3,
      errors: 1,
    });
    expect((await productsByName())["Felt sleeve"]?.category).toBe("OTHERS");
  });

  it("stores nothing that the other shop does not offer, and the colours of any language", async () => {
    const shop = "Product ID;Active (0/1);Name *;Price tax included\n7;0;Zq off;5\n8;1;Zq on;5\n";
    expect(await upload(shop)).toMatchObject({ created: 1, errors: 0 });
    const square =
      "Token,Item Name,Variation Name,Archived,Price\na,Zq old,Regular,Y,5\nb,Zq new,Regular,N,5\n";
    expect(await upload(square)).toMatchObject({ created: 1, errors: 0 });
    const sizes =
      "Handle,Title,Option1 Name,Option1 Value,Variant Price\ncup,Zq cup,Farbe,Rot,5\ncup,,,Blau,5\n";
    expect(await upload(sizes)).toMatchObject({ created: 1, errors: 0 });
    const products = await productsByName();
    expect(Object.keys(products).sort()).toEqual(["Zq cup", "Zq new", "Zq on"]);
    expect(products["Zq cup"]?.colors).toEqual(["Rot", "Blau"]);
  });

  const STORED = "name,price,category\nWool bowl,9,JEWELRY\nRing of oak,9,ENGRAVING\n";
  it.each([
    [
      "QuickBooks",
      "Product/Service Name,Sales Price / Rate,Quantity On Hand\n",
      (name: string) => `${name},12,7\n`,
    ],
    [
      "Square",
      "Token,Item Name,Variation Name,Category,Price,Current Quantity Shop\n",
      (name: string) => `,${name},Regular,,12,7\n`,
    ],
    [
      "WooCommerce",
      "ID,Type,SKU,Name,Published,Regular price,Stock\n",
      (name: string) => `,simple,,${name},1,12,7\n`,
    ],
    ["Etsy", "TITLE,PRICE,QUANTITY,TAGS,IMAGE1\n", (name: string) => `${name},12,7,unheard-of,\n`],
  ])("keeps stored categories where a file of %s names none of the shop's", async (_, headers, row) => {
    await upload(STORED);
    const file = `${headers}${["Wool bowl", "Ring of oak", "Oak ring", "Zq"].map(row).join("")}`;
    const { rows } = await planFile(token, file);
    expect(JSON.stringify(rows)).not.toContain('"field":"Category"');
    expect(rows.map(({ notes = "" }) => String(notes).includes("No category fits"))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const { notes, ...result } = await upload(file);
    expect(result).toMatchObject({ updated: 2, created: 2, errors: 0 });
    expect(notes?.map(({ row, note }) => [row, note])).toContainEqual([5, "No category fits: Others"]);
    const products = await productsByName();
    expect(Object.values(products).map(({ name, price, category }) => [name, price, category])).toEqual(
      expect.arrayContaining([
        ["Wool bowl", 12, "JEWELRY"],
        ["Ring of oak", 12, "ENGRAVING"],
        ["Oak ring", 12, "JEWELRY"],
        ["Zq", 12, "OTHERS"],
      ]),
    );
  });

  it("takes a category that the file names, or that staff chose, for a stored product", async () => {
    await upload(STORED);
    const headers = "Token,Item Name,Variation Name,Category,Price,Current Quantity Shop\n";
    await upload(`${headers},Wool bowl,Regular,Home decor,9,1\n,Ring of oak,Regular,Gizmos,9,1\n`, "a.csv", {
      categories: { Gizmos: "CAR_ACCESSORY" },
    });
    const products = await productsByName();
    expect(products["Wool bowl"]?.category).toBe("HOME_DECOR");
    expect(products["Ring of oak"]?.category).toBe("CAR_ACCESSORY");
  });
});
