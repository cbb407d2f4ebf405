import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { staffToken, startChat } from "../support/chat";
import { newBrowser } from "../support/push-service";
import { addUser, call, openSession } from "../support/shop";

const VALID = newBrowser().subscription;

beforeEach(async () => {
  await env.DB.exec("DELETE FROM push_subscriptions");
});

const post = (json: unknown, by: { token?: string; cookie?: string } = {}) =>
  call("/api/push", { json, ...by });

async function stored(): Promise<{ endpoint: string; chat_id: string }[]> {
  const rows = env.DB.prepare("SELECT endpoint, chat_id FROM push_subscriptions ORDER BY id");
  return (await rows.all<{ endpoint: string; chat_id: string }>()).results;
}

describe("POST push", () => {
  it("subscribes staff to all chats, once per browser", async () => {
    const token = await staffToken();
    expect((await post(VALID, { token })).status).toBe(201);
    expect((await post({ ...VALID, expirationTime: null }, { token })).status).toBe(201);
    expect(await stored()).toEqual([{ endpoint: VALID.endpoint, chat_id: "" }]);
  });

  it("subscribes a visitor to their own chat", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    expect((await post({ ...VALID, chatId }, { cookie })).status).toBe(201);
    expect(await stored()).toEqual([{ endpoint: VALID.endpoint, chat_id: chatId }]);
  });

  it("rejects everybody else: without a chat 401 and 403, with a foreign or missing chat 404", async () => {
    const { chatId } = await startChat({});
    const other = await startChat({});
    const customer = await openSession((await addUser()).id);
    expect((await post(VALID)).status).toBe(401);
    expect((await post(VALID, { token: customer })).status).toBe(403);
    for (const by of [{}, { cookie: other.cookie }, { token: customer }, { token: await staffToken() }])
      expect((await post({ ...VALID, chatId }, by)).status).toBe(404);
    expect((await post({ ...VALID, chatId: "nowhere" }, other)).status).toBe(404);
    expect(await stored()).toEqual([]);
  });

  it.each<[string, object]>([
    ["plain http", { endpoint: "http://push.example.com/x" }],
    ["loopback", { endpoint: "https://127.0.0.1/x" }],
    ["a private network", { endpoint: "https://192.168.0.10/x" }],
    ["IPv6 loopback", { endpoint: "https://[::1]/x" }],
    ["a port", { endpoint: "https://push.example.com:8443/x" }],
    ["credentials", { endpoint: "https://a:b@push.example.com/x" }],
    ["no text", { endpoint: 7 }],
    ["no keys", { keys: undefined }],
    ["a short key", { keys: { ...VALID.keys, p256dh: VALID.keys.p256dh.slice(0, 80) } }],
    ["a long key", { keys: { ...VALID.keys, p256dh: `${VALID.keys.p256dh}AAAA` } }],
    ["a point beside the curve", { keys: { ...VALID.keys, p256dh: `B${"A".repeat(86)}` } }],
    ["a short secret", { keys: { ...VALID.keys, auth: "AAAA" } }],
    ["a long secret", { keys: { ...VALID.keys, auth: "A".repeat(40) } }],
    ["no base64url", { keys: { ...VALID.keys, auth: "*".repeat(22) } }],
    ["a chat that is no text", { chatId: { a: 1 } }],
    ["10 kB", { endpoint: `https://push.example.com/${"x".repeat(10_000)}` }],
    ["10 kB beside the fields", { more: "x".repeat(10_000) }],
  ])("rejects %s", async (_, wrong) => {
    const answer = await post({ ...VALID, ...wrong }, { token: await staffToken() });
    expect([400, 413]).toContain(answer.status);
    expect(await stored()).toEqual([]);
  });

  it("keeps the latest 10 browsers of a member of staff and 5 of a chat", async () => {
    const token = await staffToken();
    const colleague = await staffToken();
    await post(newBrowser().subscription, { token: colleague });
    const endpoints: string[] = [];
    for (let at = 0; at < 12; at++) {
      const { subscription } = newBrowser();
      endpoints.push(subscription.endpoint);
      await post(subscription, { token });
    }
    const mine = (await stored()).slice(1).map(({ endpoint }) => endpoint);
    expect(mine).toEqual(endpoints.slice(2));
    const { chatId, cookie } = await startChat({});
    for (let at = 0; at < 7; at++) await post({ ...newBrowser().subscription, chatId }, { cookie });
    expect((await stored()).filter(({ chat_id }) => chat_id === chatId)).toHaveLength(5);
    expect(await stored()).toHaveLength(16);
  });
});

describe("a subscription ends", () => {
  it("by DELETE push, which tells nobody whether there was one", async () => {
    const token = await staffToken();
    await post(VALID, { token });
    for (let at = 0; at < 2; at++) {
      const answer = await call("/api/push", { method: "DELETE", json: { endpoint: VALID.endpoint } });
      expect(answer.status).toBe(200);
    }
    expect(await stored()).toEqual([]);
    const bad = await call("/api/push", { method: "DELETE", json: { endpoint: "https://localhost/" } });
    expect(bad.status).toBe(400);
  });

  it("with its session, and not with another of the same user", async () => {
    const { id } = await addUser({ isManager: true });
    const [phone, laptop] = [await openSession(id), await openSession(id)];
    await post(VALID, { token: phone });
    await call("/api/auth/logout", { method: "POST", token: laptop });
    expect(await stored()).toHaveLength(1);
    await call("/api/auth/logout", { method: "POST", token: phone });
    expect(await stored()).toEqual([]);
  });

  it("with the chat", async () => {
    const { chatId, cookie } = await startChat({});
    await post({ ...VALID, chatId }, { cookie });
    await call(`/api/chat/${chatId}`, { method: "DELETE", token: await staffToken() });
    expect(await stored()).toEqual([]);
  });

  it("of an anonymous visitor with the session that took their chat over", async () => {
    const { chatId, cookie } = await startChat({});
    await post({ ...VALID, chatId }, { cookie });
    const { id, email, password } = await addUser();
    const signedIn = await call("/api/auth/login", { json: { email, password }, cookie });
    const jar = signedIn.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    expect(await stored()).toHaveLength(1);
    await call("/api/auth/logout", { method: "POST", cookie: jar.join("; ") });
    expect(await stored(), `user ${id}`).toEqual([]);
  });

  it("of an account's other session stays when this browser signs out", async () => {
    const { chatId, cookie } = await startChat({});
    const { id, email, password } = await addUser();
    const signedIn = await call("/api/auth/login", { json: { email, password }, cookie });
    const phone = await openSession(id);
    expect((await post({ ...VALID, chatId }, { token: phone })).status).toBe(201);
    const jar = signedIn.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    await call("/api/auth/logout", { method: "POST", cookie: jar.join("; ") });
    expect(await stored()).toEqual([{ endpoint: VALID.endpoint, chat_id: chatId }]);
  });
});

it("GET push is a 405 that names the methods", async () => {
  const answer = await call("/api/push");
  expect(answer.status).toBe(405);
  expect(answer.headers.get("Allow")).toBe("POST, DELETE");
});

it("/push/key returns the public key alone", async () => {
  expect(await (await call("/push/key")).json()).toEqual({ publicKey: env.VAPID_PUBLIC_KEY });
});
