import { beforeEach, describe, expect, it, vi } from "vitest";
import { PageCache, pageKey } from "./browser-cache";

const MINUTE = 60_000;
let now = 0;
let cache: PageCache;

beforeEach(() => {
  now = 1_000_000;
  cache = new PageCache(() => now);
});

/** Loader with a different result on each call. */
function page() {
  let version = 0;
  return vi.fn(async () => ({ version: ++version }));
}
const settled = () => new Promise((done) => setTimeout(done, 0));

describe("page cache", () => {
  it("does not reload within 5 minutes", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 5 * MINUTE - 1;
    expect(await cache.read("/shop", load)).toEqual({ version: 1 });
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("returns data of 5 to 10 minutes at once, renews them and notifies listeners", async () => {
    const load = page();
    const heard = vi.fn();
    cache.onRenewed(heard);
    await cache.read("/shop", load);
    now += 7 * MINUTE;
    expect(await cache.read("/shop", load)).toEqual({ version: 1 });
    await settled();
    expect(heard.mock.calls).toEqual([["/shop"]]);
    expect(await cache.read("/shop", load)).toEqual({ version: 2 });
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("loads once for two who want it, and again for the second when the first fails", async () => {
    const load = page();
    const both = await Promise.all([cache.read("/shop", load), cache.read("/shop", load)]);
    expect(both).toEqual([{ version: 1 }, { version: 1 }]);
    const fails = () => Promise.reject(new Error("offline"));
    const [first, second] = await Promise.allSettled([cache.read("/", fails), cache.read("/", load)]);
    expect([first.status, second]).toEqual(["rejected", { status: "fulfilled", value: { version: 2 } }]);
    expect(cache.peek("/")).toEqual({ version: 2 });
  });

  it("does not notify of an unchanged renewal", async () => {
    const heard = vi.fn();
    cache.onRenewed(heard);
    const load = async () => ({ same: true });
    await cache.read("/", load);
    now += 6 * MINUTE;
    await cache.read("/", load);
    await settled();
    expect(heard).not.toHaveBeenCalled();
  });

  it("discards data after 10 minutes", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 10 * MINUTE;
    expect(cache.peek("/shop")).toBeUndefined();
    expect(await cache.read("/shop", load)).toEqual({ version: 2 });
  });

  it("keeps the data after a failed renewal and retries at the next visit", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 6 * MINUTE;
    const away = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await cache.read("/shop", away)).toEqual({ version: 1 });
    await settled();
    await cache.read("/shop", away);
    expect(away).toHaveBeenCalledTimes(2);
  });

  it("renews once for two simultaneous visits", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 6 * MINUTE;
    await Promise.all([cache.read("/shop", load), cache.read("/shop", load)]);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("displays cached data after a lost connection until it is renewed", async () => {
    const load = page();
    await cache.read("/shop", load);
    cache.expire();
    expect(await cache.read("/shop", load)).toEqual({ version: 1 });
    await settled();
    expect(cache.peek("/shop")).toEqual({ version: 2 });
  });

  it("does not store a failed first load", async () => {
    await expect(cache.read("/shop", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.read("/shop", page())).toEqual({ version: 1 });
  });

  it("stores 60 pages and evicts the oldest one", async () => {
    for (let i = 0; i <= 60; i++) await cache.read(`/products/${i}`, page());
    expect(cache.peek("/products/0")).toBeUndefined();
    expect(cache.peek("/products/60")).toBeDefined();
  });

  it("uses path and search as the key, without host and fragment", () => {
    expect(pageKey("https://shop.example/shop?page=2#main")).toBe("/shop?page=2");
    expect(pageKey("/shop?page=2")).toBe("/shop?page=2");
  });
});
