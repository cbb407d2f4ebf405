import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { newBrowser, verifyVapid } from "../support/push-service";
import { insert } from "../support/shop";

const SHOP: Env = { ...env, VAPID_PUBLIC_KEY: "", VAPID_PRIVATE_KEY: "" };
const ROTATED: Env = { ...SHOP, COOKIE_SECRET: `${"n".repeat(40)},${env.COOKIE_SECRET}` };
const REPLACED: Env = { ...SHOP, COOKIE_SECRET: "n".repeat(40) };

/** Loads the module as a new isolate does. */
async function isolate() {
  vi.resetModules();
  return import("~/features/push/keys.server");
}

const made = async (shop = SHOP) => (await isolate()).pushKeys({ env: shop, db: openDb(env.DB).db });
const stored = () => env.DB.prepare("SELECT * FROM push_keys").all<Record<string, string>>();

beforeEach(async () => {
  await env.DB.exec("DELETE FROM push_keys; DELETE FROM push_subscriptions");
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("the keys of notifications", () => {
  // Each isolate loads its modules anew, which takes a busy machine seconds.
  it("are made once, also by four isolates at once, and are stored encrypted", {
    timeout: 120_000,
  }, async () => {
    const modules = [];
    for (let i = 0; i < 4; i++) modules.push(await isolate());
    const keys = await Promise.all(
      modules.map(({ pushKeys }) => pushKeys({ env: SHOP, db: openDb(env.DB).db })),
    );
    expect(new Set(keys.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(keys[0]?.publicKey).toMatch(/^B[\w-]{86}$/);
    expect(keys[0]?.privateKey).toMatch(/^[\w-]{43}$/);
    const { results } = await stored();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(keys[0]?.privateKey);
    expect(await made()).toEqual(keys[0]);
  });

  it("are those of an engineer where they are set", async () => {
    expect(await made(env)).toEqual({ publicKey: env.VAPID_PUBLIC_KEY, privateKey: env.VAPID_PRIVATE_KEY });
    expect((await stored()).results).toEqual([]);
  });

  it("stay while the former secret stands behind a new one, and are made anew once no secret opens them", async () => {
    const keys = await made();
    expect(await made(ROTATED)).toEqual(keys);
    const others = await made(REPLACED);
    expect(others.publicKey).not.toBe(keys.publicKey);
    expect(await made(REPLACED)).toEqual(others);
    await env.DB.exec("UPDATE push_keys SET private_key = 'damaged'");
    expect((await made(REPLACED)).publicKey).not.toBe(others.publicKey);
  });

  it("are not asked for again and again by an isolate of a shop that has none", async () => {
    const { mayHavePushKeys, readPushKeys, pushKeys } = await isolate();
    expect(mayHavePushKeys(SHOP)).toBe(true);
    expect(await readPushKeys(SHOP)).toBeNull();
    expect(mayHavePushKeys(SHOP)).toBe(false);
    const keys = await pushKeys({ env: SHOP, db: openDb(env.DB).db });
    expect(mayHavePushKeys(SHOP)).toBe(true);
    expect(await readPushKeys(SHOP)).toEqual(keys);
  });

  it("sign what is sent", async () => {
    const { publicKey } = await made();
    vi.resetModules();
    const { deliver, pushTargets } = await import("~/features/push/operations.server");
    const { endpoint, keys } = newBrowser().subscription;
    const row = { endpoint, ...keys, chat_id: "chat-1", created_at: 1, public_key: publicKey };
    await insert("push_subscriptions", [row]);
    const sent = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => new Response(null, { status: 201 }));
    const [target] = await pushTargets(SHOP, "visitor", "chat-1");
    if (!target) throw new Error("Nobody is subscribed.");
    const notice = {
      type: "message" as const,
      tag: "chat-1",
      title: "Ines",
      body: "Hello",
      url: "/chat/chat-1",
    };
    expect(await deliver(SHOP, target, notice)).toBe(true);
    const [, init] = sent.mock.calls[0] ?? [];
    const { key, claims } = await verifyVapid(new Headers(init?.headers).get("Authorization") ?? "");
    expect(key).toBe(publicKey);
    expect(claims.aud).toBe("https://push.example.com");
  });
});
