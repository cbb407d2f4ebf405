import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { loaderData } from "../support/loader-data";
import { manager } from "../support/people";
import { hold, sold } from "../support/sales";
import { addProduct, addUser, call, cookiesOf, signIn } from "../support/shop";

let token: string;
let shopper: string;

const json = async <T>(path: string, options: Parameters<typeof call>[1] = {}) =>
  (await (await call(path, options)).json()) as T;
const text = async (path: string, options: Parameters<typeof call>[1] = {}) =>
  (await call(path, { cookie: "emporia_seen=1", ...options })).text();
const setHidden = async (id: string, isHidden: boolean) => {
  const answer = await call(`/api/product/${id}`, { method: "PUT", json: { isHidden }, token });
  expect(answer.status).toBe(200);
};
const idsOf = async (path: string, options: Parameters<typeof call>[1] = {}) =>
  (await json<{ id: string }[]>(path, options)).map(({ id }) => id);

beforeAll(async () => {
  token = (await manager()).token;
  const { email, password } = await addUser();
  shopper = await signIn(email, password);
  const of = { category: "JEWELRY", stock: 3, imageUrls: ["https://a.example/x.jpg"] };
  await addProduct({ ...of, id: "ring", name: "Silver ring", priceCents: 1000 });
  await addProduct({ ...of, id: "secret", name: "Zirconium bangle", priceCents: 2000, searchText: "quokka" });
  await addProduct({ id: "mug", name: "Plain mug", category: "HOME_DECOR", stock: 0 });
  await addProduct({ id: "only", name: "Odd one out", category: "OTHERS" });
  for (const id of ["secret", "only"]) await setHidden(id, true);
});

describe("a hidden product", () => {
  it.each([
    "/api/product/all",
    "/api/product/all?sort=price-asc",
    "/api/product/all?sort=name-desc&category=JEWELRY",
    "/api/product/all?min=5&max=30",
    "/api/product/all?min=5&max=30&sort=name-asc",
    "/api/product/all?stock=in",
    "/api/product/all?search=bangle",
    "/api/product/all?search=bangle&hidden=1",
    "/api/product/all?hidden=1",
    "/api/product/all?hidden=1&min=5&max=30",
    "/api/product/all?search=quokka",
    "/api/product/category/jewelry",
    "/api/product/random",
    "/api/product/suggest?q=zirc",
    "/api/product/categories",
  ])("is not in %s", async (path) => {
    for (const options of [{}, { token: shopper }]) {
      const answer = await text(path, options);
      expect(answer).not.toContain("Zirconium");
      expect(answer).not.toContain("OTHERS");
    }
  });

  it.each([
    "/",
    "/shop",
    "/shop?category=OTHERS",
    "/shop?search=zirconium+bangle",
    "/shop?search=zirconum",
    "/shop?min=10&max=20",
    "/products/ring",
    "/sitemap.xml?page=1",
    "/sitemap.xml?page=0",
  ])("is not on %s", async (path) => {
    const page = await text(path);
    expect(page).not.toContain("Zirconium");
    expect(page).not.toContain("products/secret");
    expect(page).not.toContain("products/only");
  });

  it("counts for shoppers nowhere: categories, price ranges, lists", async () => {
    const answer = await call("/api/product/all?category=JEWELRY&limit=1");
    expect(answer.headers.get("X-Total-Count")).toBe("1");
    expect(await json("/api/product/categories")).not.toContain("OTHERS");
    const counts = await env.DB.prepare(
      "SELECT category, sum(products) AS products FROM price_counts WHERE level = 0 AND products > 0 GROUP BY 1 ORDER BY 1",
    ).all();
    expect(counts.results).toEqual([
      { category: "", products: 2 },
      { category: "HOME_DECOR", products: 1 },
      { category: "JEWELRY", products: 1 },
    ]);
  });

  it("is not found by its address, except by staff over the API", async () => {
    for (const path of ["/products/secret", "/api/product/id/secret", "/products/secret/data"]) {
      expect((await call(path)).status, path).toBe(404);
      expect((await call(path, { token: shopper })).status, path).toBe(404);
    }
    expect(await json("/api/product/id/secret", { token })).toMatchObject({ id: "secret", isHidden: true });
    expect(await json("/api/product/id/ring", { token })).not.toHaveProperty("isHidden");
  });

  it("is marked in the lists of the back office, which count it", async () => {
    for (const path of ["/admin/products-management", "/admin/inventory-management"])
      for (const query of ["", "?q=bangle", "?q=quokka", "?q=zirconum", "?category=JEWELRY"]) {
        const page = await text(path + query, { token });
        expect(page, path + query).toContain("Zirconium bangle");
        expect(page, path + query).toContain("hidden-tag");
      }
    const of = "/admin/products-management?category=JEWELRY";
    expect(await loaderData<{ total: number }>(of, { token })).toMatchObject({ total: 2 });
    expect(await text("/admin/products-management.csv", { token })).toContain("Zirconium bangle");
  });

  it("is found by staff who sell, and can be set aside and sold", async () => {
    expect(await idsOf("/api/product/all?search=bangle&hidden=1&raw=1", { token })).toEqual(["secret"]);
    expect(await idsOf("/api/product/all?search=bangle", { token })).toEqual([]);
    const lines = [{ productId: "secret", quantity: 1 }];
    await sold(token, { lines: [{ productId: "secret", quantity: 1, amount: 20 }] });
    const set = await hold(token, {
      id: "hold-of-secret",
      until: Math.floor(Date.now() / 1000) + 3600,
      lines,
    });
    expect(set.status).toBe(201);
  });
});

