import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "worker-under-test";
import { MAX_FILE_BYTES } from "~/features/chat/files";
import { MAX_FRAME, MAX_MESSAGE } from "~/features/chat/limits";
import { saveChatRow, searchedText } from "~/features/chat/operations/rooms.server";
import { MAX_PIXELS } from "~/features/storage/schema";
import { JOBS } from "../../workers/nightly";
import { RowCollector } from "../../workers/row-collector";
import config from "../../wrangler.toml?raw";
import { postMessage, roomUpdate, startChat } from "../support/chat";
import { type D1Most, measuredD1 } from "../support/measured-d1";
import { allSteps } from "../support/nightly";
import { manager } from "../support/people";
import { ROUTE_NAMES } from "../support/routes";
import { addProduct, call } from "../support/shop";

/** Limits of the platform, Workers Paid (docs/operations.md); decimal where its documentation leaves it open. */
const LIMITS = {
  d1: { valueBytes: 2_000_000, statementBytes: 100_000, parameters: 100, queries: 1000 },
  objectValueBytes: 2_000_000,
  objectBytes: 10_000_000_000,
  rpcBytes: 32 * 1024 * 1024,
  socketBytes: 32 * 1024 * 1024,
  isolateBytes: 128_000_000,
  imageBytes: 100_000_000,
  imagePixels: 100_000_000,
  rateLimitPeriods: [10, 60],
};
/** The local engine enforces few of them; what the code does must stay below half of each. */
const HALF = 0.5;
/** Messages of one chat that nobody has reached. */
const HALF_A_MILLION = 500_000;
const LONGEST = "🙂".repeat(MAX_MESSAGE);

const longMessage = (seq: number) => ({
  ...{ seq, id: `long-${seq}`, message: LONGEST, isFromAdmin: false, senderName: "Ines", cards: [] },
  timestamp: { seconds: 1_790_000_000 },
});

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

function expectWithinHalf(most: D1Most) {
  for (const name of ["valueBytes", "statementBytes", "parameters", "queries"] as const)
    expect(most[name], `${name} of one invocation`).toBeLessThanOrEqual(LIMITS.d1[name] * HALF);
}

/** Sends a request through the Worker and measures what it asks of D1. */
async function measuredRequest(path: string, init: RequestInit = {}): Promise<D1Most> {
  const { database, most } = measuredD1(env.DB);
  const context = createExecutionContext();
  const headers = { Authorization: `Bearer ${token}` };
  const request = new Request(`http://localhost:8787${path}`, { headers, redirect: "manual", ...init });
  const answer = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    { ...env, DB: database },
    context,
  );
  const text = await answer.text();
  await waitOnExecutionContext(context);
  expect(answer.status, `${path} ${text.slice(0, 200)}`).toBeLessThan(500);
  return most;
}

/** Sends a file of products to be stored. */
function measuredImport(content: string): Promise<D1Most> {
  const body = new FormData();
  body.append("file", new File([content], "products.csv"));
  return measuredRequest("/api/product/bulk-upload", { method: "POST", body });
}

