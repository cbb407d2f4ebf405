import {
  createExecutionContext,
  reset,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import worker from "worker-under-test";
import { differences, MAX_REQUEST_BYTES, packSlice, readSlice, SLICE_BYTES } from "~/features/backup/archive";
import { MAX_MESSAGE } from "~/features/chat/limits";
import { MAX_FILE_BYTES } from "~/features/storage/files";
import { runTasks, startChat } from "../support/chat";
import { counted, countedBucket, type Held, takeSlowly } from "../support/counted-bucket";
import { type D1Most, measuredD1 } from "../support/measured-d1";
import { migrate } from "../support/migrate";
import { BACKUP_KEY, backUp, joined, manifestOf, ok, operate } from "../support/operator";
import { manager } from "../support/people";
import { expectStated } from "./stated";

/** Bytes that a slice may hold at once, of the 128 MB of an isolate. */
const HELD_BYTES = 8_000_000;
const KEY = "products/largest é.png";
const LONG_MESSAGES = 500;

type Backup = Awaited<ReturnType<typeof backUp>>;
const largest = new Uint8Array(MAX_FILE_BYTES).map((_, i) => i % 251);
const metadata = { httpMetadata: { contentType: "image/png" }, customMetadata: {} };
let before: Backup;

/** Sends a request of an operator to a Worker with other bindings. */
async function operateWith(bindings: Partial<Env>, path: string, init: RequestInit): Promise<Response> {
  const context = createExecutionContext();
  const request = new Request(`http://localhost:8787/operator/${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${BACKUP_KEY}` },
  });
  const answer = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    { ...env, ...bindings },
    context,
  );
  await waitOnExecutionContext(context);
  return answer;
}

async function begin({ manifest }: Backup): Promise<string> {
  await reset();
  await migrate();
  const begun = await ok(operate("POST", "restore", JSON.stringify(manifest)));
  return ((await begun.json()) as { token: string }).token;
}

/** Streams bytes in chunks, as a client sends them. */
function inChunks(data: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at < data.byteLength) controller.enqueue(data.slice(at, at + 65_536));
        else controller.close();
        at += 65_536;
      },
    },
    { highWaterMark: 0 },
  );
}

const isLarge = (slice: Uint8Array) => slice.byteLength > MAX_FILE_BYTES;

beforeAll(async () => {
  await manager();
  const { chatId } = await startChat({ initialMessage: "Hello" });
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
    for (let i = 0; i < LONG_MESSAGES; i++)
      storage.sql.exec(
        "INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at) VALUES (?, ?, 0, 1, 'Ines', ?)",
        `long-${i}`,
        "🙂".repeat(MAX_MESSAGE),
        i,
      );
  });
  await runTasks(chatId);
  await env.BUCKET.put(KEY, largest, { httpMetadata: metadata.httpMetadata });
  for (let i = 0; i < 5; i++) await env.BUCKET.put(`products/small ${i}.png`, largest.slice(0, 600_000));
  before = await backUp();
}, 60_000);

