import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RoomUpdate } from "~/features/chat/operations/rooms.server";
import { rowCollector } from "~/http/shop-objects.server";
import { postMessage, roomUpdate, rowWritten, runTasks, startChat } from "../tests/support/chat";
import type { AdminRoom } from "./admin-room";
import type { ChatRoom } from "./chat-room";
import type { CollectedRow } from "./row-collector";

const roomOf = (chatId: string) => env.CHAT_ROOM.getByName(chatId);

interface StoredRow {
  last_message: string;
  unread_count: number;
  text: string;
}

const rowOf = (chatId: string) =>
  env.DB.prepare(
    "SELECT last_message, unread_count, text FROM chats JOIN chat_texts ON chat_id = id WHERE id = ?",
  )
    .bind(chatId)
    .first<StoredRow>();

/** Reads how often the row of a chat has failed. */
const attemptsOf = (chatId: string) =>
  runInDurableObject(
    roomOf(chatId),
    (_, { storage }) =>
      storage.sql.exec("SELECT attempts FROM duties WHERE kind = 'summary'").toArray()[0]?.attempts ?? null,
  );

/** Starts chats whose rows one collector writes. */
async function chatsOfOneCollector(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const { chatId } = await startChat({ initialMessage: "Hello", userName: "Ines" });
    const { id } = rowCollector(env, chatId);
    if (ids.every((other) => rowCollector(env, other).id.equals(id))) ids.push(chatId);
  }
  return ids;
}

/** Sends rows to the collector of these chats at the same time. */
const collect = (updates: RoomUpdate[]): Promise<CollectedRow[]> =>
  runInDurableObject(rowCollector(env, updates[0]?.row.id ?? ""), (collector: AdminRoom) =>
    Promise.all(updates.map((update) => collector.saveRow(update))),
  );

/** Builds a visitor's message. */
const message = (text: string) => ({
  id: `m-${text}`,
  message: text,
  isFromAdmin: false,
  senderName: "",
  cards: [],
});

const refuse = (chatId: string) =>
  env.DB.exec(
    `CREATE TRIGGER refused BEFORE UPDATE ON chats WHEN new.id = '${chatId}' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  );
const accept = () => env.DB.exec("DROP TRIGGER IF EXISTS refused");

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await accept();
});

describe("rows of chats", () => {
  it("are written in one transaction for many chats: one that is refused keeps back all", async () => {
    const ids = await chatsOfOneCollector(3);
    await refuse(ids[1] ?? "");
    const refused = await collect(ids.map((id) => roomUpdate(id, "Once more")));
    expect(refused).toEqual(ids.map(() => ({ failure: expect.stringContaining("refused") })));
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ last_message: "Hello", text: "Hello" });
    await accept();
    const saved = await collect(ids.map((id) => roomUpdate(id, "Once more")));
    expect(saved).toEqual(ids.map(() => ({ isErased: false, userEmail: "" })));
    for (const id of ids)
      expect(await rowOf(id)).toEqual({
        last_message: "Once more",
        unread_count: 100,
        text: "Hello\nOnce more",
      });
  });

  it("never replace a newer revision, in one batch and after it", async () => {
    const [id = ""] = await chatsOfOneCollector(1);
    await collect([roomUpdate(id, "Third", 103), roomUpdate(id, "Second", 102)]);
    await collect([roomUpdate(id, "First", 101)]);
    expect(await rowOf(id)).toEqual({ last_message: "Third", unread_count: 103, text: "Hello\nThird" });
  });

  it("do not bring back the row of a chat that was deleted while its row waited", async () => {
    const [id = "", other = ""] = await chatsOfOneCollector(2);
    await env.CHAT_ROOM.getByName(id).remove({ kind: "system", userId: null, sourceId: null });
    expect(await rowOf(id)).toBeNull();
    const saved = await collect([id, other].map((each) => roomUpdate(each, "Too late")));
    expect(saved).toEqual([
      { failure: expect.stringContaining("no row") },
      { isErased: false, userEmail: "" },
    ]);
    expect([await rowOf(id), (await rowOf(other))?.last_message]).toEqual([null, "Too late"]);
  });

  it("are written alone by their rooms after the batch was refused", async () => {
    const [refused = "", other = ""] = await chatsOfOneCollector(2);
    await refuse(refused);
    await Promise.all([refused, other].map((id) => roomOf(id).post(message("Two"))));
    await expect.poll(() => attemptsOf(refused)).toBeGreaterThan(0);
    await runTasks(other);
    expect(await rowOf(other)).toMatchObject({ last_message: "Two", unread_count: 2 });
    expect(await rowOf(refused)).toMatchObject({ last_message: "Hello" });
    await accept();
    await runTasks(refused);
    expect(await rowOf(refused)).toMatchObject({ last_message: "Two", unread_count: 2 });
  });

  it("follow by the room's alarm when the room is evicted after the answer", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    expect((await postMessage(chatId, "Two", { cookie })).status).toBe(201);
    await evictDurableObject(roomOf(chatId));
    await runDurableObjectAlarm(roomOf(chatId));
    await rowWritten(chatId);
    expect(await rowOf(chatId)).toMatchObject({ last_message: "Two", unread_count: 2 });
  });

  it("follow by the room's alarm when room and collector end before D1 has answered", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    expect((await postMessage(chatId, "Two", { cookie })).status).toBe(201);
    await abortAllDurableObjects();
    await runDurableObjectAlarm(roomOf(chatId));
    await rowWritten(chatId);
    expect(await rowOf(chatId)).toMatchObject({ last_message: "Two", unread_count: 2 });
  });

  it("are one for the messages of one pause", async () => {
    const { chatId } = await startChat({ initialMessage: "Hello" });
    await env.DB.exec("CREATE TABLE writes (id TEXT)");
    await env.DB.exec(
      "CREATE TRIGGER counted AFTER UPDATE ON chats BEGIN INSERT INTO writes VALUES (new.id); END",
    );
    await runInDurableObject(roomOf(chatId), async (room: ChatRoom) => {
      for (let i = 0; i < 5; i++) await room.post(message(`${i}`));
    });
    await rowWritten(chatId);
    expect(await rowOf(chatId)).toMatchObject({ last_message: "4", unread_count: 6 });
    const { results } = await env.DB.prepare("SELECT id FROM writes").all();
    await env.DB.exec("DROP TRIGGER counted");
    await env.DB.exec("DROP TABLE writes");
    expect(results).toEqual([{ id: chatId }]);
  });
});
