import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { visitorNumber } from "~/features/chat/visitor-label";
import { postMessage, rowWritten, staffToken, startChat } from "../support/chat";
import { costOf } from "../support/cost";
import { addUser, call, openSession } from "../support/shop";

interface ListedChat {
  id: string;
  userName: string;
  state: string;
  assigneeId: string | null;
  waitingSince: { seconds: number } | null;
  lastSender: string;
}

const list = async (query: string, token: string) =>
  (await (await call(`/api/chat?${query}`, { token })).json()) as ListedChat[];
const idsOf = async (query: string, token: string) => (await list(query, token)).map(({ id }) => id);
const edit = (id: string, json: object, by: { token?: string; cookie?: string }) =>
  call(`/api/chat/${id}`, { method: "PATCH", json, ...by });

describe("search and filters of the list of chats", () => {
  it("lists unanswered, own, open and closed chats", async () => {
    const { id: userId } = await addUser({ isManager: true });
    const token = await openSession(userId);
    const waiting = await startChat({ userName: "Waiting", initialMessage: "Hello?" });
    const answered = await startChat({ userName: "Answered", initialMessage: "Hi" });
    expect((await postMessage(answered.chatId, "Good morning", { token })).status).toBe(201);
    expect((await edit(answered.chatId, { assigneeId: userId, state: "closed" }, { token })).status).toBe(
      200,
    );
    expect(await idsOf("filter=unanswered", token)).toEqual([waiting.chatId]);
    expect(await idsOf("filter=mine", token)).toEqual([answered.chatId]);
    expect(await idsOf("filter=open", token)).toEqual([waiting.chatId]);
    expect(await idsOf("filter=closed", token)).toEqual([answered.chatId]);
    const [first] = await list("filter=unanswered", token);
    expect(first).toMatchObject({
      state: "open",
      assigneeId: null,
      lastSender: "visitor",
      waitingSince: { seconds: expect.any(Number) },
    });
    expect((await call("/api/chat?filter=lost", { token })).status).toBe(400);
    const page = await call(`/admin/chat?filter=closed`, { token });
    const html = await page.text();
    expect(html).toContain("<b>You: </b>Good morning");
    expect(html).not.toContain(waiting.chatId);
    const all = await (await call("/admin/chat", { token })).text();
    expect(all.split("<small>Closed</small>")).toHaveLength(2);
  });

  it("finds a visitor without a name by the number that the list shows, by few rows", async () => {
    const token = await staffToken();
    const unnamed = await startChat({ initialMessage: "Is it in?" });
    const named = await startChat({ userName: "Ada", initialMessage: "Hello" });
    const number = visitorNumber(unnamed.chatId);
    expect(await (await call("/admin/chat", { token })).text()).toContain(number);
    for (const q of [number, number.slice(1), number.toLowerCase(), `New Customer ${number}`])
      expect(await idsOf(`q=${encodeURIComponent(q)}`, token), q).toContain(unnamed.chatId);
    // Its text has the number as well.
    const { cookie } = unnamed;
    await postMessage(unnamed.chatId, `I am ${number}`, { cookie });
    await rowWritten(unnamed.chatId);
    expect(await idsOf(`q=${encodeURIComponent(number)}`, token)).toEqual([unnamed.chatId]);
    expect(await idsOf(`q=${number.slice(1)}&filter=closed`, token)).toEqual([]);
    expect(await idsOf(`q=${visitorNumber(named.chatId).slice(1)}`, token)).not.toContain(named.chatId);
    const answer = await call(`/api/chat?q=${number.slice(1)}`, { token });
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
  });

  it("displays the earlier line that a search found", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "Good morning" });
    const long = "a slate with our names and the date of the wedding, in the font of the picture";
    await postMessage(chatId, `First line\nIs there ${long}, also on basalt 🪨?\nThank you`, { cookie });
    await postMessage(chatId, "And in granite?", { cookie });
    const found = async (q: string) => {
      const html = await (await call(`/admin/chat?q=${q}`, { token })).text();
      return /class="chat-list-message truncate">(.*?)<\/span>/.exec(html)?.[1]?.replace(/<[^>]*>/g, "");
    };
    await expect.poll(() => found("granite")).toBe("And in granite?");
    expect(await found("MORNING")).toBe("Earlier: Good morning");
    expect(await found("is there a slate")).toBe(`Earlier: Is there ${long}, also on basalt 🪨?`);
    expect(await found("basalt")).toBe("Earlier: …icture, also on basalt 🪨?");
    expect(await found("ines")).toBe("And in granite?");
  });

  it("names the colleague who wrote last; an automatic answer is none", async () => {
    const { id } = await addUser({ isManager: true, firstName: "Theo" });
    const [token, theo] = [await staffToken(), await openSession(id)];
    await call("/api/chat/responses", { json: { trigger: "hours", response: "Ten to six." }, token });
    const asked = await startChat({ initialMessage: "What are your hours?" });
    const answered = await startChat({ initialMessage: "Hi" });
    await postMessage(answered.chatId, "Good evening", { token: theo });
    await rowWritten(answered.chatId);
    const html = await (await call("/admin/chat", { token })).text();
    expect(html).toContain("<b>Theo: </b>Good evening");
    expect(html).toContain("<b>Auto: </b>Ten to six.");
    expect(await idsOf("filter=unanswered", token)).toContain(asked.chatId);
  });

  it("shows the other chats of the same account or browser beside a chat, and no others", async () => {
    const token = await staffToken();
    const { id } = await addUser({ phoneNumber: "4165550199" });
    const customer = await openSession(id);
    const first = await startChat({ initialMessage: "Is it oak?" });
    const second = await startChat({ initialMessage: "Is it walnut?" }, first);
    const own = await startChat({ initialMessage: "Is it ash?" }, { token: customer });
    const ownToo = await startChat({ initialMessage: "Is it elm?" }, { token: customer });
    const columnOf = async (chatId: string) => {
      const html = await (await call(`/admin/chat?chat=${chatId}`, { token })).text();
      return /id="who".*?<\/aside>/s.exec(html)?.[0] ?? "";
    };
    const links = async (chatId: string) =>
      [...(await columnOf(chatId)).matchAll(/href="\/admin\/chat\?chat=([\w-]+)"/g)].map(
        ([, other]) => other,
      );
    expect(await links(first.chatId)).toEqual([second.chatId]);
    expect(await links(second.chatId)).toEqual([first.chatId]);
    expect(await links(ownToo.chatId)).toEqual([own.chatId]);
    expect(await columnOf(own.chatId)).toContain("tel:4165550199");
  });

  it("finds names, e-mail addresses and earlier messages, together with a filter", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({
      userName: "Zoë Quillfeather",
      userEmail: "zq@mail.example",
      initialMessage: "Do you engrave periwinkle shells?",
    });
    await postMessage(chatId, "Thanks anyway", { cookie });
    await expect.poll(() => idsOf("q=thanks+any", token)).toEqual([chatId]);
    for (const q of ["quillf", "zoe", "zq@mail", "periwinkle", "Zo", "q"])
      expect(await idsOf(`q=${encodeURIComponent(q)}`, token), q).toEqual([chatId]);
    expect(await idsOf("q=periwinkle&filter=closed", token)).toEqual([]);
    for (const q of ["nobody%20at%20all", "%22", "*", "name%3A", "%00", "a%00b"])
      expect(await idsOf(`q=${q}`, token), q).toEqual([]);
    await edit(chatId, { userName: "Ada Renamed" }, { token });
    expect(await idsOf("q=quillf", token)).toEqual([]);
    expect(await idsOf("q=ren", token)).toEqual([chatId]);
    await call(`/api/chat/${chatId}`, { method: "DELETE", token });
    expect(await idsOf("q=periwinkle", token)).toEqual([]);
  });
});