describe("a slice of a backup", () => {
  it("holds at most 8 MB: content, tar file, and a page of rows or chats as text", () => {
    const sizes = before.slices.filter((slice) => !isLarge(slice)).map(({ byteLength }) => byteLength);
    expect(sizes.length).toBeGreaterThan(4);
    expect(3 * Math.max(...sizes)).toBeLessThanOrEqual(HELD_BYTES);
    expect(2 * MAX_REQUEST_BYTES).toBeLessThanOrEqual(HELD_BYTES);
  });

  it("asks of D1 less than half of what it takes, the snapshot of all tables at the beginning too", async () => {
    const steps: D1Most[] = [];
    const measuredStep = async (path: string, body: unknown = null) => {
      const { database, most } = measuredD1(env.DB);
      steps.push(most);
      const init = { method: "POST", ...(body !== null && { body: JSON.stringify(body) }) };
      return operateWith({ DB: database }, path, init);
    };
    let cursor = await (await measuredStep("backup?take-over")).json<unknown>();
    while (cursor !== null) ({ next: cursor } = await readSlice(await measuredStep("backup/slice", cursor)));
    expect(steps.length).toBeGreaterThan(4);
    for (const most of steps) expectStated(most);
  });

  it("streams a large file of an earlier version without holding it in memory", async () => {
    const held: Held = { now: 0, most: 0 };
    const bindings = { BUCKET: countedBucket(env.BUCKET, held) };
    let cursor: unknown = await (await ok(operate("POST", "backup?take-over"))).json();
    const found: Uint8Array[] = [];
    while (cursor !== null) {
      held.now = 0;
      const { body, headers } = await operateWith(bindings, "backup/slice", {
        method: "POST",
        body: JSON.stringify(cursor),
      });
      const answer = body ? await takeSlowly(body, held) : null;
      const { slice, next } = await readSlice(new Response(answer, { headers }));
      if (isLarge(slice)) found.push(slice);
      cursor = next;
    }
    const data = await packSlice([{ name: `objects/${KEY}`, data: largest, meta: JSON.stringify(metadata) }]);
    expect(found.map((slice) => Buffer.compare(slice, data))).toEqual([0]);
    expect(held.most).toBeGreaterThan(0);
    expect(held.most).toBeLessThanOrEqual(SLICE_BYTES);
  });

  it("is stored by night as it is sent", async () => {
    const stub = env.NIGHTLY_BACKUP.getByName("nightly");
    await stub.start();
    const stored = async () => {
      await runDurableObjectAlarm(stub);
      return ((await (await ok(operate("GET", "backups"))).json()) as string[])[0] ?? "";
    };
    await expect.poll(stored, { timeout: 30_000 }).not.toBe("");
    const keys = (await (await ok(operate("GET", `backups?id=${await stored()}`))).json()) as string[];
    const files: Uint8Array<ArrayBuffer>[] = [];
    for (const key of keys)
      files.push(new Uint8Array(await (await ok(operate("GET", `backups/file?key=${key}`))).arrayBuffer()));
    const manifest = await manifestOf(await joined(files));
    expect(differences(before.manifest, manifest)).toEqual([]);
    expect(files.filter(isLarge)).toHaveLength(1);
  }, 60_000);
});

describe("a restore", () => {
  it("holds hardly anything of a large file, and is equal", async () => {
    const token = await begin(before);
    const held: Held = { now: 0, most: 0 };
    const bindings = { BUCKET: countedBucket(env.BUCKET, held) };
    for (const [i, slice] of before.slices.slice(0, -1).entries()) {
      held.now = 0;
      const body = isLarge(slice) ? counted(inChunks(slice), held) : slice;
      const stored = await operateWith(bindings, `restore/slice?token=${token}&slice=${i}`, {
        method: "PUT",
        body,
      });
      expect([stored.status, await stored.json()]).toEqual([200, { next: i + 1 }]);
    }
    expect(held.most).toBeGreaterThan(0);
    expect(held.most).toBeLessThanOrEqual(SLICE_BYTES);
    await ok(operate("POST", `restore/end?token=${token}`));
    const object = await env.BUCKET.get(KEY);
    expect(object?.httpMetadata).toEqual(metadata.httpMetadata);
    expect(Buffer.compare(new Uint8Array((await object?.arrayBuffer()) ?? []), largest)).toBe(0);
    expect(differences(before.manifest, (await backUp()).manifest)).toEqual([]);
  }, 60_000);

  it("stores nothing of a large file that broke off, and the whole one afterwards", async () => {
    const errors = vi.spyOn(console, "error").mockReturnValue();
    const token = await begin(before);
    const at = before.slices.findIndex(isLarge);
    const store = (i: number, slice?: Uint8Array<ArrayBuffer>) =>
      operate("PUT", `restore/slice?token=${token}&slice=${i}`, slice);
    for (let i = 0; i < at; i++) await ok(store(i, before.slices[i]));
    const whole = before.slices[at];
    for (const bytes of [100, 5_000_000])
      expect((await store(at, whole?.slice(0, bytes))).status, `${bytes} bytes`).toBe(400);
    expect(await env.BUCKET.head(KEY)).toBeNull();
    await ok(store(at, whole));
    expect((await env.BUCKET.head(KEY))?.size).toBe(MAX_FILE_BYTES);
    errors.mockRestore();
  }, 60_000);
});
