import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { epochSeconds } from "~/domain/durations";
import { chatLink } from "~/features/chat/operations/mails.server";
import { sha256 } from "~/session/tokens.server";
import { postMessage, staffToken, startChat } from "../support/chat";
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

/** Results of all accesses to a chat: reading, posting, its page, the live connection, the redirect from /chat?ask. */
async function accessResults(browser: CookieJar, chatId: string) {
  const read = await browser.call(`/api/chat/${chatId}/messages`);
  const written = await postMessage(chatId, "Let me in", { cookie: browser.header });
  const page = await browser.call(`/chat/${chatId}`);
  const live = await upgrade(`?chat=${chatId}`, { Cookie: browser.header });
  live.webSocket?.accept();
  live.webSocket?.close();
  const target = (await browser.call("/chat?ask")).headers.get("Location");
  return [read.status, written.status, page.status, live.status, target === `/chat/${chatId}`];
}

const DENIED = [403, 403, 403, 403, false];
const ALLOWED = [200, 201, 200, 101, true];

/** Ways in which an account's use of a browser ends. */
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
  it.each(Object.keys(DEPARTURES))("denies all access to the first one's chat after %s", async (how) => {
    const browser = new CookieJar();
    const first = await addUser();
    await signIn(browser, first);
    const chatId = await browser.beginChat({ initialMessage: "Private" });
    expect(await accessResults(browser, chatId)).toEqual(ALLOWED);
    await DEPARTURES[how]?.(browser, first);
    expect(await accessResults(browser, chatId)).toEqual(DENIED);
    await signIn(browser, await addUser());
    expect(await accessResults(browser, chatId)).toEqual(DENIED);
  });

  it("removes the account's chats from the cookie on sign-out, and keeps them for the account", async () => {
    const browser = new CookieJar();
    const account = await addUser();
    await signIn(browser, account);
    const chatId = await browser.beginChat();
    await browser.call("/logout", form({}));
    expect(browser.header).not.toContain("emporia_chats");
    await signIn(browser, account);
    expect(await accessResults(browser, chatId)).toEqual(ALLOWED);
  });

  it("keeps an anonymous visitor's own chats through an account's visit", async () => {
    const browser = new CookieJar();
    const own = await browser.beginChat({ initialMessage: "Mine" });
    browser.restart();
    await signIn(browser, await addUser());
    const accounts = await browser.beginChat();
    await browser.call("/logout", form({}));
    expect(await accessResults(browser, own)).toEqual(ALLOWED);
    expect(await accessResults(browser, accounts)).toEqual(DENIED.with(4, false));
  });

  it("drops a chat of the account that a mailed link had opened before it signed in", async () => {
    const account = await person();
    const { chatId } = (await (
      await call("/api/chat/create", { json: {}, token: account.token, headers: from("10.8.0.1") })
    ).json()) as { chatId: string };
    const link = await chatLink("", env.COOKIE_SECRET, chatId, { to: account.email, now: epochSeconds() });
    const browser = new CookieJar();
    expect((await browser.call(link)).status).toBe(303);
    expect(await accessResults(browser, chatId)).toEqual(ALLOWED);
    await signIn(browser, account);
    await browser.call("/logout", form({}));
    expect(await accessResults(browser, chatId)).toEqual(DENIED);
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
    "attaches the anonymous chats of this visit and no older one: %s",
    async (how) => {
      const browser = new CookieJar();
      const older = await browser.beginChat({ initialMessage: "Last month" });
      browser.restart();
      const first = await browser.beginChat({ initialMessage: "This morning" });
      const current = await browser.beginChat({ initialMessage: "Today" });
      const account = { email: `${how}@mail.example`, password: "Password1!" };
      if (how === "login") await signIn(browser, await addUser(account));
      else {
        const json = { firstName: "Pat", lastName: "Example", ...account };
        expect((await browser.call("/api/auth/signup", { json, headers: from("10.8.0.2") })).status).toBe(
          201,
        );
      }
      const elsewhere = new CookieJar();
      await signIn(elsewhere, { id: "", ...account });
      for (const reader of [browser, elsewhere])
        for (const id of [first, current])
          expect((await accessResults(reader, id)).slice(0, 4)).toEqual(ALLOWED.slice(0, 4));
      expect(await accessResults(elsewhere, older)).toEqual(DENIED);
      await browser.call("/logout", form({}));
      expect(await accessResults(browser, current)).toEqual(DENIED);
      expect(await accessResults(browser, older)).toEqual(ALLOWED);
    },
  );

  it("gives an anonymous chat the account's name and address, also in an open console", async () => {
    const browser = new CookieJar();
    const chatId = await browser.beginChat({ initialMessage: "Hello" });
    const console = await connect("?room=admin", { Authorization: `Bearer ${await staffToken()}` });
    const account = await addUser({ firstName: "Ines", lastName: "Okafor" });
    await signIn(browser, account);
    const { chat } = await console.waitForEvent("chat-updated", (data) => data.chatId === chatId);
    expect(chat).toMatchObject({ userName: "Ines Okafor", userEmail: account.email, isAnonymous: false });
  });

  it("counts an older chat that was written to in this visit as this visit's", async () => {
    const browser = new CookieJar();
    const chatId = await browser.beginChat();
    browser.restart();
    await browser.call("/api/chat/message", { json: { chatId, message: "Back again", senderName: "" } });
    const account = await addUser();
    await signIn(browser, account);
    const elsewhere = new CookieJar();
    await signIn(elsewhere, account);
    expect(await accessResults(elsewhere, chatId)).toEqual(ALLOWED);
  });

  it("does not reassign a chat of another account", async () => {
    const browser = new CookieJar();
    const first = await addUser();
    const chatId = await browser.beginChat();
    const before = new CookieJar();
    const copied = browser.header;
    await signIn(browser, first);
    const answer = await call("/api/auth/login", { json: await addUser(), cookie: copied });
    before.keep(answer);
    expect(await accessResults(before, chatId)).toEqual(DENIED);
    expect(await accessResults(browser, chatId)).toEqual(ALLOWED);
  });

  const accountOf = (chatId: string) =>
    env.DB.prepare("SELECT user_id FROM chats WHERE id = ?").bind(chatId).first("user_id");

  it.each(["before", "after"])(
    "attaches a chat that another request with the cookies from before begins just %s it",
    async (when) => {
      const browser = new CookieJar();
      const other = new CookieJar();
      const first = await browser.beginChat({ initialMessage: "First" });
      const older = browser.header;
      const account = await addUser({ firstName: "Ines", lastName: "Okafor" });
      const begin = async () => (await startChat({ initialMessage: "Meanwhile" }, { cookie: older })).chatId;
      const early = when === "before" ? await begin() : "";
      await signIn(browser, account);
      const chatId = early || (await begin());
      expect(await accountOf(first)).toBe(account.id);
      expect(await accountOf(chatId)).toBe(account.id);
      await signIn(other, account);
      expect((await accessResults(other, chatId)).slice(0, 4)).toEqual(ALLOWED.slice(0, 4));
      const row = env.DB.prepare("SELECT user_name, user_email FROM chats WHERE id = ?").bind(chatId);
      expect(await row.first()).toEqual({ user_name: "Ines Okafor", user_email: account.email });
    },
  );

  it("leaves no chat anonymous that the visitor begins while they sign up", async () => {
    const browser = new CookieJar();
    await browser.beginChat({ initialMessage: "First" });
    const cookie = browser.header;
    const json = {
      firstName: "Pat",
      lastName: "Example",
      email: "raced@mail.example",
      password: "Password1!",
    };
    const signUp = browser.call("/api/auth/signup", { json, headers: from("10.8.0.3") });
    const starts = Array.from({ length: 20 }, async (_, i) => {
      await scheduler.wait(i * 10);
      return (await startChat({ initialMessage: `Meanwhile ${i}` }, { cookie })).chatId;
    });
    const { user } = await (await signUp).json<{ user: { id: string } }>();
    for (const chatId of await Promise.all(starts)) expect(await accountOf(chatId)).toBe(user.id);
  });

  it("leaves chats anonymous that a browser begins after a sign-out, or long after", async () => {
    const browser = new CookieJar();
    await browser.beginChat({ initialMessage: "First" });
    const cookie = browser.header;
    const account = await addUser();
    await signIn(browser, account);
    await browser.call("/logout", form({}));
    const own = await browser.beginChat({ initialMessage: "By the next one" });
    const copied = await startChat({ initialMessage: "By the old cookies" }, { cookie });
    await signIn(browser, account);
    await env.DB.prepare("UPDATE sessions SET created_at = created_at - 601 WHERE user_id = ?")
      .bind(account.id)
      .run();
    const late = await startChat({ initialMessage: "Long after" }, { cookie });
    for (const chatId of [copied.chatId, late.chatId]) expect(await accountOf(chatId)).toBeNull();
    expect(await accountOf(own)).toBe(account.id);
  });

  it("makes an anonymous live connection reconnect under the account", async () => {
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
