import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { purgeSubscriptions } from "~/features/push/operations.server";
import { postMessage, startChat } from "../tests/support/chat";
import { connect } from "../tests/support/live";
import { decrypt, newBrowser, type TestBrowser, verifyVapid } from "../tests/support/push-service";
import { addUser, call, openSession } from "../tests/support/shop";

let token: string;
let staff: TestBrowser;
let fetched: MockInstance<typeof fetch>;
/** Statuses that the push service answers next; afterwards 201. */
let statuses: number[];

beforeEach(async () => {
  await env.DB.exec("DELETE FROM sessions");
  await env.DB.exec("DELETE FROM users");
  await env.DB.exec("DELETE FROM push_subscriptions");
  statuses = [];
  fetched = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => new Response(null, { status: statuses.shift() ?? 201 }));
  const { id } = await addUser({ isManager: true });
  token = await openSession(id);
  staff = newBrowser();
  await call("/api/push", { json: staff.subscription, token });
});

/** Push requests to a browser, decrypted. */
async function received(browser: TestBrowser) {
  const calls = fetched.mock.calls.filter(([url]) => url === browser.subscription.endpoint);
  return calls.map(([, init]) => ({
    headers: new Headers(init?.headers),
    method: init?.method,
    notice: decrypt(init?.body as Uint8Array, browser),
  }));
}

const bodies = async (browser: TestBrowser) => (await received(browser)).map(({ notice }) => notice.body);
const receives = (browser: TestBrowser, texts: unknown[]) =>
  expect.poll(() => bodies(browser)).toEqual(texts);

/** Pending push tasks of a room. */
const pushTasks = (chatId: string) =>
  runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
    storage.sql.exec("SELECT kind, attempts FROM duties WHERE kind LIKE '%-push'").toArray(),
  );

/** Waits until a room has no push task left. */
const isIdle = (chatId: string) => expect.poll(() => pushTasks(chatId)).toEqual([]);

/** Runs a room's retries now. */
async function retry(chatId: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  await runInDurableObject(room, (_, { storage }) => {
    storage.sql.exec("UPDATE duties SET due_at = 0 WHERE kind LIKE '%-push'");
  });
  await runDurableObjectAlarm(room);
}

const readByStaff = (chatId: string) =>
  call(`/api/chat/${chatId}/read`, { method: "PATCH", json: { isAdmin: true }, token });

describe("a push service that does not answer", () => {
  let answer: () => void;
  const hangAt = (browser: TestBrowser) => {
    const hanging = new Promise<Response>((resolve) => {
      answer = () => resolve(new Response(null, { status: 201 }));
    });
    fetched.mockImplementation(async (url) =>
      url === browser.subscription.endpoint ? (await hanging).clone() : new Response(null, { status: 201 }),
    );
  };

  it("delays no other browser, and gets the newest message once it answers", async () => {
    const slow = newBrowser();
    await call("/api/push", { json: slow.subscription, token });
    hangAt(slow);
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    await receives(staff, ["One"]);
    await postMessage(chatId, "Two", { cookie });
    await receives(staff, ["One", "Two"]);
    expect(await bodies(slow)).toEqual(["One"]);
    answer();
    await retry(chatId);
    await receives(slow, ["One", "Two"]);
    await isIdle(chatId);
    expect(await bodies(staff)).toEqual(["One", "Two"]);
  });

  it("answers late, after the chat was read, and the notification is removed", async () => {
    hangAt(staff);
    const { chatId } = await startChat({ initialMessage: "Hello" });
    await receives(staff, ["Hello"]);
    await expect.poll(async () => (await pushTasks(chatId))[0]?.attempts).toBeGreaterThan(0);
    await readByStaff(chatId);
    await retry(chatId);
    expect(await pushTasks(chatId)).toHaveLength(1);
    answer();
    const lastType = async () => {
      await retry(chatId);
      return (await received(staff)).at(-1)?.notice.type;
    };
    await expect.poll(lastType).toBe("read");
    await isIdle(chatId);
  });

  it("of the visitor does not delay the notifications of staff", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    await receives(staff, ["One"]);
    const visitor = newBrowser();
    await call("/api/push", { json: { ...visitor.subscription, chatId }, cookie });
    hangAt(visitor);
    await postMessage(chatId, "An answer", { token });
    await receives(visitor, ["An answer"]);
    await postMessage(chatId, "Two", { cookie });
    await receives(staff, ["One", "Two"]);
    answer();
    await retry(chatId);
    await isIdle(chatId);
  });
});

