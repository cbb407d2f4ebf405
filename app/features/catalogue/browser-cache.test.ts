import { beforeEach, describe, expect, it, vi } from "vitest";
import { PageCache, pageKey } from "./browser-cache";

const MINUTE = 60_000;
let now = 0;
let cache: PageCache;

beforeEach(() => {
  now = 1_000_000;
  cache = new PageCache(() => now);
});

/** A page that says something else each time it is loaded. */
function page() {
  let version = 0;
  return vi.fn(async () => ({ version: ++version }));
}
const settled = () => new Promise((done) => setTimeout(done, 0));

describe("the query cache (spec 9)", () => {
  it("data are fresh for 5 minutes: no second load", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 5 * MINUTE - 1;
    expect(await cache.read("/shop", load)).toEqual({ version: 1 });
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("from 5 to 10 minutes they are shown at once and renewed behind, and who listens hears of it", async () => {
    const load = page();
    const heard = vi.fn();
    cache.onRenewed(heard);
    await cache.read("/shop", load);
    now += 7 * MINUTE;
    expect(await cache.read("/shop", load)).toEqual({ version: 1 });
    await settled();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(await cache.read("/shop", load)).toEqual({ version: 2 });
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("a renewal that brings nothing new is not spoken of", async () => {
    const heard = vi.fn();
    cache.onRenewed(heard);
    const load = async () => ({ same: true });
    await cache.read("/", load);
    now += 6 * MINUTE;
    await cache.read("/", load);
    await settled();
    expect(heard).not.toHaveBeenCalled();
  });

  it("after 10 minutes they are forgotten", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 10 * MINUTE;
    expect(cache.peek("/shop")).toBeUndefined();
    expect(await cache.read("/shop", load)).toEqual({ version: 2 });
  });

  it("a renewal that fails leaves what is shown, and is tried again at the next visit", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 6 * MINUTE;
    const away = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await cache.read("/shop", away)).toEqual({ version: 1 });
    await settled();
    await cache.read("/shop", away);
    expect(away).toHaveBeenCalledTimes(2);
  });

  it("two visits at once renew once", async () => {
    const load = page();
    await cache.read("/shop", load);
    now += 6 * MINUTE;
    await Promise.all([cache.read("/shop", load), cache.read("/shop", load)]);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("after a lost connection everything is renewed once more, but shown meanwhile", async () => {
    const load = page();
    await cache.read("/shop", load);
    cache.expire();
    expect(await cache.read("/shop", load)).toEqual({ version: 1 });
    await settled();
    expect(cache.peek("/shop")).toEqual({ version: 2 });
  });

  it("a first load that fails is not kept", async () => {
    await expect(cache.read("/shop", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.read("/shop", page())).toEqual({ version: 1 });
  });

  it("keeps 60 pages, and gives up the one loaded longest ago", async () => {
    for (let i = 0; i <= 60; i++) await cache.read(`/products/${i}`, page());
    expect(cache.peek("/products/0")).toBeUndefined();
    expect(cache.peek("/products/60")).toBeDefined();
  });

  it("keeps a page under its path and search, whatever its host and fragment", () => {
    expect(pageKey("https://shop.example/shop?page=2#main")).toBe("/shop?page=2");
    expect(pageKey("/shop?page=2")).toBe("/shop?page=2");
  });
});
