import { describe, expect, it } from "vitest";
import { readImport as read } from "../../../tests/support/read-import";
import type { MappingChoices } from "./layouts/recognise";

describe("columns of images", () => {
  const of = (headers: string) =>
    headers.split(",").map((header) => (header === "-" ? null : header)) as MappingChoices["columns"];

  it("that staff add come after those that the layout reads", async () => {
    const columns = of("name,description,price,-,stock,category,-,imageUrls,-,-,-,-,-,imageUrls");
    const bytes = new TextEncoder().encode(
      `TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,IMAGE3,A,B,C,Label
Vest,,5,CAD,1,,,https://a.ca/1,https://a.ca/2,,,,,https://a.ca/label`,
    );
    const { products } = await read("etsy.csv", { columns }, bytes);
    expect(products[0]?.imageUrls).toEqual(["https://a.ca/1", "https://a.ca/2", "https://a.ca/label"]);
    const others = columns?.map((field, at) => (at === 7 ? null : at === 9 ? "imageUrls" : field)) ?? null;
    const moved = await read("etsy.csv", { columns: others }, bytes);
    expect(moved.products[0]?.imageUrls, "other columns than the layout's").toEqual(["https://a.ca/label"]);
  });
});

describe("columns of one image each", () => {
  it.each([
    "Image 1,Image 2",
    "image,image 2",
    "Photo,Photo 2",
    "Image URL 1,Image URL 2",
    "Main image,Second image",
    "Picture,Extra picture",
    "Bild 1,Bild 2",
  ])("are read together: %s", async (headers) => {
    const bytes = new TextEncoder().encode(
      `name,price,${headers},Image alt\nMug,5,https://a.ca/1,https://a.ca/2,A mug`,
    );
    const { products, unread } = await read("own.csv", {}, bytes);
    expect(products[0]?.imageUrls).toEqual(["https://a.ca/1", "https://a.ca/2"]);
    expect(unread).toEqual(["Image alt"]);
  });
});

describe("columns of one image each in another order", () => {
  it.each([
    ["Second image,Main image", [2, 1]],
    ["Image 3,Image 1,Image 2", [2, 3, 1]],
    ["Image 10,Image 2", [2, 1]],
    ["Photo 2,Photo", [2, 1]],
    ["Other picture,Primary picture,Second picture", [2, 3, 1]],
    ["Image 1,Image 2,Featured image", [3, 1, 2]],
    ["Extra image 2,Extra image 1,Cover image", [3, 2, 1]],
    ["Third photo,First photo,Second photo", [2, 3, 1]],
    ["Back photo,Front photo", [2, 1]],
    ["Picture,Image", [1, 2]],
  ])("begin with the main one, then go by number: %s", async (headers, order) => {
    const cells = headers.split(",").map((_, i) => `https://a.ca/${i + 1}`);
    const bytes = new TextEncoder().encode(`name,price,${headers}\nMug,5,${cells.join(",")}`);
    const { products } = await read("own.csv", {}, bytes);
    expect(products[0]?.imageUrls).toEqual(order.map((place) => `https://a.ca/${place}`));
  });

  it("are ordered as well where staff map them", async () => {
    const columns: MappingChoices["columns"] = ["name", "price", "imageUrls", "imageUrls"];
    const bytes = new TextEncoder().encode(
      "name,price,Bild zwei 2,Bild eins 1\nMug,5,https://a.ca/2,https://a.ca/1",
    );
    const { products } = await read("own.csv", { columns }, bytes);
    expect(products[0]?.imageUrls).toEqual(["https://a.ca/1", "https://a.ca/2"]);
  });
});
