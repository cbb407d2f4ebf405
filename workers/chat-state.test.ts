import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { postMessage, staffToken, startChat } from "../tests/support/chat";
import { connect } from "../tests/support/live";
import { addUser, call, openSession } from "../tests/support/shop";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const roomOf = (chatId: string) => env.CHAT_ROOM.getByName(chatId);

interface StoredState {
  state: string;
  waiting_since: number | null;
  last_sender: string;
  visitor_unread: number;
  unread_count: number;
}

async function rowOf(chatId: string): Promise<StoredState> {
  const row = await env.DB.prepare("SELECT * FROM chats WHERE id = ?").bind(chatId).first<StoredState>();
  if (!row) throw new Error(`No row for ${chatId}`);
  return row;
}

/** Runs SQL in a room's storage. */
function inRoom(chatId: string, sql: string): Promise<Record<string, unknown>[]> {
  return runInDurableObject(roomOf(chatId), (_, { storage }) => storage.sql.exec(sql).toArray());
}

describe("state of a chat in the list", () => {
  it("waits since the first unanswered message of the visitor until a person answers", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const asked = await rowOf(chatId);
    expect(asked).toMatchObject({ state: "open", last_sender: "visitor", visitor_unread: 0 });
    expect(asked.waiting_since).toBeGreaterThan(0);
    await postMessage(chatId, "Anybody?", { cookie });
    await expect.poll(async () => (await rowOf(chatId)).unread_count).toBe(2);
    expect((await rowOf(chatId)).waiting_since).toBe(asked.waiting_since);
    await postMessage(chatId, "Yes", { token }, { isFromAdmin: true });
    await expect
      .poll(() => rowOf(chatId))
      .toMatchObject({
        last_sender: "staff",
        waiting_since: null,
        visitor_unread: 1,
      });
    await call(`/chat/${chatId}`, { cookie });
    await expect.poll(() => rowOf(chatId)).toMatchObject({ visitor_unread: 0 });
  });

  it("counts the welcome message as automatic and as no answer to wait for", async () => {
    const token = await staffToken();
    await call("/api/chat/settings", { method: "PATCH", json: { welcomeMessage: "Welcome!" }, token });
    const { chatId } = await startChat({});
    expect(await rowOf(chatId)).toMatchObject({
      last_sender: "auto",
      waiting_since: null,
      visitor_unread: 0,
    });
  });

  it("is told to the visitor, live and on the chat's page, without who looks after it", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const change = (json: object) => call(`/api/chat/${chatId}`, { method: "PATCH", json, token });
    const me = (await (await call("/api/auth/me", { token })).json()) as { id: string };
    await change({ assigneeId: me.id });
    await change({ state: "closed" });
    const closed = await visitor.waitForEvent("chat-updated");
    expect(closed).toMatchObject({ chatId, chat: { state: "closed", assigneeId: null } });
    const page = async () => (await call(`/chat/${chatId}`, { cookie })).text();
    const note = "This conversation was closed. Write to reopen it.";
    expect(await page()).toContain(note);
    await change({ state: "open" });
    const isOpen = ({ chat }: Record<string, unknown>) => (chat as { state: string }).state === "open";
    await visitor.waitForEvent("chat-updated", isOpen);
    expect(await page()).not.toContain(note);
    await change({ state: "closed" });
    await postMessage(chatId, "One more thing", { cookie });
    expect(await page()).not.toContain(note);
  });

  it("reopens a closed chat with a visitor's message, not with the seller's", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await roomOf(chatId).update({ state: "closed", by: "Theo" });
    expect(await rowOf(chatId)).toMatchObject({ state: "closed", waiting_since: null });
    await postMessage(chatId, "One more thing", { token }, { isFromAdmin: true });
    await expect.poll(() => rowOf(chatId)).toMatchObject({ state: "closed", last_sender: "staff" });
    await postMessage(chatId, "Thanks", { cookie });
    await expect.poll(() => rowOf(chatId)).toMatchObject({ state: "open", last_sender: "visitor" });
    expect(await roomOf("none").update({ state: "closed", by: "Theo" })).toEqual({
      rejected: "notFound",
    });
  });

  it("adds the columns to a room that was created without them", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    for (const column of [
      "state",
      "assignee_id",
      "waiting_since",
      "last_sender",
      "visitor_seq",
      "visitor_unread",
    ])
      await inRoom(chatId, `ALTER TABLE chat DROP COLUMN ${column}`);
    await evictDurableObject(roomOf(chatId));
    await postMessage(chatId, "Still there?", { cookie });
    expect((await inRoom(chatId, "SELECT * FROM chat"))[0]).toMatchObject({
      state: "open",
      last_sender: "visitor",
      waiting_since: expect.any(Number),
    });
  });

  it("rejects other states and senders", async () => {
    const { chatId } = await startChat({});
    const update = (column: string, value: string) =>
      env.DB.prepare(`UPDATE chats SET ${column} = ? WHERE id = ?`).bind(value, chatId).run();
    await expect(update("state", "lost")).rejects.toThrow("CHECK");
    await expect(update("last_sender", "robot")).rejects.toThrow("CHECK");
  });

  it.each([
    ["state = 'open'", "chats_state"],
    ["assignee_id = 'a'", "chats_assignee"],
    ["waiting_since IS NOT NULL", "chats_waiting"],
  ])("lists chats with %s by an index, without sorting", async (filter, index) => {
    const order = "ORDER BY last_message_at DESC, id DESC LIMIT 20";
    const plan = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT * FROM chats WHERE ${filter} ${order}`,
    ).all();
    const details = plan.results.map(({ detail }) => String(detail)).join("; ");
    expect(details).toContain(`INDEX ${index}`);
    expect(details).not.toContain("TEMP B-TREE");
  });
});

describe("typing", () => {
  it("shows a colleague's typing to staff by name, and to the visitor as the shop's", async () => {
    const { chatId, cookie } = await startChat({ userName: "Ines" });
    const colleague = await addUser({ isManager: true, firstName: "Mara" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const seller = await connect(`?chat=${chatId}`, bearer(await staffToken()));
    const other = await connect(`?chat=${chatId}`, bearer(await openSession(colleague.id)));
    other.send("typing", { chatId, senderName: "Ines" });
    const typing = { chatId, isTyping: true, isStaff: true };
    expect(await seller.waitForEvent("user-typing")).toEqual({ ...typing, senderName: "Mara" });
    expect(await visitor.waitForEvent("user-typing")).toEqual({ ...typing, senderName: "Support Team" });
    expect(other.events()).toEqual([]);
  });

  it("goes on for the visitor while a colleague types", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const [theo, nora] = [
      await connect(`?chat=${chatId}`, bearer(await staffToken())),
      await connect(`?chat=${chatId}`, bearer(await staffToken())),
    ];
    const typed = () =>
      visitor.events().flatMap(({ event, data }) => (event === "user-typing" ? [data.isTyping] : []));
    for (const seller of [theo, nora]) seller.send("typing", { chatId });
    await expect.poll(typed).toEqual([true, true]);
    theo.send("stop-typing", { chatId });
    await nora.waitForEvent("user-typing", ({ isTyping }) => isTyping === false);
    nora.send("stop-typing", { chatId });
    await expect.poll(typed).toEqual([true, true, false]);
  });
});
