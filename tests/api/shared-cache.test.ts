import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { failD1 } from "../support/failing-d1";
import { addProduct, call } from "../support/shop";

const state = (answer: Response) => answer.headers.get("X-Edge-Cache");
const nonceOf = (answer: Response) =>
  /'nonce-(\w+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";

afterEach(() => vi.useRealTimers());

describe("pages that are the same for everyone come from the edge (architecture: Durability and scale)", () => {
  it("the second reader gets what was kept, with a nonce of its own in header and body", async () => {
    const path = `/products/${await addProduct({ id: "kept-at-the-edge" })}`;
    const first = await call(path);
    expect(state(first)).toBe("miss");
    const firstBody = await first.text();
    const second = await call(path);
    const secondBody = await second.text();
    expect(state(second)).toBe("hit");
    expect(nonceOf(second)).not.toBe(nonceOf(first));
    expect(firstBody).toContain(`nonce="${nonceOf(first)}"`);
    expect(secondBody).toContain(`nonce="${nonceOf(second)}"`);
    expect(secondBody).not.toContain(nonceOf(first));
    expect(second.headers.get("Cache-Control")).toBe("no-cache");
    expect(second.headers.getSetCookie()).toEqual([]);
  });

  it("is keyed by path and known parameters: others change nothing", async () => {
    await addProduct();
    // A price of no other test: the files share one cache.
    expect(state(await call("/shop?sort=name-asc&max=713.07&utm_source=mail"))).toBe("miss");
    expect(state(await call("/shop?fbclid=1&sort=name-asc&max=713.07"))).toBe("hit");
    expect(state(await call("/shop?sort=name-desc&max=713.07"))).toBe("miss");
  });

  it.each([
    ["a cookie of ours", "/privacy", { cookie: "emporia_theme=x" }],
    ["a bearer token", "/privacy", { token: "x".repeat(32) }],
    ["a data request", "/privacy?_data=routes%2F_shop.privacy", {}],
    ["a search nobody else will type", `/shop?search=${"x".repeat(300)}`, {}],
    ["a page of one's own", "/login", {}],
  ])("is left out for %s", async (_why, path, options) => {
    await call("/privacy");
    expect(state(await call(path, options))).toBeNull();
  });

  it("a stale page goes when its product has been deleted", async () => {
    const id = await addProduct({ id: "gone-at-the-edge" });
    const path = `/products/${id}`;
    expect(state(await call(path))).toBe("miss");
    await env.DB.prepare("DELETE FROM products WHERE id = ?").bind(id).run();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    const stale = await call(path);
    expect([stale.status, state(stale)]).toEqual([200, "stale"]);
    await expect.poll(async () => (await call(path)).status).toBe(404);
  });

  it("a stale page stays while it can't be rendered anew", async () => {
    const path = `/products/${await addProduct({ id: "failing-at-the-edge" })}`;
    const stored = vi.spyOn(caches.default, "put");
    expect(state(await call(path))).toBe("miss");
    await stored.mock.results[0]?.value;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    const logged = vi.spyOn(console, "error").mockReturnValue();
    failD1("D1_ERROR: no such column: x");
    expect(state(await call(path))).toBe("stale");
    await expect.poll(() => logged).toHaveBeenCalled();
    for (let i = 0; i < 20; i++) {
      const kept = await call(path);
      expect([kept.status, state(kept)]).toEqual([200, "hit"]);
    }
    logged.mockClear();
  });

  it("an error is never kept", async () => {
    expect((await call("/products/nope")).status).toBe(404);
    expect(state(await call("/products/nope"))).toBeNull();
  });
});