describe("a subscription of a former VAPID key", () => {
  const storedKeys = async () =>
    (await env.DB.prepare("SELECT public_key FROM push_subscriptions").all()).results;

  it("gets no notification, and is removed at night", async () => {
    expect(await storedKeys()).toEqual([{ public_key: env.VAPID_PUBLIC_KEY }]);
    await env.DB.exec("UPDATE push_subscriptions SET public_key = 'former'");
    const current = newBrowser();
    await call("/api/push", { json: current.subscription, token });
    const { chatId } = await startChat({ initialMessage: "Is it oak?" });
    await receives(current, ["Is it oak?"]);
    await isIdle(chatId);
    expect(await bodies(staff)).toEqual([]);
    await purgeSubscriptions(env);
    expect(await storedKeys()).toEqual([{ public_key: env.VAPID_PUBLIC_KEY }]);
  });

  it.each([401, 403])("whose key is unknown ends when the push service answers %i", async (status) => {
    await env.DB.exec("UPDATE push_subscriptions SET public_key = ''");
    statuses = [status];
    const { chatId } = await startChat({ initialMessage: "Is it oak?" });
    await receives(staff, ["Is it oak?"]);
    await isIdle(chatId);
    expect(await storedKeys()).toEqual([]);
  });
});

describe("a visitor's message", () => {
  it("is pushed to staff: encrypted, signed, with TTL, Urgency and one Topic per chat", async () => {
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "Is it oak?" });
    await receives(staff, ["Is it oak?"]);
    await postMessage(chatId, "Or walnut? 🌳", { cookie });
    await receives(staff, ["Is it oak?", "Or walnut? 🌳"]);
    const [first, second] = await received(staff);
    expect(first?.notice).toEqual({
      type: "message",
      tag: `chat-${chatId}`,
      title: "Ines",
      body: "Is it oak?",
      url: `/admin/chat?chat=${chatId}`,
    });
    expect(first?.method).toBe("POST");
    expect(first?.headers.get("Content-Encoding")).toBe("aes128gcm");
    expect(first?.headers.get("TTL")).toBe("86400");
    expect(first?.headers.get("Urgency")).toBe("high");
    expect(first?.headers.get("Topic")).toMatch(/^[\w-]{1,32}$/);
    expect(second?.headers.get("Topic")).toBe(first?.headers.get("Topic"));
    expect(second?.notice.tag).toBe(first?.notice.tag);
    const { key, header, claims } = await verifyVapid(first?.headers.get("Authorization") ?? "");
    expect(key).toBe(env.VAPID_PUBLIC_KEY);
    expect(header).toEqual({ typ: "JWT", alg: "ES256" });
    expect(claims).toMatchObject({ aud: "https://push.example.com", sub: "mailto:hello@emporia.example" });
    expect(claims.exp).toBeGreaterThan(Date.now() / 1000);
    expect(claims.exp).toBeLessThanOrEqual(Date.now() / 1000 + 24 * 3600);
    const other = await startChat({ initialMessage: "Another chat" });
    await receives(staff, ["Is it oak?", "Or walnut? 🌳", "Another chat"]);
    expect((await received(staff))[2]?.headers.get("Topic")).not.toBe(first?.headers.get("Topic"));
    await isIdle(other.chatId);
  });

  it("is not pushed while a console is visible, and is again once it is hidden or closed", async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const admin = await connect("?room=admin", headers);
    const { chatId, cookie } = await startChat({ initialMessage: "Before anything is reported" });
    await receives(staff, ["Before anything is reported"]);
    const report = async (visible: boolean) => {
      admin.send("join-admin", { visible });
      await expect.poll(() => env.ADMIN_ROOM.getByName("admin").isVisible()).toBe(visible);
    };
    await report(true);
    await postMessage(chatId, "Seen", { cookie });
    await admin.waitForEvent(
      "new-user-message",
      ({ message }) => (message as { message: string }).message === "Seen",
    );
    await isIdle(chatId);
    expect(await bodies(staff)).toEqual(["Before anything is reported"]);
    await report(false);
    await postMessage(chatId, "Hidden", { cookie });
    await receives(staff, ["Before anything is reported", "Hidden"]);
    admin.socket.close();
  });

  it("leaves out name and text for a member of staff who has turned the preview off", async () => {
    const form = new URLSearchParams({ intent: "notifications" });
    const saved = await call("/admin/chat?tab=settings", { method: "POST", body: form, token });
    expect(saved.headers.get("Location")).toBe("/admin/chat?tab=settings");
    const page = await (await call("/admin/chat?tab=settings", { token })).text();
    expect(page).toMatch(/<input(?![^>]*checked)[^>]*name="hasPreview"/);
    await startChat({ userName: "Ines", initialMessage: "A secret" });
    await receives(staff, ["Open the chat to read it."]);
    expect(JSON.stringify((await received(staff))[0]?.notice)).not.toMatch(/Ines|secret/);
  });

  it("is not pushed after sign-out, nor to a former member of staff", async () => {
    await call("/api/auth/logout", { method: "POST", token });
    const { id } = await addUser({ isManager: true });
    const former = newBrowser();
    await call("/api/push", { json: former.subscription, token: await openSession(id) });
    await env.DB.prepare("UPDATE users SET is_manager = 0 WHERE id = ?").bind(id).run();
    const { chatId } = await startChat({ initialMessage: "Hello" });
    await isIdle(chatId);
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([404, 410])("deletes a subscription that the push service answers with %i", async (status) => {
    statuses = [status];
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    await isIdle(chatId);
    const { count } = (await env.DB.prepare("SELECT count(*) AS count FROM push_subscriptions").first()) as {
      count: number;
    };
    expect(count).toBe(0);
    await postMessage(chatId, "Two", { cookie });
    await isIdle(chatId);
    expect(await bodies(staff)).toEqual(["One"]);
  });

  it.each([500, 429, 0])(
    "is pushed again after a failure (%i), to the browsers that failed alone",
    async (status) => {
      const laptop = newBrowser();
      await call("/api/push", { json: laptop.subscription, token });
      fetched.mockImplementation(async (url) => {
        const isFirst = fetched.mock.calls.filter(([called]) => called === url).length === 1;
        if (url !== staff.subscription.endpoint || !isFirst) return new Response(null, { status: 201 });
        if (status === 0) throw new TypeError("The network failed");
        return new Response(null, { status });
      });
      const { chatId } = await startChat({ initialMessage: "Hello" });
      await expect.poll(() => pushTasks(chatId)).toEqual([{ kind: "staff-push", attempts: 1 }]);
      await retry(chatId);
      await receives(staff, ["Hello", "Hello"]);
      await isIdle(chatId);
      expect(await bodies(laptop)).toEqual(["Hello"]);
    },
  );

  it("is answered and listed although the push service never answers", async () => {
    let hasAnswered = false;
    fetched.mockImplementation(async () => {
      await expect.poll(() => hasAnswered).toBe(true);
      return new Response(null, { status: 201 });
    });
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(0);
    expect((await postMessage(chatId, "Still works", { cookie })).status).toBe(201);
    expect((await readByStaff(chatId)).status).toBe(200);
    hasAnswered = true;
    await isIdle(chatId);
  });
});