describe("PATCH chat/{id}", () => {
  it("renames, assigns, closes and reopens; a visitor's message reopens too", async () => {
    const { id: userId } = await addUser({ isAdmin: true });
    const token = await openSession(userId);
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const changed = await edit(chatId, { userName: "Ines", assigneeId: userId, state: "closed" }, { token });
    expect([changed.status, await changed.json()]).toMatchObject([
      200,
      { id: chatId, userName: "Ines", assigneeId: userId, state: "closed", waitingSince: null },
    ]);
    expect(await (await edit(chatId, {}, { token })).json()).toMatchObject({
      userName: "Ines",
      state: "closed",
    });
    await postMessage(chatId, "One more thing", { cookie });
    await rowWritten(chatId);
    const [again] = await list("limit=1", token);
    expect(again).toMatchObject({ id: chatId, state: "open", assigneeId: userId, lastSender: "visitor" });
    expect(await (await edit(chatId, { assigneeId: null }, { token })).json()).toMatchObject({
      assigneeId: null,
    });
  });

  it("counts the chats of each filter, which every change keeps right", async () => {
    await env.DB.exec("DELETE FROM chats");
    const { id } = await addUser({ isManager: true });
    const token = await openSession(id);
    const counts = async () =>
      ((await (await call("/admin/unread", { token })).json()) as { filters: object }).filters;
    const first = await startChat({ initialMessage: "Hello" });
    const second = await startChat({});
    await expect.poll(counts).toEqual({ unanswered: 1, mine: 0, open: 2, closed: 0 });
    await edit(first.chatId, { assigneeId: id }, { token });
    await edit(second.chatId, { state: "closed" }, { token });
    await expect.poll(counts).toEqual({ unanswered: 1, mine: 1, open: 1, closed: 1 });
    await postMessage(first.chatId, "Yes?", { token });
    await postMessage(second.chatId, "Still here", { cookie: second.cookie });
    await expect.poll(counts).toEqual({ unanswered: 1, mine: 1, open: 2, closed: 0 });
    for (const { chatId } of [first, second]) await call(`/api/chat/${chatId}`, { method: "DELETE", token });
    await expect.poll(counts).toEqual({ unanswered: 0, mine: 0, open: 0, closed: 0 });
  });

  it("rejects forged, unknown and unsuitable values, and changes nothing", async () => {
    const token = await staffToken();
    const customer = await addUser();
    const gone = await addUser({ isManager: true, isUser: false });
    const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "Hello" });
    const before = await list("limit=1", token);
    for (const changes of [{ state: "closed" }, { assigneeId: customer.id }, { userName: "Owner" }]) {
      expect((await edit(chatId, changes, { cookie })).status).toBe(403);
      expect((await edit(chatId, changes, {})).status).toBe(401);
      expect((await edit(chatId, changes, { token: await openSession(customer.id) })).status).toBe(403);
    }
    const invalid = [
      { assigneeId: "unknown" },
      { assigneeId: customer.id },
      { assigneeId: gone.id },
      { assigneeId: 7 },
      { state: "lost" },
      { state: null },
      { userName: "" },
      { userName: "see www.elsewhere.example" },
    ];
    for (const changes of invalid)
      expect((await edit(chatId, changes, { token })).status, JSON.stringify(changes)).toBe(400);
    expect((await edit("none", { state: "closed" }, { token })).status).toBe(404);
    await postMessage(chatId, "Mine", { cookie }, { state: "closed", assigneeId: customer.id });
    await rowWritten(chatId);
    expect(await list("limit=1", token)).toMatchObject([
      { ...before[0], lastMessage: "Mine", lastMessageTime: expect.anything(), unreadCount: 2 },
    ]);
  });

  it("works by plain forms and keeps the list's search and filter", async () => {
    const { id: userId } = await addUser({ isManager: true });
    const token = await openSession(userId);
    const { chatId } = await startChat({ userName: "Ines", initialMessage: "Hello" });
    const submit = (fields: Record<string, string>) =>
      call("/admin/chat", {
        body: new URLSearchParams({
          intent: "updateChat",
          id: chatId,
          list: "q=ines&filter=mine",
          ...fields,
        }),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        token,
      });
    const assigned = await submit({ assigneeId: userId });
    expect([assigned.status, assigned.headers.get("Location")]).toEqual([
      303,
      `/admin/chat?chat=${chatId}&q=ines&filter=mine`,
    ]);
    await submit({ userName: "Ines Carvalho" });
    await submit({ state: "closed" });
    expect(await list("limit=1", token)).toMatchObject([
      { userName: "Ines Carvalho", assigneeId: userId, state: "closed" },
    ]);
    await submit({ assigneeId: "" });
    expect(await list("limit=1", token)).toMatchObject([{ assigneeId: null }]);
    expect((await submit({ assigneeId: "unknown" })).status).toBe(400);
  });

  it("hides the assignee from the visitor", async () => {
    const { id: userId } = await addUser({ isManager: true });
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await edit(chatId, { assigneeId: userId }, { token: await openSession(userId) });
    const read = await (await call(`/api/chat/${chatId}/messages`, { cookie })).text();
    expect(read).not.toContain(userId);
  });
});
