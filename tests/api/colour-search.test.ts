import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { admin } from "../support/people";
import { addProduct, call } from "../support/shop";

const found = async (search: string) =>
  ((await (await call(`/api/product/all?search=${encodeURIComponent(search)}`)).json()) as { id: string }[])
    .map(({ id }) => id)
    .sort();

beforeAll(async () => {
  await addProduct({ id: "bottle", name: "Bottle", colors: ["Slate blue", "Black"] });
  await addProduct({ id: "scarf", name: "Scarf", colors: ["Pale blue"] });
  await addProduct({ id: "bluebell", name: "Bluebell print" });
  await addProduct({ id: "box", name: "Box" });
});

it("finds products by their colours, also with a typo", async () => {
  expect(await found("slate")).toEqual(["bottle"]);
  expect(await found("Slate blue")).toEqual(["bottle"]);
  expect(await found("blue scarf")).toEqual(["scarf"]);
  expect(await found("blakc")).toEqual(["bottle"]);
});

it("lists products of that name before those of that colour", async () => {
  await addProduct({ id: "blue", name: "Blue pot" });
  const listed = await call("/api/product/suggest?q=blue");
  const { products } = (await listed.json()) as { products: { id: string }[] };
  expect(products[0]?.id).toBe("blue");
});

it("follows a change of the colours", async () => {
  const { token } = await admin();
  const changed = await call("/api/product/box", { method: "PUT", token, json: { colors: ["Ochre"] } });
  expect(changed.status).toBe(200);
  expect(await found("ochre")).toEqual(["box"]);
  await call("/api/product/box", { method: "PUT", token, json: { colors: [] } });
  expect(await found("ochre")).toEqual([]);
});

it("shows the picture of the colour that was searched for", async () => {
  await addProduct({
    id: "beaker",
    name: "Beaker",
    colors: ["White", "Moss"],
    imageUrls: ["https://pictures.example/white.webp", "https://pictures.example/moss.webp"],
    imageAlts: ["A white beaker", "A moss beaker"],
  });
  const pictureFor = async (search: string) =>
    /<article[\s\S]*?<img[^>]*alt="([^"]*)"/.exec(await (await call(`/shop?search=${search}`)).text())?.[1];
  expect(await pictureFor("beaker")).toBe("A white beaker");
  expect(await pictureFor("green+beaker")).toBe("A moss beaker");
  expect(await pictureFor("white+beaker")).toBe("A white beaker");
  const suggested = async (q: string) => {
    const { products } = (await (await call(`/api/product/suggest?q=${q}`)).json()) as {
      products: { image: string; category: string }[];
    };
    return products[0];
  };
  expect((await suggested("beaker"))?.image).toContain("white.webp");
  expect(await suggested("green+beaker")).toMatchObject({
    image: expect.stringContaining("moss.webp"),
    category: "OTHERS",
  });
  await env.DB.prepare("DELETE FROM products WHERE id = 'beaker'").run();
});

it("finds the colours of products that are older than this search", async () => {
  const { MIGRATIONS } = env as Env & { MIGRATIONS: D1Migration[] };
  const queriesOf = (number: string) => MIGRATIONS.find(({ name }) => name.startsWith(number))?.queries ?? [];
  const indexing = ["product_search_insert", "product_search_update"];
  for (const name of indexing) await env.DB.prepare(`DROP TRIGGER ${name}`).run();
  for (const query of queriesOf("0001"))
    if (indexing.some((name) => query.includes(`TRIGGER ${name}`))) await env.DB.prepare(query).run();
  await addProduct({ id: "old", name: "Old vase", colors: ["Turquoise"] });
  expect(await found("turquoise")).toEqual([]);
  for (const query of queriesOf("0037")) await env.DB.prepare(query).run();
  expect(await found("turquoise")).toEqual(["old"]);
  expect(await found("turqoise")).toEqual(["old"]);
  expect(await found("slate")).toEqual(["bottle"]);
});
