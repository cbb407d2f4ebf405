import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loaderData } from "../support/loader-data";
import { admin, manager, problems } from "../support/people";
import { importFile } from "../support/product-import";
import { json } from "../support/sales";
import { addProduct, call, setStock } from "../support/shop";

let token = "";
let managerToken = "";
beforeAll(async () => {
  ({ token } = await admin());
  managerToken = (await manager()).token;
});
beforeEach(async () => {
  await env.DB.batch(
    ["DELETE FROM products", "DELETE FROM shop_settings"].map((statement) => env.DB.prepare(statement)),
  );
});

const setShop = (lowStock: unknown, by = token) =>
  call("/api/settings", { method: "PATCH", json: { lowStock }, token: by });
const change = (id: string, fields: object) =>
  call(`/api/product/${id}`, { method: "PUT", json: fields, token: managerToken });
interface Stock {
  rows: { id: string }[];
  counts: { all: number; low: number; out: number };
}
const inventory = async (query = "") => loaderData<Stock>(`/admin/inventory-management?${query}`, { token });
const low = async () => {
  const { rows, counts } = await inventory("level=low&sort=name");
  expect(rows).toHaveLength(counts.low);
  return rows.map(({ id }) => id);
};

/** Expects the counters to be what a count of all units finds, by the number that each one follows. */
async function expectCounted() {
  const { results: wrong } = await env.DB.prepare(
    `SELECT u.id FROM units AS u JOIN products AS p ON p.id = u.product_id WHERE u.low_at <>
      iif(p.low_stock >= 0, p.low_stock, coalesce((SELECT content ->> 'lowStock' FROM shop_settings WHERE name = 'sales'), 5))`,
  ).all();
  expect(wrong).toEqual([]);
  const counted = await env.DB.prepare(
    "SELECT sum(units) AS n FROM stock_counts WHERE level = 1 AND units > 0",
  ).first("n");
  expect(counted ?? 0).toBe(
    await env.DB.prepare("SELECT count(*) AS n FROM units WHERE stock BETWEEN 1 AND low_at").first("n"),
  );
}

/** Adds products of 1 to `count` pieces, named a1, a2, … */
async function addStocked(count: number) {
  for (let stock = 1; stock <= count; stock++)
    await addProduct({ id: `a${stock}`, name: `A${stock}`, stock, category: "OTHERS" });
}

describe("the number of low stock", () => {
  it("is 5 until an admin changes it, for lists, counts and files at once", async () => {
    await addStocked(9);
    expect(await low()).toEqual(["a1", "a2", "a3", "a4", "a5"]);
    expect((await setShop(7)).status).toBe(200);
    expect(await low()).toEqual(["a1", "a2", "a3", "a4", "a5", "a6", "a7"]);
    await expectCounted();
    const file = await (await call("/admin/inventory-management.csv", { token })).text();
    expect(file).toContain("A7,Others,10.00,7,7,Low stock");
    expect(file).toContain("A8,Others,10.00,8,8,In stock");
    expect((await setShop(2)).status).toBe(200);
    expect(await low()).toEqual(["a1", "a2"]);
    await expectCounted();
    expect((await setShop(0)).status).toBe(200);
    expect(await low()).toEqual([]);
    await expectCounted();
  });

  it("holds for what is added, sold and counted later", async () => {
    await setShop(8);
    await addStocked(3);
    await addProduct({ id: "b", name: "B", stock: 9 });
    expect(await low()).toEqual(["a1", "a2", "a3"]);
    await setStock("b", 8);
    await setStock("a1", 0);
    expect(await low()).toEqual(["a2", "a3", "b"]);
    expect((await inventory()).counts).toEqual({ all: 4, low: 3, out: 1 });
    await expectCounted();
    await env.DB.exec("DELETE FROM products WHERE id = 'b'");
    await expectCounted();
  });

  it.each([[-1], [1.5], [1001], ["many"]])("is refused as %s", async (wrong) => {
    const answer = await setShop(wrong);
    expect(answer.status).toBe(400);
    expect((await problems(answer)).join()).toContain("lowStock: Must be a whole number from 0 to 1,000");
  });

  it("is changed by admins alone", async () => {
    expect((await setShop(9, managerToken)).status).toBe(403);
  });

  it("stays right when settings and products change at once", async () => {
    await addStocked(6);
    await Promise.all([
      setShop(3),
      change("a4", { lowStock: 4 }),
      setStock("a6", 2),
      setShop(3),
      addProduct({ id: "new", stock: 3 }),
    ]);
    await expectCounted();
    expect(await low()).toEqual(["a1", "a2", "a3", "a4", "a6", "new"].toSorted());
  });

  it("lists what is low since then on Today, with its last change", async () => {
    await addProduct({ id: "lamp", name: "Lamp", stock: 20 });
    await setStock("lamp", 9);
    const stock = async () =>
      (await json<{ stock: { title: string }[] }>(call("/api/today", { token }))).stock;
    expect(await stock()).toEqual([]);
    await setShop(10);
    expect(await stock()).toEqual([expect.objectContaining({ title: "Lamp", at: expect.anything() })]);
  });
});

