import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { chatsCookies, readCookies, visitCookies } from "./cookies.server";

const SECRET = "first, second";
let verify: MockInstance<typeof crypto.subtle.verify>;
beforeEach(() => {
  verify = vi.spyOn(crypto.subtle, "verify");
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const read = (cookie: string, secret = SECRET) =>
  readCookies(new Request("https://shop.example", { headers: { Cookie: cookie } }), secret, false);

/** Builds the pair of name and value of a visit with these chats. */
async function visit(ids: string[], secret = SECRET): Promise<string> {
  const [cookie = ""] = await visitCookies(ids, { secret, secure: false, added: [] });
  return cookie.split(";")[0] ?? "";
}

describe("a signed cookie", () => {
  it("is verified once for the same value, and read the same each time", async () => {
    const cookie = await visit(["once"]);
    for (let i = 0; i < 3; i++) expect((await read(cookie)).visitChats).toEqual(["once"]);
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it("is verified anew with other secrets, and rejected without the one that signed it", async () => {
    const cookie = await visit(["rotated"], "second");
    expect((await read(cookie, "second")).visitChats).toEqual(["rotated"]);
    expect((await read(cookie, "third")).visitChats).toEqual([]);
    expect((await read(cookie, SECRET)).visitChats).toEqual(["rotated"]);
  });

  it("does not count as another list, whose secret differs", async () => {
    const cookie = await visit(["mine"]);
    expect((await read(cookie)).visitChats).toEqual(["mine"]);
    expect((await read(cookie.replace("_visit=", "_chats="))).chats).toEqual([]);
  });

  it("is verified each time when it is forged: only valid ones are remembered", async () => {
    const forged = `${await visit(["forged"])}x`;
    for (let i = 0; i < 2; i++) expect((await read(forged)).visitChats).toEqual([]);
    // With each of the two secrets.
    expect(verify).toHaveBeenCalledTimes(4);
  });

  it("expires while it is remembered", async () => {
    const since = Math.floor(Date.now() / 1000);
    const entries = [{ id: "old", since, userId: null }];
    const [cookie = ""] = await chatsCookies(entries, { secret: SECRET, secure: false, added: [] });
    const pair = cookie.split(";")[0] ?? "";
    expect((await read(pair)).chats).toEqual(entries);
    vi.useFakeTimers({ now: Date.now() + 91 * DAY_MS });
    expect((await read(pair)).chats).toEqual([]);
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it("is forgotten when a thousand others came after it", async () => {
    const first = await visit(["first"]);
    await read(first);
    for (let i = 0; i < 1000; i++) await read(await visit([`later-${i}`]));
    verify.mockClear();
    await read(first);
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it("counts the first of two with one name", async () => {
    const [one, two] = [await visit(["one"]), await visit(["two"])];
    expect((await read(`emporia_theme=x; ${one};${two}`)).visitChats).toEqual(["one"]);
  });
});
