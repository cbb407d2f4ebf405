import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { admin, manager } from "../support/people";
import { PlatformCache } from "../support/platform-cache";
import { addProduct, storeImages } from "../support/shop";
import { send } from "../support/worker";

const ORIGIN = "http://localhost:8787";
let token = "";
let adminToken = "";
const MONDAYS = { mon: [["07:31", "18:00"]], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

beforeAll(async () => {
  token = (await manager()).token;
  adminToken = (await admin()).token;
});

const state = (answer: Response) => answer.headers.get("X-Edge-Cache");
const pending = async () => (await env.DB.prepare("SELECT * FROM page_changes").all()).results.length;
const purged = () => expect.poll(pending).toBe(0);

/** Calls the Worker with one of the two caches. */
type Call = (path: string, init?: RequestInit) => Promise<Response>;
const caches: [string, () => Call][] = [
  ["a data centre's", () => (path, init) => send(new Request(ORIGIN + path, init))],
  [
    "the platform's",
    () => {
      const cache = new PlatformCache();
      return (path, init) => cache.call(path, init);
    },
  ],
];

const write = (call: Call, path: string, method: string, json?: unknown, by = token) =>
  call(path, {
    method,
    headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/json" },
    body: json === undefined ? null : JSON.stringify(json),
  });

describe.each(caches)("with %s cache, the next reader sees a change", (name, cacheOf) => {
  let call: Call;
  /** Ids of products that no other test has cached. */
  const own = (id: string) => `${id}-${name === "the platform's" ? "everywhere" : "here"}`;

  beforeEach(async () => {
    await env.DB.prepare("DELETE FROM page_changes").run();
    call = cacheOf();
  });

  it("of a price: on the product's page and in the lists that show it, and nowhere else", async () => {
    const id = await addProduct({ id: own("priced"), category: "ENGRAVING" });
    const other = await addProduct({ id: own("apart"), category: "JEWELRY" });
    await env.DB.prepare("DELETE FROM page_changes").run();
    const shown = [`/products/${id}`, "/shop?sort=price-desc", "/shop?category=ENGRAVING"];
    const apart = ["/terms", `/products/${other}`, "/shop?category=JEWELRY"];
    for (const path of [...shown, ...apart]) await call(path);
    expect((await write(call, `/api/product/${id}`, "PUT", { price: 77_031.31 })).status).toBe(200);
    for (const path of shown) {
      const page = await call(path);
      expect([path, state(page)]).toEqual([path, "miss"]);
      expect((await page.text()).includes('value="77031.31"')).toBe(true);
      expect([path, state(await call(path))]).toEqual([path, "hit"]);
    }
    for (const path of apart) expect([path, state(await call(path))]).toEqual([path, "hit"]);
    await purged();
  });

  it("of the stock, by a sale", async () => {
    const id = await addProduct({ id: own("sold-out"), stock: 1 });
    await call(`/products/${id}`);
    const line = { productId: id, quantity: 1, amount: 10 };
    const sale = { id: own("sale"), businessType: "EMPORIA", paymentMode: "CASH", lines: [line] };
    const recorded = await write(call, "/api/sale", "POST", sale);
    expect([recorded.status, await recorded.text()]).toEqual([201, expect.anything()]);
    const page = await call(`/products/${id}`);
    expect(state(page)).toBe("miss");
    expect((await page.text()).includes("Out of Stock")).toBe(true);
  });

  it.each([
    ["the shop", "/terms", { name: "Maple & Oak" }, "Maple &amp; Oak"],
    ["the hours", "/terms", { hours: { weekly: MONDAYS, days: [] } }, "07:31"],
    ["the home page", "/", { headline: "Gifts with a name" }, "Gifts with a name"],
    ["sales", "/how", { returns: "Bring it back in May" }, "Bring it back in May"],
  ])("of a setting of %s", async (_, path, changes, words) => {
    await env.DB.prepare("DELETE FROM shop_settings").run();
    await call(path);
    expect(state(await call(path))).toBe("hit");
    expect((await write(call, "/api/settings", "PATCH", changes, adminToken)).status).toBe(200);
    const page = await call(path);
    expect([state(page), (await page.text()).includes(words)]).toEqual(["miss", true]);
    await purged();
  });

  it("of the number of products, on every page", async () => {
    await call("/terms");
    const added = {
      id: own("added"),
      name: "Added",
      price: 3,
      stock: 1,
      category: "ENGRAVING",
      description: "",
    };
    const answer = await write(call, "/api/product", "POST", added);
    expect([answer.status, await answer.text()]).toEqual([201, expect.anything()]);
    expect(state(await call("/terms"))).toBe("miss");
    expect(state(await call("/terms"))).toBe("hit");
    await write(call, `/api/product/${own("added")}`, "DELETE");
    expect(state(await call("/terms"))).toBe("miss");
  });

  it("of a hundred products at once, by one purge of every page", async () => {
    const id = own("batch");
    for (let i = 0; i < 100; i++) await addProduct({ id: `${id}-${i}` });
    await env.DB.prepare("DELETE FROM page_changes").run();
    await call("/privacy");
    await env.DB.prepare(`UPDATE products SET price_cents = 77 WHERE id LIKE '${id}-%'`).run();
    expect(await pending()).toBe(100);
    await write(call, `/api/product/${id}-0`, "PUT", { price: 5 });
    expect(state(await call("/privacy"))).toBe("miss");
    await purged();
  });

  it("of a picture's address alone: pictures stay cached", async () => {
    const key = `products/${own("picture")}.jpg`;
    await storeImages(key);
    const path = `/api/storage/object?key=${encodeURIComponent(key)}`;
    const first = await call(path);
    const read = async (answer: Response) => new TextDecoder().decode(await answer.arrayBuffer());
    expect(await read(first)).toBe("x");
    await env.BUCKET.delete(key);
    const again = await call(path, { headers: { Range: "bytes=5-" } });
    expect([again.status, await read(again)]).toEqual([200, "x"]);
    const etag = first.headers.get("ETag") ?? "";
    expect((await call(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
    expect(
      (await call(`/api/storage/object?key=products/none`, { headers: { "If-None-Match": "" } })).status,
    ).toBe(404);
  });
});

describe("the platform's cache", () => {
  it("gives each reader tokens of their own, and none of its headers", async () => {
    const cache = new PlatformCache();
    const nonce = (answer: Response) =>
      /'nonce-(\w+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";
    const [first, second] = [await cache.call("/terms"), await cache.call("/terms")];
    expect([state(first), state(second)]).toEqual(["miss", "hit"]);
    expect(nonce(second)).not.toBe(nonce(first));
    for (const answer of [first, second]) {
      expect(await answer.text()).toContain(`nonce="${nonce(answer)}"`);
      expect(answer.headers.get("Cache-Control")).toBe("no-cache");
      for (const header of ["Cache-Tag", "X-Release", "X-Token-Offsets", "X-Rendered-At"])
        expect([header, answer.headers.get(header)]).toEqual([header, null]);
    }
  });

  it("serves a stale page while it is rendered again, when a purge has failed", async () => {
    const cache = new PlatformCache();
    const id = await addProduct({ id: "purge-refused" });
    await env.DB.prepare("DELETE FROM page_changes").run();
    const path = `/products/${id}`;
    await cache.call(path);
    cache.isPurgeRefused = true;
    await write((...args) => cache.call(...args), `/api/product/${id}`, "PUT", { price: 91_011.19 });
    const old = await cache.call(path);
    expect([state(old), (await old.text()).includes('value="91011.19"')]).toEqual(["hit", false]);
    expect(await pending()).toBeGreaterThan(0);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect(state(await cache.call(path))).toBe("updating");
    await expect
      .poll(async () => (await (await cache.call(path)).text()).includes('value="91011.19"'))
      .toBe(true);
    vi.useRealTimers();
    cache.isPurgeRefused = false;
    await write((...args) => cache.call(...args), `/api/product/${id}`, "PUT", { stock: 3 });
    await purged();
    expect(cache.purges.flat()).toContain(`product:${id}`);
  });

  it("is passed by when it is down, and for a page that it does not store", async () => {
    const cache = new PlatformCache();
    expect([
      (await cache.call("/products/nope")).status,
      (await cache.call("/products/nope")).status,
    ]).toEqual([404, 404]);
    cache.isDown = true;
    const logged = vi.spyOn(console, "warn").mockReturnValue();
    expect((await cache.call("/terms")).status).toBe(200);
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();
  });

  it("has no say for readers with a cookie, also during a purge", async () => {
    const cache = new PlatformCache();
    const id = await addProduct({ id: "purge-and-cookie" });
    const call: Call = (path, init) => cache.call(path, init);
    await cache.call(`/products/${id}`);
    const [, page] = await Promise.all([
      write(call, `/api/product/${id}`, "PUT", { price: 12_345.67 }),
      cache.call(`/products/${id}`, { headers: { Cookie: "emporia_theme=dark" } }),
    ]);
    expect([page.status, state(page)]).toEqual([200, null]);
    expect((await (await cache.call(`/products/${id}`)).text()).includes('value="12345.67"')).toBe(true);
  });
});
