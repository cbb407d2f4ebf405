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
    ["59", "", "", 5200],
    ["52.00", "", "", 5200],
  ])("of Magento %j from %j to %j makes the price %i", async (special, from, to, price) => {
    const text = `sku,store_view_code,product_type,name,price,special_price,special_price_from_date,special_price_to_date
MUG,,simple,Mug,52.00,${special},${from},${to}\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ name: "Mug", price }]);
  });

  it.each([
    ["Yes", "40", 4000],
    ["No", "40", 5000],
    ["Yes", "0.00", 5000],
    ["Yes", "60", 5000],
  ])("of Squarespace with On Sale %s and %s makes the price %i", async (on, sale, price) => {
    const text = `Product ID [Non Editable],Title,Price,Sale Price,On Sale,Stock\np,Mug,50,${sale},${on},1\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ name: "Mug", price }]);
  });
});

describe("a reduced price that is not below the usual one", () => {
  it.each([
    ["39.0000", 3900],
    ["49.9500", 4995],
    ["60.0000", 4995],
  ])("does not count in BigCommerce: %s makes %i", async (sale, price) => {
    const text = `Item Type,Product ID,Product Name,Product Code/SKU,Price,Sale Price\nProduct,1,Mug,M,49.9500,${sale}\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ name: "Mug", price }]);
  });

  it.each([
    ["15", 1500],
    ["20", 2000],
    ["25", 2000],
    ["0", 2000],
    ["", 2000],
  ])("does not count in WooCommerce: %j makes %i", async (sale, price) => {
    const text = `ID,Type,SKU,Name,Published,Stock,Sale price,Regular price,Categories\n1,simple,a,Cup,1,2,${sale},20,Mugs\n`;
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ name: "Cup", price }]);
  });

  it("counts in a row that ends before the usual one", async () => {
    const text =
      "Item Type,Product Name,Product Code/SKU,Sale Price,Price\nProduct,Mug,M,39\nProduct,Cup,C,9,12\n";
    expect((await read("a.csv", {}, file(text))).products).toMatchObject([{ price: 3900 }, { price: 900 }]);
  });

  it("is named where it is no number", async () => {
    const text = "sku,store_view_code,product_type,name,price,special_price\nM,,simple,Mug,52,cheap 1\n";
    expect((await read("a.csv", {}, file(text))).rejected[0]?.[1]).toContain("“cheap 1” is not a price");
  });
});

describe("a discount in a PrestaShop list", () => {
  const shop = (amount: string, percent: string, from = "", to = "", price = "20,00") =>
    file(
      `Product ID;Active (0/1);Name *;Price tax included;Discount amount;Discount percent;Discount from (yyyy-mm-dd);Discount to (yyyy-mm-dd)\n7;1;Vase;${price};${amount};${percent};${from};${to}\n`,
    );
  it.each([
    ["", "10", "", "", 1800],
    ["", "12,5", "2020-01-01", "", 1750],
    ["5,50", "", "", "0000-00-00", 1450],
    ["5,50", "10", "", "", 1800],
    ["", "10", "2020-01-01", "2020-02-01", 2000],
    ["", "10", "2999-01-01", "", 2000],
    ["0", "0", "", "", 2000],
    ["25", "", "", "", 2000],
    ["", "100", "", "", 2000],
  ])("of %j or %j %% from %j to %j makes the price %i", async (amount, percent, from, to, price) => {
    expect((await read("a.csv", {}, shop(amount, percent, from, to))).products).toMatchObject([{ price }]);
  });

  it("is taken off the column that staff have chosen as the price", async () => {
    const text = new TextDecoder().decode(shop("", "10")).replace("tax included", "tax excluded");
    const { products } = await read("a.csv", { names: { price: "Price tax excluded" } }, file(text));
    expect(products).toMatchObject([{ name: "Vase", price: 1800 }]);
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
