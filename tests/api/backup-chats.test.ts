import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  chatDifferences,
  chatDigests,
  MAX_REQUEST_BYTES,
  packSlice,
  readSlice,
  requestParts,
} from "~/features/backup/archive";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { messagesOf, postMessage, startChat } from "../support/chat";
import { migrate } from "../support/migrate";
import { backUp, ok, operate } from "../support/operator";
import { manager } from "../support/people";
import { addProduct, call } from "../support/shop";

/** More bytes than a Durable Object's SQLite takes as one value. */
const EMOJI_MESSAGES = 300;
const EMOJI = "🙂".repeat(2000);
const SLICE_BYTES = 2_100_000;

type Backup = Awaited<ReturnType<typeof backUp>>;
let before: Backup;
let visitor: Awaited<ReturnType<typeof startChat>>;
let other: Awaited<ReturnType<typeof startChat>>;
let large: string[];

/** Adds messages to the room itself: posting them would take 100 s within the limits. */
async function addMessages(chatId: string): Promise<void> {
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
    for (let i = 0; i < EMOJI_MESSAGES; i++)
      storage.sql.exec(
        "INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at) VALUES (?, ?, 0, 1, 'Ines', ?)",
        `emoji-${i}`,
        EMOJI,
        i,
      );
  });
}

async function emptyShop(): Promise<void> {
  await reset();
  await migrate();
}

async function begin({ manifest }: Backup, query = ""): Promise<string> {
  const begun = await ok(operate("POST", `restore${query}`, JSON.stringify(manifest)));
  return ((await begun.json()) as { token: string }).token;
}

const store = (token: string, slice: number, data: Uint8Array<ArrayBuffer>, query = "") =>
  ok(operate("PUT", `restore/slice?token=${token}&slice=${slice}${query}`, data));

async function end(token: string): Promise<{ id: string; error: string }[]> {
  const ended = await ok(operate("POST", `restore/end?token=${token}`));
  return ((await ended.json()) as { damaged: { id: string; error: string }[] }).damaged;
}

async function* slicesOf({ slices }: Pick<Backup, "slices">) {
  yield* slices.slice(0, -1);
}

beforeAll(async () => {
  await manager();
  await addProduct({ name: "Brass lamp", stock: 9 });
  [visitor, other] = [await startChat({ initialMessage: "One" }), await startChat({ initialMessage: "Two" })];
  large = [visitor.chatId];
  for (let i = 0; i < 3; i++) large.push((await startChat({ initialMessage: "Long" })).chatId);
  for (const id of large) await addMessages(id);
  before = await backUp();
}, 120_000);

describe("backup of long chats", () => {
  it("makes slices of at most 2 MB, however long a chat is", () => {
    const sizes = before.slices.map(({ byteLength }) => byteLength);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(large.length * 2_400_000);
    expect(Math.max(...sizes)).toBeLessThan(SLICE_BYTES);
  });

  it("restores them, equal row by row", async () => {
    await emptyShop();
    const token = await begin(before);
    for (const [i, slice] of before.slices.slice(0, -1).entries()) await store(token, i, slice);
    expect(await end(token)).toEqual([]);
    expect(await chatDigests(slicesOf(await backUp()))).toEqual(await chatDigests(slicesOf(before)));
  }, 120_000);

  it("restores an archive whose slices had no limit, in parts", async () => {
    // As earlier versions wrote it: a chat's first 2,000 messages in one file.
    const file = async (chatId: string) => {
      const dump = await env.CHAT_ROOM.getByName(chatId).dump(0, Number.MAX_SAFE_INTEGER);
      const data = new TextEncoder().encode(JSON.stringify(dump));
      return { name: `chats/${chatId}/000000000.json`, data };
    };
    const slice = await packSlice(await Promise.all(large.map(file)));
    expect(slice.byteLength).toBeGreaterThan(MAX_REQUEST_BYTES);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of requestParts(slice)) parts.push(part);
    expect(Math.max(...parts.map(({ byteLength }) => byteLength))).toBeLessThan(SLICE_BYTES);
    await emptyShop();
    const token = await begin({ ...before, manifest: { ...before.manifest, slices: [slice.byteLength] } });
    for (const part of parts.slice(0, -1)) await store(token, 0, part, "&more=");
    await store(token, 0, parts.at(-1) as Uint8Array<ArrayBuffer>);
    expect(await end(token)).toEqual([]);
    const digests = await chatDigests(slicesOf(before));
    const restored = await Promise.all(large.map(file));
    const again = await chatDigests(
      (async function* () {
        yield await packSlice(restored);
      })(),
    );
    expect(again.size).toBeGreaterThan(large.length);
    for (const [key, table] of again) expect(digests.get(key), key).toEqual(table);
  }, 120_000);
});