describe("the number of a product", () => {
  it("goes before that of the settings, in all its units, until it is left out again", async () => {
    await addStocked(6);
    expect((await change("a4", { lowStock: 3 })).status).toBe(200);
    expect((await change("a6", { lowStock: 6 })).status).toBe(200);
    expect(await low()).toEqual(["a1", "a2", "a3", "a5", "a6"]);
    expect(await json(call("/api/product/id/a4", { token }))).toMatchObject({ lowStock: 3 });
    expect(await json(call("/api/product/id/a5", { token }))).not.toHaveProperty("lowStock");
    await setShop(1);
    expect(await low()).toEqual(["a1", "a6"]);
    await expectCounted();
    expect((await change("a6", { lowStock: null })).status).toBe(200);
    expect((await change("a4", { name: "Still" })).status).toBe(200);
    expect(await json(call("/api/product/id/a4", { token }))).toMatchObject({ lowStock: 3 });
    expect(await low()).toEqual(["a1"]);
    await expectCounted();
    const { results } = await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'product' AND object_id = 'a6' AND changes LIKE '%lowStock%' ORDER BY seq",
    ).all<{ changes: string }>();
    expect(results.map(({ changes }) => JSON.parse(changes).lowStock)).toEqual([
      [-1, 6],
      [6, -1],
    ]);
  });

  it.each([[-1], [1.5], [1_000_001], ["x"]])("is refused as %s", async (wrong) => {
    await addProduct({ id: "lamp" });
    expect((await change("lamp", { lowStock: wrong })).status).toBe(400);
  });

  it("is a column of the export, which an import reads; a blank leaves it", async () => {
    await addProduct({ id: "a", name: "A", stock: 4 });
    await addProduct({ id: "b", name: "B", stock: 4 });
    await change("b", { lowStock: 2 });
    const file = await (await call("/admin/products-management.csv", { token })).text();
    const [head = "", ...rows] = file.replace("\ufeff", "").trim().split("\r\n");
    const column = head.split(",").indexOf("lowStock");
    expect(column).toBeGreaterThan(0);
    expect(rows.map((row) => row.split(",")[column]).toSorted()).toEqual(["", "2"]);
    await importFile(token, "name,price,low stock\nA,10,7\nB,10,\nC,10,1\n");
    const { results } = await env.DB.prepare("SELECT name, low_stock FROM products ORDER BY name").all();
    expect(results).toEqual([
      { name: "A", low_stock: 7 },
      { name: "B", low_stock: 2 },
      { name: "C", low_stock: 1 },
    ]);
    await expectCounted();
  });

  it("stands in the form, where an empty field means the settings", async () => {
    await addProduct({ id: "lamp", name: "Lamp", imageUrls: ["https://a.example/x.jpg"] });
    await change("lamp", { lowStock: 12 });
    const page = await (await call("/admin/products-management?edit=lamp", { token })).text();
    expect(page).toMatch(/name="lowStock"[^>]*value="12"/);
  });
});