describe("the list of staff with hidden products", () => {
  it.each([
    ["", ["ring", "secret", "only", "mug"]],
    ["&sort=name-asc", ["only", "mug", "ring", "secret"]],
    ["&sort=price-desc&category=JEWELRY", ["secret", "ring"]],
    ["&min=15&max=30", ["secret"]],
    ["&stock=in&category=JEWELRY&sort=name-desc", ["secret", "ring"]],
    ["&sort=name-asc&limit=1&offset=1", ["mug"]],
    ["&search=bangle", ["secret"]],
  ])("has them for %s, marked, with their number", async (query, ids) => {
    const answer = await call(`/api/product/all?hidden=1${query}`, { token });
    const list = await answer.json<{ id: string; isHidden?: boolean }[]>();
    const sorted = query.includes("sort");
    const found = list.map(({ id }) => id);
    expect(sorted ? found : found.toSorted()).toEqual(sorted ? ids : ids.toSorted());
    expect(list.filter(({ isHidden }) => isHidden).map(({ id }) => id)).toEqual(
      found.filter((id) => ["secret", "only"].includes(id)),
    );
    expect(answer.headers.get("X-Total-Count")).toBe(query.includes("limit") ? "4" : String(ids.length));
    expect(answer.headers.get("Cache-Control")).not.toContain("public");
  });

  it("has none for shoppers", async () => {
    for (const options of [{}, { token: shopper }])
      expect((await idsOf("/api/product/all?hidden=1", options)).toSorted()).toEqual(["mug", "ring"]);
  });
});

describe("hiding a product", () => {
  it("is a field of staff: others may not write, and see none", async () => {
    for (const options of [{}, { token: shopper }]) {
      const answer = await call("/api/product/ring", { method: "PUT", json: { isHidden: true }, ...options });
      expect([401, 403]).toContain(answer.status);
    }
    expect((await call("/api/product/id/ring")).status).toBe(200);
    const refused = await call("/api/product/ring", { method: "PUT", json: { isHidden: "maybe" }, token });
    expect(refused.status).toBe(400);
  });

  it("and showing it again restores lists, counts and search, also after changes in between", async () => {
    const before = await json<unknown[]>("/api/product/all?sort=name-asc");
    await setHidden("ring", true);
    expect(await idsOf("/api/product/all")).toEqual(["mug"]);
    await call("/api/product/ring", {
      method: "PUT",
      json: { price: 12, stock: 0, name: "Gold ring" },
      token,
    });
    await call("/api/product/ring", {
      method: "PUT",
      json: { price: 10, stock: 3, name: "Silver ring" },
      token,
    });
    await setHidden("ring", false);
    expect(await json("/api/product/all?sort=name-asc")).toEqual(before);
    expect(await idsOf("/api/product/all?search=silver")).toEqual(["ring"]);
    expect(await json("/api/product/categories")).toEqual(["JEWELRY", "HOME_DECOR"]);
  });

  it("is in the audit log, and purges every cached page", async () => {
    await env.DB.exec("DELETE FROM page_changes");
    await env.DB.exec("UPDATE products SET is_hidden = 1 WHERE id = 'mug'");
    const { results } = await env.DB.prepare("SELECT product_id, is_everywhere FROM page_changes").all();
    expect(results).toEqual([{ product_id: "mug", is_everywhere: 1 }]);
    await env.DB.exec("UPDATE products SET is_hidden = 0 WHERE id = 'mug'");
    const log = await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'product' AND object_id = 'secret' ORDER BY seq DESC LIMIT 1",
    ).first<{ changes: string }>();
    expect(log?.changes).toContain("isHidden");
  });

  it("leaves it in a cart and among favourites as no longer offered", async () => {
    await call("/api/favourite/mug", { method: "PUT", token: shopper });
    await call("/api/favourite/ring", { method: "PUT", token: shopper });
    const ring = { body: new URLSearchParams({ intent: "add", id: "ring" }) };
    const cookie = cookiesOf(await call("/cart", ring));
    await setHidden("ring", true);
    expect(await idsOf("/api/favourite", { token: shopper })).toEqual(["mug"]);
    expect(await text("/favourites", { token: shopper })).toContain("1 of them is no longer offered.");
    const cart = await text("/cart", { cookie });
    expect(cart).toContain("No longer offered: ");
    expect(cart).not.toContain("$10.00");
    expect((await call("/api/favourite/ring", { method: "PUT" })).status).toBe(404);
    expect((await call("/cart", { ...ring, cookie })).status).toBe(404);
    await setHidden("ring", false);
    expect(await text("/cart", { cookie })).toContain("Silver ring");
  });

  it("is on no card of a shopper", async () => {
    const { products } = await json<{ products: object[] }>("/chat/products?ids=secret");
    expect(products).toEqual([]);
    const ofStaff = await json<{ products: object[] }>("/chat/products?ids=secret", { token });
    expect(ofStaff.products).toMatchObject([{ id: "secret", priceCents: 2000, isHidden: true }]);
  });
});
