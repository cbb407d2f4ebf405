import { beforeAll, describe, expect, it } from "vitest";
import { addProduct, call } from "../support/shop";

interface Suggested {
  products: { id: string; name: string; price: number; image: string; available: number }[];
  categories: { category: string; name: string; products: number }[];
}

const suggest = async (q: string) =>
  (await (await call(`/api/product/suggest?q=${encodeURIComponent(q)}`)).json()) as Suggested;
const names = async (q: string) => (await suggest(q)).products.map(({ name }) => name);
const found = async (search: string) =>
  ((await (await call(`/api/product/all?search=${search}`)).json()) as { name: string }[]).map(
    ({ name }) => name,
  );

beforeAll(async () => {
  const products: Parameters<typeof addProduct>[0][] = [
    {
      id: "oval",
      name: "Oval ring",
      category: "JEWELRY",
      priceCents: 5800,
      imageUrls: ["minio:products/a.webp"],
    },
    { id: "signet", name: "Signet ring", category: "ENGRAVING", stock: 0 },
    { id: "ringlet", name: "Ringlet comb", category: "HEALTH_AND_BEAUTY" },
    { id: "can", name: "Watering can", category: "HOME_DECOR" },
    { id: "wallet", name: "Leather wallet", category: "ENGRAVING", searchText: "For coins and a key ring" },
    { id: "walnut", name: "Walnut clock", category: "HOME_DECOR" },
  ];
  for (const product of products) await addProduct(product);
});

describe("GET product/suggest", () => {
  it("lists whole words, then beginnings, what is in stock first, and no fragments", async () => {
    expect(await names("ring")).toEqual(["Oval ring", "Signet ring", "Ringlet comb", "Leather wallet"]);
    expect(await names("wal")).toEqual(["Walnut clock", "Leather wallet"]);
  });

  it("has prices in dollars, pictures and what is available", async () => {
    expect((await suggest("oval")).products).toEqual([
      {
        id: "oval",
        name: "Oval ring",
        price: 58,
        image: "/api/storage/object?key=products%2Fa.webp&w=160",
        available: 5,
        category: "JEWELRY",
      },
    ]);
  });

  it("lists categories by their name, then those of the products", async () => {
    expect((await suggest("jew")).categories).toEqual([
      { category: "JEWELRY", name: "Jewelry", products: 1 },
    ]);
    expect((await suggest("wal")).categories.map(({ category }) => category).sort()).toEqual([
      "ENGRAVING",
      "HOME_DECOR",
    ]);
  });

  it("lists of two words the categories that both of them name", async () => {
    for (const category of ["PHONE_ACCESSORY", "PHONE_CASE", "CAR_ACCESSORY"])
      await addProduct({ name: "Quagga", category });
    expect((await suggest("phone acc")).categories.map(({ category }) => category)).toEqual([
      "PHONE_ACCESSORY",
    ]);
  });

  it("finds typos when nothing else matches, and no fragments", async () => {
    expect(await names("tering")).toEqual([]);
    expect(await names("wallnut")).toEqual(["Walnut clock"]);
  });

  it("has at most 6 products and 4 categories", async () => {
    const categories = ["JEWELRY", "ENGRAVING", "HOME_DECOR", "OTHERS", "PHONE_CASE", "CAR_ACCESSORY"];
    for (let n = 0; n < 12; n++)
      await addProduct({ name: `Zebra ${n}`, category: categories[n % 6] ?? "OTHERS" });
    const { products, categories: suggested } = await suggest("zebra");
    expect([products.length, suggested.length]).toEqual([6, 4]);
  });

  it.each(["", "a", " a ", "x".repeat(61), "x".repeat(10_000)])("%j is a 400 at q", async (q) => {
    const answer = await call(`/api/product/suggest?q=${encodeURIComponent(q)}`);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { details: { path: string }[] }).details[0]?.path).toBe("q");
  });

  it.each(['""', "!!", "🦄🦄", "a*b NEAR(", "name:x", "\u0000\u0000", "\ud800a"])(
    "%j never fails",
    async (q) => {
      const answer = await call(`/api/product/suggest?q=${encodeURIComponent(q.toWellFormed())}`);
      expect(answer.status).toBeLessThan(500);
    },
  );
});

describe("search of the shop", () => {
  it("lists no fragments; what is out of stock is last among names that match as well", async () => {
    expect(await found("ring")).toEqual(["Oval ring", "Signet ring", "Ringlet comb", "Leather wallet"]);
    expect(await found("tering")).toEqual([]);
  });
});
