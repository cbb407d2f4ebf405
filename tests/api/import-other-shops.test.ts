import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SHOPIFY, SHOPIFY_NEW, WOOCOMMERCE } from "../fixtures/other-shops";
import { manager } from "../support/people";
import { importFile, productsByName } from "../support/product-import";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
// Choices are saved for the next file of the same headers.
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_mappings"));

const upload = (content: BlobPart, name?: string, choices?: unknown) =>
  importFile(token, content, name, choices);

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
      colors: ["Red", "Green, dark", "Blue"],
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
});
