import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { postMessage, startChat } from "../tests/support/chat";
import { connect } from "../tests/support/live";
import { decrypt, newBrowser, type TestBrowser } from "../tests/support/push-service";
import { addUser, call, openSession } from "../tests/support/shop";

let token: string;
let staff: TestBrowser;
let fetched: MockInstance<typeof fetch>;
/** Statuses that the push service answers next; afterwards 201. */
let statuses: number[];

beforeEach(async () => {
  await env.DB.exec("DELETE FROM sessions");
  await env.DB.exec("DELETE FROM users");
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

const readByStaff = (chatId: string) =>
  call(`/api/chat/${chatId}/read`, { method: "PATCH", json: { isAdmin: true }, token });

describe("a chat that staff have read", () => {
  it("has its notification removed from every browser that displays one", async () => {
    const { chatId } = await startChat({ initialMessage: "Hello" });
    await receives(staff, ["Hello"]);
    const later = newBrowser();
    await call("/api/push", { json: later.subscription, token });
    await readByStaff(chatId);
    await expect.poll(() => received(staff)).toHaveLength(2);
    const [message, read] = await received(staff);
    expect(read?.notice).toMatchObject({ type: "read", tag: message?.notice.tag });
    expect(read?.headers.get("Topic")).toBe(message?.headers.get("Topic"));
    await readByStaff(chatId);
    await isIdle(chatId);
    expect(await received(staff)).toHaveLength(2);
    expect(await received(later)).toHaveLength(0);
  });

  it("has its notifications removed, too, when it is deleted", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    // Of messages in quick succession the latest alone is pushed.
    await receives(staff, ["Hello"]);
    const visitor = newBrowser();
    await call("/api/push", { json: { ...visitor.subscription, chatId }, cookie });
    await postMessage(chatId, "An answer", { token });
    await postMessage(chatId, "Thanks", { cookie });
    await receives(staff, ["Hello", "Thanks"]);
    await receives(visitor, ["An answer"]);
    expect((await call(`/api/chat/${chatId}`, { method: "DELETE", token })).status).toBe(200);
    for (const browser of [staff, visitor]) {
      const last = (await received(browser)).at(-1)?.notice;
      expect(last).toMatchObject({ type: "read", tag: `chat-${chatId}` });
    }
  });

  it("sends nothing to Apple's service, which demands a notification for each push", async () => {
    const phone = newBrowser("web.push.apple.com");
    await call("/api/push", { json: phone.subscription, token });
    const { chatId } = await startChat({ initialMessage: "Hello" });
    await receives(phone, ["Hello"]);
    await readByStaff(chatId);
    await expect.poll(() => received(staff)).toHaveLength(2);
    await isIdle(chatId);
    expect(await received(phone)).toHaveLength(1);
  });
});

describe("an answer", () => {
  it("is pushed to the visitor's browser unless a page of theirs is visible", async () => {
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "Is it oak?" });
    const visitor = newBrowser();
    await call("/api/push", { json: { ...visitor.subscription, chatId }, cookie });
    await postMessage(chatId, "It is.", { token });
    await receives(visitor, ["It is."]);
    expect((await received(visitor))[0]?.notice).toMatchObject({
      title: "Emporia",
      url: `/chat/${chatId}`,
      tag: `chat-${chatId}`,
    });
    const page = await connect(`?chat=${chatId}`, { Cookie: cookie });
    page.send("join-chat", { chatId, visible: true });
    page.send("typing", { chatId, senderName: "Ines" });
    const console = await connect(`?chat=${chatId}`, { Authorization: `Bearer ${token}` });
    page.send("typing", { chatId, senderName: "Ines" });
    await console.waitForEvent("user-typing");
    await postMessage(chatId, "Visible", { token });
    await isIdle(chatId);
    expect(await bodies(visitor)).toEqual(["It is."]);
    page.send("join-chat", { chatId, visible: false });
    page.send("stop-typing", { chatId, senderName: "Ines" });
    await console.waitForEvent("user-typing", ({ isTyping }) => isTyping === false);
    await postMessage(chatId, "Hidden", { token });
    await receives(visitor, ["It is.", "Hidden"]);
    await call(`/api/chat/${chatId}/read`, { method: "PATCH", json: { seq: 99 }, cookie });
    await expect.poll(async () => (await received(visitor)).at(-1)?.notice.type).toBe("read");
  });

  it("of the shop's automatic replies is not pushed", async () => {
    await call("/api/chat/settings", { method: "PATCH", json: { isOnline: false }, token });
    const { chatId, cookie } = await startChat({ initialMessage: "Anyone?" });
    const visitor = newBrowser();
    await call("/api/push", { json: { ...visitor.subscription, chatId }, cookie });
    await postMessage(chatId, "Hello?", { cookie });
    await isIdle(chatId);
    expect(await received(visitor)).toHaveLength(0);
  });
});
