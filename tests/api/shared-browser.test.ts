import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { chatLink } from "~/features/chat/operations/links.server";
import { sha256 } from "~/session/token.server";
import { postMessage } from "../support/chat";
import { CookieJar } from "../support/cookie-jar";
import { connect, upgrade } from "../support/live";
import { from, person } from "../support/people";
import { addUser, call, insert } from "../support/shop";

type Account = Awaited<ReturnType<typeof addUser>>;

let address = 0;

async function signIn(browser: CookieJar, { email, password }: Account, headers = {}): Promise<void> {
  const answer = await browser.call("/api/auth/login", {
    json: { email, password },
    headers: { ...from(`10.7.0.${++address}`), ...headers },
  });
  expect(answer.status).toBe(200);
}

const form = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields),
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});

/** Every way into a chat: the API, writing, its page, the live connection, and the redirect from /chat. */
async function waysInto(browser: CookieJar, chatId: string) {
  const read = await browser.call(`/api/chat/${chatId}/messages`);
  const written = await postMessage(chatId, "Let me in", { cookie: browser.header });
  const page = await browser.call(`/chat/${chatId}`);
  const live = await upgrade(`?chat=${chatId}`, { Cookie: browser.header });
  live.webSocket?.accept();
  live.webSocket?.close();
  const led = (await browser.call("/chat")).headers.get("Location");
  return [read.status, written.status, page.status, live.status, led === `/chat/${chatId}`];
}

const SHUT = [403, 403, 403, 403, false];
const OPEN = [200, 201, 200, 101, true];

/** The ways in which an account leaves a browser. */
const DEPARTURES: Record<string, (browser: CookieJar, account: Account) => Promise<unknown>> = {
  "POST api/auth/logout": (browser) => browser.call("/api/auth/logout", { method: "POST" }),
  "the page's Logout": (browser) => browser.call("/logout", form({})),
  "Login Again on the 500 page": (browser) => browser.call("/logout", form({ redirectTo: "/login" })),
  "the end of its session": (_, { id }) =>
    env.DB.prepare("UPDATE sessions SET expires_at = 1 WHERE user_id = ?").bind(id).run(),
  "the end of its cookie": async (browser) => browser.drop("emporia_session"),
  "a new password by a reset link": async (browser, { id }) => {
    const token = crypto.randomUUID();
    const expires = Math.floor(Date.now() / 1000) + 3600;
    await insert("password_resets", [
      { token_hash: await sha256(token), user_id: id, expires_at: expires, used_at: null },
    ]);
    const password = "Another1!";
    const reset = form({ intent: "reset", token, password, confirmPassword: password });
    expect((await browser.call(`/resetPassword?token=${token}`, reset)).status).toBe(303);
  },
  "another account that signs in over it": async (browser) => signIn(browser, await addUser()),
};

