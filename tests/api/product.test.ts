import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addProduct, call } from "../support/shop";

interface Product {
  id: string;
  productId: string;
  name: string;
  description: string;
  price: number;
  category: string;
  imageUrls: string[];
}

const list = async (query: string) => (await (await call(`/api/product/all${query}`)).json()) as Product[];
const names = async (query: string) => (await list(query)).map((product) => product.name);

beforeAll(async () => {
  await addProduct({ id: "ring", name: "Oval ring", category: "JEWELRY", priceCents: 5800, createdAt: 10 });
  await addProduct({
    id: "bead",
    name: "Stone bead bracelets",
    category: "JEWELRY",
    priceCents: 4250,
    createdAt: 20,
    description: '<p onclick="x()">Agate</p><script>alert(1)</script>',
    searchText: "Agate and lava on elastic",
    imageUrls: ["minio:products/bead 1.webp", "https://pictures.example/bead.jpg"],
  });
  await addProduct({
    id: "case",
    name: "Čork case",
    category: "PHONE_CASE",
    priceCents: 2999,
    createdAt: 30,
  });
  await addProduct({
    id: "gone",
    name: "Sold out",
    category: "OTHERS",
    priceCents: 100,
    stock: 0,
    createdAt: 5,
  });
});

describe("GET product/all", () => {
  it("returns an array, newest first, with the total in X-Total-Count", async () => {
    const answer = await call("/api/product/all?limit=2&offset=1&_ts=1763700000000");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("X-Total-Count")).toBe("4");
    expect(((await answer.json()) as Product[]).map(({ id }) => id)).toEqual(["bead", "ring"]);
  });

  it.each([
    ["price-asc", ["Sold out", "Čork case", "Stone bead bracelets", "Oval ring"]],
    ["price-desc", ["Oval ring", "Stone bead bracelets", "Čork case", "Sold out"]],
    ["name-desc", ["Stone bead bracelets", "Sold out", "Oval ring", "Čork case"]],
  ])("sorts by %s", async (sort, expected) => {
    expect(await names(`?sort=${sort}`)).toEqual(expected);
  });

  it.each(["JEWELRY", "jewelry"])("filters by category %s", async (category) => {
    const answer = await call(`/api/product/all?category=${category}`);
    expect(answer.headers.get("X-Total-Count")).toBe("2");
  });

  it.each([
    ["braclet", "a missing letter"],
    ["braceelet", "an extra letter"],
    ["braselet", "a wrong letter"],
    ["barcelet", "two letters swapped"],
    ["brac", "a beginning"],
    ["bead stone", "several words in any order"],
    ["lava", "a word of the description"],
    ["BRACELETS!", "capitals and marks"],
  ])("search %s finds bracelets (%s)", async (search) => {
    expect(await names(`?search=${encodeURIComponent(search)}`)).toContain("Stone bead bracelets");
  });

  it("search finds categories by their words, and ignores accents", async () => {
    expect(await names("?search=phone%20case")).toEqual(["Čork case"]);
    expect(await names("?search=cork")).toEqual(["Čork case"]);
  });

  it.each([
    "zzzzqqq",
    "!!!",
    "🦄",
    '"',
    "AND OR NOT",
    "NEAR(a b)",
    "name:x*",
    "\u0000",
    "'; DROP TABLE products",
    "x".repeat(10_000),
  ])("search %j never fails", async (search) => {
    const answer = await call(`/api/product/all?search=${encodeURIComponent(search)}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toBeInstanceOf(Array);
  });

  it.each(["limit=0", "limit=1001", "limit=x", "offset=-1", "sort=price", "category=NOPE"])(
    "%s is a 400",
    async (query) => {
      const answer = await call(`/api/product/all?${query}`);
      expect(answer.status).toBe(400);
      const error = (await answer.json()) as {
        message: string;
        ERR_MSG: string;
        details: { path: string }[];
      };
      expect(error.ERR_MSG).toBe(error.message);
      expect(error.message).toMatch(/^Validation error: \w+: /);
      expect(error.details[0]?.path).toBe(query.split("=")[0]);
    },
  );

  it("has an ETag and is revalidated", async () => {
    const answer = await call("/api/product/all");
    expect(answer.headers.get("Cache-Control")).toBe("no-cache");
    const again = await call("/api/product/all", {
      headers: { "If-None-Match": answer.headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  it("is revalidated by a weak ETag too, as compression makes it, and by one of several", async () => {
    const tag = (await call("/api/product/all")).headers.get("ETag") ?? "";
    const status = async (tags: string) =>
      (await call("/api/product/all", { headers: { "If-None-Match": tags } })).status;
    expect(await status(`W/${tag}`)).toBe(304);
    expect(await status(`"other", W/${tag}`)).toBe(304);
    expect(await status('W/"other"')).toBe(200);
  });

  it("reports its cost in Server-Timing", async () => {
    const answer = await call("/api/product/all?limit=1");
    expect(answer.headers.get("Server-Timing")).toMatch(
      /^d1;desc="\d+ round trips, \d+ queries, \d+ rows read, \d+ rows written";dur=[\d.]+, total;dur=[\d.]+$/,
    );
  });
});

describe("GET product/id/{id}", () => {
  it("returns a product with both ids, dollars, sanitised HTML and image URLs", async () => {
    const product = (await (await call("/api/product/id/bead")).json()) as Product;
    expect(product).toMatchObject({
      id: "bead",
      productId: "bead",
      price: 42.5,
      description: "<p>Agate</p>",
    });
    expect(product.imageUrls).toEqual([
      "/api/storage/object?key=products%2Fbead%201.webp",
      "https://pictures.example/bead.jpg",
    ]);
  });

  it.each(["all", "id/bead"])("refuses a wrong raw of product/%s", async (path) => {
    const answer = await call(`/api/product/${path}?raw=zzz`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: [{ path: "raw", message: "Must be 0 or 1" }] });
  });

  it("keeps minio: entries with raw=1", async () => {
    const product = (await (await call("/api/product/id/bead?raw=1")).json()) as Product;
    expect(product.imageUrls[0]).toBe("minio:products/bead 1.webp");
  });

  it("is a 404 'Product not found'", async () => {
    const answer = await call("/api/product/id/nope");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: "Product not found", ERR_MSG: "Product not found" });
  });
});

describe("other product routes", () => {
  it("GET product/categories returns the categories that have products, in display order", async () => {
    expect(await (await call("/api/product/categories")).json()).toEqual(["PHONE_CASE", "JEWELRY", "OTHERS"]);
  });

  it("GET product/category/{category} returns its products", async () => {
    const products = (await (await call("/api/product/category/JEWELRY")).json()) as Product[];
    expect(products.map(({ id }) => id)).toEqual(["bead", "ring"]);
    expect((await call("/api/product/category/NOPE")).status).toBe(400);
  });

  it("GET product/random returns at most 8, in stock first", async () => {
    const products = (await (await call("/api/product/random")).json()) as Product[];
    expect(products).toHaveLength(4);
    expect(products.at(-1)?.id).toBe("gone");
  });

  it("GET product/random has what is on hold behind what is not, until the hold has ended", async () => {
    const random = async () =>
      ((await (await call("/api/product/random")).json()) as Product[]).map(({ id }) => id);
    const run = (statement: string) => env.DB.prepare(statement).run();
    await run(`INSERT INTO holds (id, until, request_hash, created_at, created_by)
      VALUES ('ring', unixepoch() + 60, '', 1, 'Pat')`);
    await run(`INSERT INTO hold_lines (hold_id, product_id, name, quantity, until)
      SELECT 'ring', id, name, stock, unixepoch() + 60 FROM products WHERE id = 'ring'`);
    for (let i = 0; i < 5; i += 1) expect((await random()).slice(2).sort()).toEqual(["gone", "ring"]);
    await run("UPDATE hold_lines SET until = unixepoch() - 1");
    for (let i = 0; i < 5; i += 1) expect((await random())[3]).toBe("gone");
    await run("DELETE FROM hold_lines");
  });
});

it("the page has structured data, from which no name breaks out", async () => {
  const name = "Bead </script><script>alert(1)</script><!-- &lt;";
  const id = await addProduct({ name, category: "JEWELRY", priceCents: 4250, stock: 3 });
  const page = await (await call(`/products/${id}`)).text();
  const blocks = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
  const things = blocks.map(([, json]) => JSON.parse(json ?? ""));
  expect(things).toMatchObject([
    { "@type": "Product", name, offers: { price: "42.50" } },
    { "@type": "BreadcrumbList", itemListElement: [{}, {}, {}, { name }] },
  ]);
  expect(page).not.toContain("<script>alert");
});
