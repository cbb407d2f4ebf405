import { afterEach, describe, expect, it, vi } from "vitest";
import { startChat } from "../support/chat";
import { CookieJar } from "../support/cookie-jar";
import { from } from "../support/people";
import { addUser } from "../support/shop";

const MANY = 8;

afterEach(() => {
  vi.useRealTimers();
});

/** Starts chats at once, each with the cookies from before all of them. */
async function startAtOnce(browser: CookieJar): Promise<string[]> {
  const cookies = browser.header ? { cookie: browser.header } : {};
  const started = await Promise.all(
    Array.from({ length: MANY }, (_, i) => startChat({ initialMessage: `Question ${i}` }, cookies)),
  );
  for (const { answer } of started) browser.keep(answer);
  return started.map(({ chatId }) => chatId);
}

const listed = async (browser: CookieJar) => {
  const mine = (await (await browser.call("/api/chat/mine")).json()) as { id: string }[];
  return mine.map(({ id }) => id).sort();
};

const statuses = (browser: CookieJar, chatIds: string[]) =>
  Promise.all(chatIds.map(async (id) => (await browser.call(`/api/chat/${id}/messages`)).status));

const ownCookies = (browser: CookieJar) => browser.header.match(/emporia_(chats|visit)_/g) ?? [];

describe("conversations that a visitor begins at once", () => {
  it("can all be read, whether the visitor had cookies before or not", async () => {
    const browser = new CookieJar();
    const first = await startAtOnce(browser);
    expect(new Set(first).size).toBe(MANY);
    const second = await startAtOnce(browser);
    const all = [...first, ...second];
    expect(await statuses(browser, all)).toEqual(all.map(() => 200));
    expect(await listed(browser)).toEqual(all.sort());
  });

  it("can all be read when the first one is answered last", async () => {
    const browser = new CookieJar();
    const late = await startChat({ initialMessage: "With four pictures" });
    const chatIds = [await browser.beginChat(), await browser.beginChat(), await browser.beginChat()];
    browser.keep(late.answer);
    const all = [...chatIds, late.chatId];
    expect(await statuses(browser, all)).toEqual(all.map(() => 200));
    expect(await listed(browser)).toEqual(all.sort());
  });

  it("are joined in one cookie, but for the latest ones, until ten minutes later", async () => {
    const browser = new CookieJar();
    const chatIds = [...(await startAtOnce(browser)), ...(await startAtOnce(browser))];
    chatIds.push(await browser.beginChat());
    expect(ownCookies(browser).length).toBeLessThanOrEqual(2 * (MANY + 1));
    expect(await listed(browser)).toEqual(chatIds.sort());
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ["Date"] });
    chatIds.push(await browser.beginChat());
    expect(ownCookies(browser)).toHaveLength(2);
    expect(await listed(browser)).toEqual(chatIds.sort());
    browser.restart();
    expect(ownCookies(browser)).toHaveLength(1);
    expect(await listed(browser)).toEqual(chatIds);
  });

  it("all belong to the account that signs in in this visit, and to nobody after it has signed out", async () => {
    const browser = new CookieJar();
    const chatIds = await startAtOnce(browser);
    const { email, password } = await addUser();
    await browser.call("/api/auth/login", { json: { email, password }, headers: from("10.9.0.1") });
    expect(await statuses(browser, chatIds)).toEqual(chatIds.map(() => 200));
    await browser.call("/api/auth/logout", { method: "POST" });
    expect(ownCookies(browser)).toEqual([]);
    expect(await statuses(browser, chatIds)).toEqual(chatIds.map(() => 403));
  });

  it("are not opened by another chat's cookie, or by one that the shop has not signed", async () => {
    const [browser, other] = [new CookieJar(), new CookieJar()];
    await browser.beginChat();
    const chatId = await other.beginChat();
    const own = /emporia_chats_[\w-]+=([^;]+)/.exec(browser.header)?.[1] ?? "";
    const forged = Buffer.from(JSON.stringify([[chatId, 2_000_000_000]])).toString("base64");
    for (const value of [own, forged, `${forged}.${own.split(".").at(-1)}`]) {
      const answer = await new CookieJar().call(`/api/chat/${chatId}/messages`, {
        headers: { Cookie: `emporia_chats_${chatId}=${value}` },
      });
      expect(answer.status).toBe(403);
    }
  });
});