describe("a browser that two accounts share", () => {
  it.each(Object.keys(DEPARTURES))("opens nothing of the first one's chat after %s", async (how) => {
    const browser = new CookieJar();
    const first = await addUser();
    await signIn(browser, first);
    const chatId = await browser.beginChat({ initialMessage: "Private" });
    expect(await waysInto(browser, chatId)).toEqual(OPEN);
    await DEPARTURES[how]?.(browser, first);
    expect(await waysInto(browser, chatId)).toEqual(SHUT);
    await signIn(browser, await addUser());
    expect(await waysInto(browser, chatId)).toEqual(SHUT);
  });

  it("has nothing of the account's in the chat cookie after signing out; the account still has its chat", async () => {
    const browser = new CookieJar();
    const account = await addUser();
    await signIn(browser, account);
    const chatId = await browser.beginChat();
    await browser.call("/logout", form({}));
    expect(browser.header).not.toContain("emporia_chats");
    await signIn(browser, account);
    expect(await waysInto(browser, chatId)).toEqual(OPEN);
  });

  it("keeps an anonymous visitor's own chats through an account's visit", async () => {
    const browser = new CookieJar();
    const own = await browser.beginChat({ initialMessage: "Mine" });
    browser.restart();
    await signIn(browser, await addUser());
    const accounts = await browser.beginChat();
    await browser.call("/logout", form({}));
    expect(await waysInto(browser, own)).toEqual(OPEN);
    expect(await waysInto(browser, accounts)).toEqual(SHUT.with(4, false));
  });

  it("drops a chat of the account that a mailed link had opened before it signed in", async () => {
    const account = await person();
    const { chatId } = (await (
      await call("/api/chat/create", { json: {}, token: account.token, headers: from("10.8.0.1") })
    ).json()) as { chatId: string };
    const link = await chatLink("", env.COOKIE_SECRET, chatId, Math.floor(Date.now() / 1000));
    const browser = new CookieJar();
    expect((await browser.call(link)).status).toBe(303);
    expect(await waysInto(browser, chatId)).toEqual(OPEN);
    await signIn(browser, account);
    await browser.call("/logout", form({}));
    expect(await waysInto(browser, chatId)).toEqual(SHUT);
  });

  it("ends the live connections of the account that another one signs in over", async () => {
    const browser = new CookieJar();
    await signIn(browser, await addUser());
    const chatId = await browser.beginChat();
    const leftOpen = await connect(`?chat=${chatId}`, { Cookie: browser.header });
    await signIn(browser, await addUser());
    expect(await leftOpen.closed).toBe(4401);
  });
});

describe("signing in", () => {
  it.each(["login", "signup"])(
    "attaches the anonymous chat of this visit and no older one: %s",
    async (how) => {
      const browser = new CookieJar();
      const older = await browser.beginChat({ initialMessage: "Last month" });
      browser.restart();
      const current = await browser.beginChat({ initialMessage: "Today" });
      const account = { email: `${how}@mail.example`, password: "Password1!" };
      if (how === "login") await signIn(browser, await addUser(account));
      else {
        const json = { firstName: "Pat", lastName: "Example", ...account };
        expect((await browser.call("/api/auth/signup", { json, headers: from("10.8.0.2") })).status).toBe(
          201,
        );
      }
      expect(await waysInto(browser, current)).toEqual(OPEN);
      const elsewhere = new CookieJar();
      await signIn(elsewhere, { id: "", ...account });
      expect(await waysInto(elsewhere, current)).toEqual(OPEN);
      expect(await waysInto(elsewhere, older)).toEqual(SHUT);
      await browser.call("/logout", form({}));
      expect(await waysInto(browser, current)).toEqual(SHUT);
      expect(await waysInto(browser, older)).toEqual(OPEN);
    },
  );

  it("counts an older chat that was written to in this visit as this visit's", async () => {
    const browser = new CookieJar();
    const chatId = await browser.beginChat();
    browser.restart();
    await browser.call("/api/chat/message", { json: { chatId, message: "Back again", senderName: "" } });
    const account = await addUser();
    await signIn(browser, account);
    const elsewhere = new CookieJar();
    await signIn(elsewhere, account);
    expect(await waysInto(elsewhere, chatId)).toEqual(OPEN);
  });

  it("never takes a chat from the account that has it", async () => {
    const browser = new CookieJar();
    const first = await addUser();
    const chatId = await browser.beginChat();
    const before = new CookieJar();
    const copied = browser.header;
    await signIn(browser, first);
    const answer = await call("/api/auth/login", { json: await addUser(), cookie: copied });
    before.keep(answer);
    expect(await waysInto(before, chatId)).toEqual(SHUT);
    expect(await waysInto(browser, chatId)).toEqual(OPEN);
  });

  it("has an anonymous live connection come back under the account, so that it ends with it", async () => {
    const browser = new CookieJar();
    const chatId = await browser.beginChat();
    const anonymous = await connect(`?chat=${chatId}`, { Cookie: browser.header });
    await signIn(browser, await addUser());
    expect(await anonymous.closed).toBe(1012);
    const again = await connect(`?chat=${chatId}`, { Cookie: browser.header });
    await browser.call("/logout", form({}));
    expect(await again.closed).toBe(4401);
  });
});