it("names each chat that differs in one sentence", () => {
  const tables = (...keys: string[]) =>
    new Map(
      keys.map((key) => {
        const [name = "", digest = ""] = key.split("=");
        return [name, { columns: [], digest }];
      }),
    );
  const archived = tables(
    ...["same chat=1", "same messages=1", "other chat=1", "other files=1", "other messages=1"],
    ...["lost%2F1 chat=1", "lost%2F1 messages=1", "unread missing=1", "found missing=1"],
  );
  const restored = tables(
    ...["same chat=1", "same messages=1", "other chat=1", "other files=2", "other messages=2"],
    ...["lost%2F1 missing=1", "unread missing=1", "found chat=1", "found messages=1"],
  );
  expect(Object.fromEntries(chatDifferences(archived, restored))).toEqual({
    other: "The chat other differs in the restored shop: files, messages.",
    "lost/1": "The chat lost/1 is missing in the restored shop.",
    found: "The chat found is in the restored shop, but not in the archive.",
  });
  expect(chatDifferences(archived, archived).size).toBe(0);
});

describe("a damaged chat", () => {
  it("does not keep others from being backed up, and is named", async () => {
    await emptyShop();
    await manager();
    [visitor, other] = [
      await startChat({ initialMessage: "One" }),
      await startChat({ initialMessage: "Two" }),
    ];
    await runInDurableObject(env.CHAT_ROOM.getByName(other.chatId), (_, { storage }) => {
      storage.sql.exec("ALTER TABLE messages RENAME TO lost");
    });
    before = await backUp();
    expect(before.manifest.chats.count).toBe(1);
    expect(before.manifest.damaged).toEqual([
      { id: other.chatId, error: expect.stringContaining("no such table: messages") },
    ]);
  });

  it("does not keep others from being restored; repeated whole, it is restored", async () => {
    await emptyShop();
    const token = await begin(before);
    const chat = (id: string, tables: object) => ({
      name: `chats/${id}/000000000.json`,
      data: new TextEncoder().encode(JSON.stringify({ tables, next: null })),
    });
    const damaged = await packSlice([
      chat("damaged", { messages: { columns: ["seq", "unknown"], rows: [[1, 2]] } }),
    ]);
    // The rows, in parts of a slice, which only the last part ends.
    await store(token, 0, damaged, "&more=");
    await store(token, 0, damaged, "&more=");
    for (const [i, slice] of before.slices.slice(0, -1).entries()) await store(token, i, slice);
    expect(await end(token)).toEqual([
      { id: "damaged", error: expect.stringContaining("no column named unknown") },
    ]);
    expect(await env.CHAT_ROOM.getByName("damaged").history(0, "staff")).toBeNull();
    expect(await messagesOf(visitor.chatId, visitor)).not.toHaveLength(0);
  });
});