describe("half of D1's limits is enough", () => {
  it("for a file with as many rows as one may have", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `Mug ${i},5`);
    expectWithinHalf(await measuredImport(`name,price\n${rows.join("\n")}`));
  }, 120_000);

  it("for a file whose texts are long, in characters of three bytes", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `Vase ${i},5,${"花".repeat(19_000)}`);
    expectWithinHalf(await measuredImport(`name,price,description\n${rows.join("\n")}`));
  }, 60_000);

  it("for a sale of 100 lines", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => ({
      description: `${i} ${"花".repeat(490)}`,
      quantity: 1,
      amount: 5,
    }));
    const most = await measuredRequest("/api/sale", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ paymentMode: "CARD", lines }),
    });
    expectWithinHalf(most);
  });

  it("for the rows of chats that are written together, though texts grow when they are compared", async () => {
    const { database, most } = measuredD1(env.DB);
    const collector = new RowCollector({ ...env, DB: database });
    const rows = Array.from({ length: 50 }, (_, i) => ({
      ...roomUpdate(`long-${i}`, "🙂".repeat(MAX_MESSAGE)),
      ...searchedText("ﷺ".repeat(4000)),
      messages: i > 0 ? [] : Array.from({ length: 50 }, (_, seq) => longMessage(seq)),
    }));
    for (const { row } of rows) await saveChatRow(env, roomUpdate(row.id, "Hello", 1));
    expect(await Promise.all(rows.map((row) => collector.save(row)))).toEqual(
      rows.map(() => ({ isErased: false })),
    );
    expectWithinHalf(most);
    expect(most.valueBytes).toBeGreaterThan(LIMITS.d1.valueBytes / 8);
  }, 60_000);

  it.each(Object.entries(JOBS))("for each step of the nightly job %s", async (_, job) => {
    const steps: D1Most[] = [];
    await allSteps(job, () => {
      const { database, most } = measuredD1(env.DB);
      steps.push(most);
      return { ...env, DB: database };
    });
    for (const most of steps) expectWithinHalf(most);
  });

  it.each(ROUTE_NAMES.filter((name) => name.startsWith("admin") && !name.includes("$")))(
    "for the page %s",
    async (name) => {
      const path = `/${name
        .replaceAll(/[_[\]]/g, "")
        .replaceAll(".", "/")
        .replace(/\/index$/, "")}`;
      expectWithinHalf(await measuredRequest(path));
    },
  );
});

describe("half of the limits of memory and messages is enough", () => {
  it("for what a room stores, and for the answer of a room of 5,000 of the longest messages", async () => {
    const productId = await addProduct({ name: "Lamp" });
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    await postMessage(chatId, LONGEST, { cookie }, { card: { type: "product", productId } });
    const room = env.CHAT_ROOM.getByName(chatId);
    const { longest, bytes } = await runInDurableObject(room, (_, { storage: { sql } }) => {
      for (let i = 0; i < 5000; i++)
        sql.exec(
          "INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at) VALUES (?, ?, 0, 1, 'Ines', ?)",
          `long-${i}`,
          LONGEST,
          i,
        );
      const tables = sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
        )
        .toArray();
      const values = Math.max(
        ...tables.flatMap(({ name }) =>
          [...sql.exec(`SELECT * FROM "${name}"`).raw()]
            .flat()
            .map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 8)),
        ),
      );
      return { longest: values, bytes: sql.databaseSize };
    });
    expect((bytes / 5000) * HALF_A_MILLION).toBeLessThanOrEqual(LIMITS.objectBytes * HALF);
    expect(longest).toBeGreaterThan(MAX_MESSAGE);
    expect(longest).toBeLessThanOrEqual(LIMITS.objectValueBytes * HALF);
    const answer = await call(`/api/chat/${chatId}/messages`, { token });
    const { byteLength } = await answer.arrayBuffer();
    expect(byteLength).toBeGreaterThan(400 * Buffer.byteLength(LONGEST));
    expect(byteLength).toBeLessThanOrEqual(LIMITS.rpcBytes * HALF);
    expect(MAX_FRAME).toBeLessThanOrEqual(LIMITS.socketBytes * HALF);
  });

  it("for images that are resized", () => {
    expect(MAX_FILE_BYTES).toBeLessThanOrEqual(LIMITS.imageBytes * HALF);
    expect(MAX_PIXELS).toBeLessThanOrEqual(LIMITS.imagePixels * HALF);
  });
});

it("rate limits have periods that the platform offers, and numbers of their own", () => {
  const periods = [...config.matchAll(/simple = \{ limit = \d+, period = (\d+) \}/g)].map(([, seconds]) =>
    Number(seconds),
  );
  const ids = [...config.matchAll(/namespace_id = "(\d+)"/g)].map(([, id]) => id);
  expect(periods.length).toBe(ids.length);
  expect(periods.filter((seconds) => !LIMITS.rateLimitPeriods.includes(seconds))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
