import { describe, expect, it } from "vitest";
import { readImport as read } from "../../../tests/support/read-import";

const file = (text: string) => new TextEncoder().encode(text);

describe("a reduced price in an export", () => {
  it.each([
    ["45", "", "", 4500],
    ["45", "2020-01-01", "", 4500],
    ["45", "2020-01-01", "2020-02-01", 5200],
    ["45", "2999-01-01", "", 5200],
    ["", "", "", 5200],
    ["0.0000", "", "", 5200],
  ])("of Magento %j from %j to %j makes the price %i", async (special, from, to, price) => {
    const text = `sku,store_view_code,product_type,name,price,special_price,special_price_from_date,special_price_to_date
MUG,,simple,Mug,52.00,${special},${from},${to}\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ name: "Mug", price }]);
  });

  it.each([
    ["Yes", "40", 4000],
    ["No", "40", 5000],
    ["Yes", "0.00", 5000],
  ])("of Squarespace with On Sale %s and %s makes the price %i", async (on, sale, price) => {
    const text = `Product ID [Non Editable],Title,Price,Sale Price,On Sale,Stock\np,Mug,50,${sale},${on},1\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ name: "Mug", price }]);
  });
});

describe("pictures without a scheme", () => {
  it.each([
    ["shop.example/1/vase.jpg", ["https://shop.example/1/vase.jpg"]],
    ["//cdn.example/vase.jpg", ["https://cdn.example/vase.jpg"]],
    ["cdn.example/a.jpg; cdn.example/b.jpg", ["https://cdn.example/a.jpg", "https://cdn.example/b.jpg"]],
    ["https://cdn.example/a,b.jpg", ["https://cdn.example/a,b.jpg"]],
  ])("%s are of https", async (cell, urls) => {
    const { products } = await read("a.csv", {}, file(`name,price,image\nVase,5,"${cell}"\n`));
    expect(products[0]?.imageUrls).toEqual(urls);
  });
});
