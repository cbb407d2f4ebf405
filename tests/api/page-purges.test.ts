import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SettingsAnswer } from "~/features/settings/operations.server";
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
  await addProduct({ id: "chosen-hero" });
});

const state = (answer: Response) => answer.headers.get("X-Edge-Cache");
const pending = async () => (await env.DB.prepare("SELECT * FROM page_changes").all()).results.length;
const purged = () => expect.poll(pending).toBe(0);

interface SettingChange {
  value: unknown;
  /** Page on which shoppers read it; none for what they never read. */
  path?: string;
  words?: string;
}

/** Change of each setting, with what shoppers read of it. */
const CHANGES: Record<string, SettingChange> = {
  name: { value: "Maple & Oak", path: "/terms", words: "Maple &amp; Oak" },
  address: { value: "1 Elm Street", path: "/terms", words: "1 Elm Street" },
  mapUrl: { value: "https://map.example/elm", path: "/terms", words: "https://map.example/elm" },
  pickup: { value: "at the back door" },
  goodsName: { value: "Maple Goods", path: "/", words: "Maple Goods" },
  engravingName: { value: "Maple Laser", path: "/", words: "Maple Laser" },
  phone: { value: "+1 416 555 0777", path: "/terms", words: "+1 416 555 0777" },
  sms: { value: "+1 416 555 0778" },
  supportEmail: { value: "ask@maple.example", path: "/terms", words: "ask@maple.example" },
  legalEmail: { value: "law@maple.example", path: "/terms", words: "law@maple.example" },
  mailFrom: { value: "shop@emporia.example" },
  instagram: { value: "https://i.example/maple", path: "/terms", words: "https://i.example/maple" },
  facebook: { value: "https://f.example/maple", path: "/terms", words: "https://f.example/maple" },
  tiktok: { value: "https://t.example/maple", path: "/terms", words: "https://t.example/maple" },
  logo: { value: "products/maple.png", path: "/", words: "products/maple.png" },
  isSetUp: { value: true },
  hours: { value: { weekly: MONDAYS, days: [] }, path: "/terms", words: "07:31" },
  chatFollowsHours: { value: true },
  headline: { value: "Gifts with a name", path: "/", words: "Gifts with a name" },
  introduction: { value: "Cut while you wait", path: "/", words: "Cut while you wait" },
  heroProduct: { value: "chosen-hero", path: "/", words: "/products/chosen-hero" },
  featured: { value: ["chosen-hero"], path: "/", words: "/products/chosen-hero" },
  lowStock: { value: 7 },
  cashRounding: { value: "0.10" },
  holdDays: { value: 3 },
  quoteDays: { value: 30 },
  sellerCreditLimit: { value: 60 },
  receiptText: { value: "Thank you" },
  receiptHours: { value: true },
  returns: { value: "Bring it back in May", path: "/how", words: "Bring it back in May" },
};

/** All settings but the one of staff's second factor, which this admin may not turn on and no page shows. */
const SETTINGS = Object.keys(SettingsAnswer.shape).filter((field) => field !== "requiresFactor");
/** Settings that the API does not take. */
const SQL_ALONE = ["logo"];

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

  it("of the price that choices without one of their own follow, below which another is sold", async () => {
    const [name, options] = [own("Followed"), [{ name: "Size", values: ["S", "M"] }]];
    const units = [
      { options: { Size: "S" }, price: 50, stock: 3 },
      { options: { Size: "M" }, stock: 3 },
    ];
    const fields = { name, price: 78, category: "HOME_DECOR", description: "<p>A rug.</p>" };
    const added = await write(call, "/api/product", "POST", { ...fields, options, units });
    const { id } = (await added.json()) as { id: string };
    const path = `/products/${id}`;
    await call(path);
    expect(state(await call(path))).toBe("hit");
    expect((await write(call, `/api/product/${id}`, "PUT", { price: 91 })).status).toBe(200);
    const page = await call(path);
    expect(state(page)).toBe("miss");
    // In the data for search engines, which list every choice.
    expect((await page.text()).includes('"91.00"')).toBe(true);
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

  it.each(SETTINGS)("of the setting %s, on every page", async (field) => {
    const change = CHANGES[field];
    expect(change, "Say what a change of this setting is, and where shoppers read it").toBeDefined();
    const { value, path = "/", words = "" } = change ?? { value: "" };
    await env.DB.exec("DELETE FROM shop_settings");
    const pages = [...new Set([path, "/", "/terms", "/how"])];
    for (const page of pages) await call(page);
    for (const page of pages) expect([page, state(await call(page))]).toEqual([page, "hit"]);
    if (SQL_ALONE.includes(field))
      await env.DB.prepare(
        "INSERT INTO shop_settings (name, content, version, saved_by, saved_at) VALUES ('shop', ?, 1, '', 1)",
      )
        .bind(JSON.stringify({ [field]: value }))
        .run();
    // Each request that writes purges what was changed before it.
    const changes = SQL_ALONE.includes(field) ? { isSetUp: true } : { [field]: value };
    expect((await write(call, "/api/settings", "PATCH", changes, adminToken)).status).toBe(200);
    for (const page of pages) {
      const answer = await call(page);
      expect([page, state(answer)]).toEqual([page, "miss"]);
      if (page === path) expect((await answer.text()).includes(words), words).toBe(true);
    }
    await purged();
  });

  it.each(["sold out", "hidden", "deleted"])(
    "of the hero's product that is %s: another takes its place",
    async (end) => {
      await env.DB.exec("DELETE FROM shop_settings");
      const [first, next] = ["first", "next"].map((id) => own(`${id}-${end.replace(" ", "-")}`)) as [
        string,
        string,
      ];
      for (const id of [first, next])
        await addProduct({ id, stock: 1, imageUrls: [`minio:products/${id}.webp`] });
      const chosen = { heroProduct: first, featured: [next] };
      expect((await write(call, "/api/settings", "PATCH", chosen, adminToken)).status).toBe(200);
      const hero = async () => {
        const html = await (await call("/")).text();
        return /class="hero-picture"><a[^>]* href="\/products\/([^"]+)"/.exec(html)?.[1];
      };
      const settled = async (id: string | undefined) => {
        expect(await hero()).toBe(id);
        expect(state(await call("/"))).toBe("hit");
      };
      await settled(first);
      const change = { "sold out": { stock: 0 }, hidden: { isHidden: true } }[end];
      const path = `/api/product/${first}`;
      const answer = await (change ? write(call, path, "PUT", change) : write(call, path, "DELETE"));
      expect(answer.status).toBe(200);
      await settled(next);
      if (change) await write(call, path, "PUT", { stock: 1, isHidden: false });
      await settled(change ? first : next);
      if (!change) return;
      await write(call, path, "PUT", change);
      await write(call, `/api/product/${next}`, "PUT", { stock: 0 });
      await settled(end === "hidden" ? next : first);
    },
  );

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
