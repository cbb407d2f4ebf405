import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { visitorNumber } from "~/features/chat/visitor-label";
import { cardOf, messagesOf, postMessage, rowWritten, staffToken, startChat } from "../support/chat";
import { manager } from "../support/people";
import { hold } from "../support/sales";
import { addProduct, call } from "../support/shop";

describe("GET chat, chat/{id}/messages, PATCH chat/{id}/read", () => {
  it("lists chats latest first with last message and unread count, and marks as read", async () => {
    const token = await staffToken();
    const older = await startChat({ userName: "Older", initialMessage: "One" });
    const newer = await startChat({ userName: "Newer", initialMessage: "Two" });
    await postMessage(older.chatId, "Three", older);
    await rowWritten(older.chatId);
    const listed = await call("/api/chat", { token });
    expect(Number(listed.headers.get("X-Total-Count"))).toBeGreaterThanOrEqual(2);
    const [first, second] = (await listed.json()) as object[];
    expect(first).toMatchObject({
      id: older.chatId,
      userName: "Older",
      lastMessage: "Three",
      unreadCount: 2,
    });
    expect(second).toMatchObject({ id: newer.chatId, lastMessage: "Two", unreadCount: 1 });
    const read = await call(`/api/chat/${older.chatId}/read`, {
      method: "PATCH",
      json: { isAdmin: true },
      token,
    });
    expect(await read.json()).toEqual({ unreadCount: 0 });
    const [again] = (await (await call("/api/chat?limit=1", { token })).json()) as object[];
    expect(again).toMatchObject({ id: older.chatId, unreadCount: 0 });
    const unsaid = await Promise.all(
      [{}, { isAdmin: false }, { isAdmin: null }].map((json) =>
        call(`/api/chat/${older.chatId}/read`, { method: "PATCH", json, token }),
      ),
    );
    expect(unsaid.map(({ status }) => status)).toEqual([400, 400, 400]);
    const none = { method: "PATCH", json: { isAdmin: true }, token };
    expect((await call("/api/chat/none/read", none)).status).toBe(404);
    expect((await call("/api/chat/none", { method: "DELETE", token })).status).toBe(404);
  });

  it("counts waiting answers on every page of the reader's, and on no cached one", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    const read = async (path: string, by: { cookie?: string } = {}) => (await call(path, by)).text();
    expect(await read("/terms", { cookie })).toMatch(/<title>(?!\().*aria-label="My conversations"/s);
    await postMessage(chatId, "Two", { token });
    await rowWritten(chatId);
    const page = await read("/terms", { cookie });
    expect(page).toMatch(/<title>\(1\) .*aria-label="My conversations, 1 new answer"/s);
    expect(page).toContain('aria-label="Menu, 1 new answer"');
    const anonymous = await call("/terms");
    expect(anonymous.headers.get("X-Edge-Cache")).not.toBeNull();
    expect(await anonymous.text()).not.toContain("My conversations");
    expect(await read(`/chat/${chatId}`, { cookie })).toMatch(/<title>(?!\()/);
    await rowWritten(chatId);
    expect(await read("/terms", { cookie })).not.toContain("1 new answer");
  });

  it("tells visitors without a name apart who began in the same minute", async () => {
    const token = await staffToken();
    const chats = [
      await startChat({ initialMessage: "Hello" }),
      await startChat({ initialMessage: "Hello" }),
    ];
    const [first = "", second = ""] = chats.map(({ chatId }) => visitorNumber(chatId));
    const page = (await (await call(`/admin/chat?chat=${chats[0]?.chatId}`, { token })).text()).replaceAll(
      "<!-- -->",
      "",
    );
    for (const number of [first, second])
      expect(page).toMatch(new RegExp(`<b>New Customer</b><small> ${number}, began \\d`));
    expect(page).toContain(`Visitor ${first}`);
  });

  it("names the reader's conversations by the first product that each was about, whatever follows", async () => {
    const [lamp, mug] = [await addProduct({ name: "Desk Lamp" }), await addProduct({ name: "Blue Mug" })];
    const { chatId, cookie } = await startChat({
      productId: lamp,
      initialMessage: "I have a question about it.",
    });
    const rows = async () =>
      (await (await call("/chat", { cookie })).text()).match(/class="chat-mine-last".*?<time/gs);
    expect(await rows()).toMatchObject([expect.stringMatching(/Desk Lamp<.*You.*I have a question about/s)]);
    await postMessage(chatId, "And this?", { cookie }, { card: cardOf(mug) });
    await expect.poll(rows).toMatchObject([expect.stringMatching(/Desk Lamp<.* and 1 more.*And this\?/s)]);
    await postMessage(chatId, "This one again?", { cookie }, { card: cardOf(mug) });
    await postMessage(
      chatId,
      "Or this?",
      { token: await staffToken() },
      { card: cardOf(await addProduct()) },
    );
    await expect.poll(rows).toMatchObject([expect.stringMatching(/Desk Lamp<.* and 1 more.*Or this\?/s)]);
    await env.DB.prepare("DELETE FROM products WHERE id = ?").bind(lamp).run();
    expect(await rows()).toMatchObject([expect.stringMatching(/>Conversation of \d+\w+ \w+ \d+</)]);
    const plain = await startChat({ initialMessage: "Do you wrap gifts?" });
    const page = await (await call("/chat", plain)).text();
    expect(page).toMatch(/Conversation of \d[^<]+<.*Do you wrap gifts\?.*We are here/s);
  });

  it("shows the open chat in the console's list as its room has it, before its row is written", async () => {
    const productId = await addProduct({ name: "Held lamp", stock: 9 });
    const { chatId } = await startChat({ userName: "Rita", initialMessage: "Keep one?" });
    const { token } = await manager();
    await hold(token, { chatId, lines: [{ productId, quantity: 1 }] });
    await rowWritten(chatId);
    await env.DB.prepare("UPDATE chats SET last_message = 'Words of before', waiting_since = 1 WHERE id = ?")
      .bind(chatId)
      .run();
    const list = async (query: string) => (await call(`/admin/chat${query}`, { token })).text();
    expect(await list("")).toContain("Words of before");
    const opened = await list(`?chat=${chatId}`);
    expect(opened).not.toContain("Words of before");
    expect(opened).toMatch(/Set aside until [^<]+Held lamp/);
  });

  it("tells in the reader's list what waits: a quote to answer, and a hold and its end", async () => {
    const productId = await addProduct({ stock: 9 });
    const { chatId, cookie } = await startChat({ productId, initialMessage: "Keep one for me?" });
    const other = await startChat({ initialMessage: "Hello" });
    const { token } = await manager();
    const row = async () =>
      (await (await call("/chat", { cookie })).text()).match(/chat-mine-last.*?<time/s)?.[0];
    expect(await row()).not.toMatch(/waits for you|Set aside until/);
    const until = Math.floor(Date.now() / 1000) + 90 * 24 * 3600;
    const placed = await hold(token, { chatId, lines: [{ productId, quantity: 1 }] });
    expect(placed.status).toBe(201);
    expect(await row()).toMatch(/Set aside until \w+day 18:00, when we close/);
    const quote = { chatId, title: "Coasters", lines: [{ description: "Drawing", quantity: 4, amount: 92 }] };
    const sent = await call("/api/quote", { token, json: { ...quote, validUntil: until } });
    const { id } = (await sent.json()) as { id: string };
    expect(await row()).toMatch(/A quote of \$92\.00 waits for you.*Set aside until \w+day 18:00/s);
    await call(`/api/quote/${id}`, { method: "PATCH", json: { state: "declined" }, cookie });
    expect(await row()).toMatch(/Set aside until \w+day 18:00/);
    expect(await (await call("/chat", other)).text()).not.toMatch(/waits for you|Set aside until/);
    const expired = await call("/api/quote", { token, json: quote });
    expect(expired.status).toBe(201);
    expect(await row()).toContain("waits for you");
    await env.DB.prepare("UPDATE quotes SET valid_until = 1 WHERE state = 'sent' AND chat_id = ?")
      .bind(chatId)
      .run();
    expect(await row()).not.toContain("waits for you");
  });

  it("tells of several the quote that was sent first, and the end of the first hold", async () => {
    const productId = await addProduct({ stock: 9 });
    const { chatId, cookie } = await startChat({ productId, initialMessage: "Keep some for me?" });
    const { token } = await manager();
    const now = Math.floor(Date.now() / 1000);
    for (const days of [5, 3])
      await hold(token, {
        chatId,
        lines: [{ productId, quantity: 1 }],
        until: { seconds: now + days * 86_400 },
      });
    const quote = { chatId, title: "Coasters" };
    for (const amount of [92, 18])
      await call("/api/quote", {
        token,
        json: { ...quote, lines: [{ description: "Drawing", quantity: 1, amount }] },
      });
    await env.DB.prepare(
      "UPDATE quotes SET created_at = created_at - 60 WHERE chat_id = ? AND total_cents = 9200",
    )
      .bind(chatId)
      .run();
    const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: env.SHOP_TIMEZONE });
    const page = await (await call("/chat", { cookie })).text();
    expect(page).toContain("A quote of $92.00 waits for you");
    expect(page).toContain(`Set aside until ${weekday.format((now + 3 * 86_400) * 1000)} `);
  });

  it("names a conversation that began with words alone by what waits in it", async () => {
    const productId = await addProduct({ name: "Speckled mug", stock: 9 });
    const { chatId, cookie } = await startChat({ initialMessage: "Keep two of the mugs for me?" });
    const { token } = await manager();
    const name = async () =>
      (await (await call("/chat", { cookie })).text()).match(/chat-mine-subject.*?<\/b>/s)?.[0];
    expect(await name()).toMatch(/Conversation of \d[^<]+</);
    await hold(token, { chatId, lines: [{ productId, quantity: 2 }] });
    expect(await name()).toContain("Speckled mug<");
    const lines = [{ description: "Drawing", quantity: 4, amount: 92 }];
    await call("/api/quote", { token, json: { chatId, title: "Coasters with a fox", lines } });
    expect(await name()).toContain("Coasters with a fox<");
  });

  it("says before the first message that nobody is there, in place of the welcome", async () => {
    const token = await staffToken();
    const set = (isOnline: boolean) =>
      call("/api/chat/settings", {
        method: "PATCH",
        json: { isOnline, welcomeMessage: "Welcome in!" },
        token,
      });
    const pages = async () =>
      Promise.all(["/chat", "/chat?new"].map(async (page) => (await call(page)).text()));
    await set(false);
    for (const page of await pages()) {
      expect(page).toContain("We are away just now.");
      expect(page).not.toContain(">Welcome in!<");
    }
    await set(true);
    for (const page of await pages()) {
      expect(page).not.toContain("We are away just now.");
      expect(page).toContain(">Welcome in!<");
    }
  });

  it("returns the messages after a seq", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "One" });
    await postMessage(chatId, "Two", { cookie });
    expect((await messagesOf(chatId, { cookie }, 2)).map(({ message }) => message)).toEqual(["Two"]);
    expect((await call(`/api/chat/${chatId}/messages?after=-1`, { cookie })).status).toBe(400);
  });
});