describe("writes during a restore", () => {
  it("are refused with 503, by D1 and by rooms, also after a check that has just passed", async () => {
    await emptyShop();
    const address = (name: string) => ({
      firstName: "Ann",
      lastName: "Lee",
      email: `${name}@example.com`,
      password: "a long password",
      confirmPassword: "a long password",
    });
    // Has the isolate trust its check for the next 30 s.
    await call("/api/auth/logout", { method: "POST" });
    const token = await begin(before);
    const refusals = async () => [
      await call("/api/auth/signup", { json: address("ann") }),
      await call("/api/chat/create", { json: { initialMessage: "Hello" } }),
    ];
    for (const answer of await refusals()) {
      expect([answer.status, await answer.json()]).toEqual([
        503,
        expect.objectContaining({ message: expect.stringContaining("being updated") }),
      ]);
      expect(answer.headers.get("Retry-After")).toBe("60");
    }
    for (const [i, slice] of before.slices.slice(0, -1).entries()) await store(token, i, slice);
    const message = { id: "during-the-restore", chatId: visitor.chatId, message: "Anybody?" };
    const post = () => postMessage(message.chatId, message.message, visitor, { id: message.id });
    expect((await post()).status).toBe(503);
    for (const { status } of await refusals()) expect(status).toBe(503);
    for (const statement of ["UPDATE chats SET unread_count = 9", "DELETE FROM users", "DELETE FROM chats"])
      await expect(env.DB.prepare(statement).run(), statement).rejects.toThrow("being restored");
    expect(await end(token)).toEqual([]);
    expect((await post()).status).toBe(201);
    for (const { status } of await refusals()) expect(status).toBe(201);
    for (const [name, query] of Object.entries(SALE_CHECKS))
      expect((await env.DB.prepare(query).all()).results, name).toEqual([]);
    const sums = await env.DB.prepare(
      "SELECT (SELECT count(*) FROM chats) AS chats, (SELECT max(total) FROM chat_sums WHERE name = 'begun') AS begun",
    ).first();
    expect(sums).toEqual({ chats: 3, begun: 3 });
    const triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'restore_%'";
    expect((await env.DB.prepare(triggers).all()).results).toEqual([]);
  });
});

describe("a killed process", () => {
  it("is taken over at once where the operator says so, and can't end what follows", async () => {
    const first = await (await ok(operate("POST", "backup"))).text();
    expect((await operate("POST", "backup")).status).toBe(409);
    let cursor = await (await ok(operate("POST", "backup?take-over"))).text();
    expect((await operate("POST", "backup/slice", first)).status).toBe(409);
    let slices = 0;
    for (; cursor !== "null"; slices++) {
      cursor = JSON.stringify((await readSlice(await ok(operate("POST", "backup/slice", cursor)))).next);
    }
    expect(slices).toBeGreaterThan(1);
    await emptyShop();
    const killed = await begin(before);
    expect((await operate("POST", "restore", JSON.stringify(before.manifest))).status).toBe(409);
    const token = await begin(before, "?take-over");
    const late = await operate(
      "PUT",
      `restore/slice?token=${killed}&slice=0`,
      before.slices[0] as Uint8Array<ArrayBuffer>,
    );
    expect(late.status).toBe(409);
    for (const [i, slice] of before.slices.slice(0, -1).entries()) await store(token, i, slice);
    await end(token);
  });
});

describe("a malformed upload", () => {
  it("is answered with 400", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    for (const manifest of ["", "{", "null", "[]", "{}", '{"format":1,"migrations":5}'])
      expect((await operate("POST", "restore", manifest)).status, manifest).toBe(400);
    await emptyShop();
    const token = await begin(before);
    const slice = await operate("PUT", `restore/slice?token=${token}&slice=0`, "no tar file".repeat(100));
    expect(slice.status).toBe(400);
    const part = await operate("PUT", `restore/slice?token=${token}&slice=first`, before.slices[0]);
    expect(part.status).toBe(400);
    for (const cursor of ["", "{", "null", "[]", '{"stage":"rows"}'])
      expect((await operate("POST", "backup/slice", cursor)).status, cursor).toBe(400);
    for (const mail of ["", "null", '{"to":5}'])
      expect((await operate("POST", "mail", mail)).status, mail).toBe(400);
    vi.restoreAllMocks();
  });
});
