import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "worker-under-test";
import { MAX_DESCRIPTION_LENGTH } from "~/features/catalogue/product";
import { MAX_FRAME, MAX_MESSAGE } from "~/features/chat/limits";
import { saveChatRow, searchedText } from "~/features/chat/operations/rooms.server";
import { BATCH_BYTES, MAX_BATCHES, MAX_ROWS, TEXTS_TOO_LONG } from "~/features/product-import/sheet";
import { MAX_DESCRIPTION, MAX_LINES } from "~/features/sales/document";
import { MAX_FILE_BYTES, MAX_FILES } from "~/features/storage/files";
import { MAX_PIXELS } from "~/features/storage/schema";
import guide from "../../docs/operations.md?raw";
import { RowCollector } from "../../workers/row-collector";
import config from "../../wrangler.toml?raw";
import { postMessage, roomUpdate, startChat } from "../support/chat";
import { pdfFile, postFiles } from "../support/chat-files";
import { connect } from "../support/live";
import { type D1Most, measuredD1 } from "../support/measured-d1";
import { admin } from "../support/people";
import { ROUTE_NAMES } from "../support/routes";
import { addProduct, call } from "../support/shop";
import { expectStated, HALF, LIMITS, STATED } from "./stated";

/** Messages of one chat that nobody has reached. */
const HALF_A_MILLION = 500_000;
const LONGEST = "🙂".repeat(MAX_MESSAGE);

const longMessage = (seq: number) => ({
  ...{ seq, id: `long-${seq}`, message: LONGEST, isFromAdmin: false, senderName: "Ines", cards: [] },
  timestamp: { seconds: 1_790_000_000 },
});

/** Pages that need an id or a query, and one that takes forms alone. */
const OTHER_PAGES = /\$|personal-data|plan$/;
/** Addresses of one route that need neither. */
const FORMS = ["/admin/sales/new", "/admin/sales/hold", "/admin/sales/drawer"];
const ADMIN_PAGES = ROUTE_NAMES.filter((name) => name.startsWith("admin") && !OTHER_PAGES.test(name)).map(
  (name) =>
    `/${name
      .replaceAll(/[_[\]]/g, "")
      .replaceAll(".", "/")
      .replace(/\/index$/, "")}`,
);

let token: string;
beforeAll(async () => {
  ({ token } = await admin());
});

/** Sends a request through the Worker and measures what it asks of D1. */
async function measuredRequest(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string; most: D1Most }> {
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
  return { status: answer.status, text, most };
}

/** Sends a file of products to be stored. */
function measuredImport(content: string) {
  const body = new FormData();
  body.append("file", new File([content], "products.csv"));
  return measuredRequest("/api/product/bulk-upload", { method: "POST", body });
}

describe("half of D1's limits is enough", () => {
  it("for a file with as many rows as one may have, each with a key of another system", async () => {
    const rows = Array.from({ length: MAX_ROWS }, (_, i) => `${i},Mug ${i},5`);
    const { text, most } = await measuredImport(`id,name,price\n${rows.join("\n")}`);
    expect(JSON.parse(text)).toMatchObject({ created: MAX_ROWS });
    expectStated(most);
  }, 120_000);

  it("for variants of a product each, with units of their own prices, codes and pictures", async () => {
    const heads =
      "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Image Src,Variant Image";
    const rows = (sku: string) =>
      Array.from({ length: 10_000 }, (_, i) => {
        const [product, variant] = [Math.floor(i / 20), i % 20];
        const first = variant === 0 ? `Ring ${product},Size` : ",";
        const picture = `https://cdn.example/${product}.jpg`;
        return `ring-${product},${first},${variant},${sku}-${i},${i % 7},${10 + (i % 3)}.00,${variant === 0 ? picture : ""},${picture}`;
      });
    const file = (sku: string) => `${heads}\n${rows(sku).join("\n")}`;
    const { text, most } = await measuredImport(file("R"));
    expect(JSON.parse(text)).toMatchObject({ created: 500, errors: 0 });
    expectStated(most);
    // A file may have ten times as many rows of variants.
    expect(most.queries).toBeLessThan(STATED.queries / 5);
    const changed = await measuredImport(file("S"));
    const { runId, ...counts } = JSON.parse(changed.text);
    expect(counts).toMatchObject({ updated: 500, errors: 0 });
    expectStated(changed.most);
    expect(changed.most.queries).toBeLessThan(STATED.queries / 5);
    const undone = await measuredRequest(`/api/product/bulk-upload/${runId}/undo`, { method: "POST" });
    expect(JSON.parse(undone.text)).toMatchObject({ updated: 500, partial: 0, stayed: 0 });
    expectStated(undone.most);
  }, 120_000);

  it("for a file with as long texts as one may have, and refuses longer ones in time", async () => {
    // Two of them do not fit into a transaction: their search form is 18 times as long.
    const row = (_: unknown, i: number) => `vase-${i},Vase ${i},5,${"ﷺ".repeat(12_500)}`;
    const file = (length: number) => `id,name,price,description\n${Array.from({ length }, row).join("\n")}`;
    const { text, most } = await measuredImport(file(MAX_BATCHES));
    expect(JSON.parse(text)).toMatchObject({ created: MAX_BATCHES });
    expectStated(most);
    expect(most.queries).toBeGreaterThan(7 * MAX_BATCHES);
    const refused = await measuredImport(file(MAX_BATCHES + 1));
    expect(JSON.parse(refused.text)).toMatchObject({ message: TEXTS_TOO_LONG });
    expect(refused.most.queries).toBeLessThan(20);
  }, 120_000);

  it("for the longest description, whose search form is 18 times as long", async () => {
    const { text, most } = await measuredImport(
      `name,price,description\nVase,5,${"ﷺ".repeat(MAX_DESCRIPTION_LENGTH)}`,
    );
    expect(JSON.parse(text)).toMatchObject({ created: 1 });
    expectStated(most);
    expect(most.valueBytes).toBeGreaterThan(BATCH_BYTES / 2);
  });

  it(`for a sale of ${MAX_LINES} lines`, async () => {
    const products = Array.from({ length: MAX_LINES }, () => addProduct());
    const lines = (await Promise.all(products)).map((productId) => ({
      ...{ productId, description: "x".repeat(MAX_DESCRIPTION), quantity: 1, amount: 5 },
    }));
    const { text, most } = await measuredRequest("/api/sale", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ paymentMode: "CARD", lines }),
    });
    expect(JSON.parse(text)).toMatchObject({ documents: [{ lines: { length: MAX_LINES } }] });
    expectStated(most);
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
      rows.map(() => ({ isErased: false, userEmail: "" })),
    );
    expectStated(most);
    expect(most.valueBytes).toBeGreaterThan(LIMITS.d1.valueBytes / 8);
  }, 60_000);

  it.each([...ADMIN_PAGES, ...FORMS])("for the page %s", async (path) => {
    const { status, most } = await measuredRequest(path);
    expect(status).toBe(200);
    expectStated(most);
  });
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
    expect(bytes / 5000).toBeLessThanOrEqual(STATED.storedMessageBytes);
    expect(longest).toBeGreaterThan(MAX_MESSAGE);
    expect(longest).toBeLessThanOrEqual(STATED.messageBytes);
    const answer = await call(`/api/chat/${chatId}/messages`, { token });
    const { byteLength } = await answer.arrayBuffer();
    expect(byteLength).toBeGreaterThan(400 * Buffer.byteLength(LONGEST));
    expect(byteLength).toBeLessThanOrEqual(STATED.roomAnswerBytes);
  });

  it("for frames to live connections: a message with its files, and the row of its chat", async () => {
    const { chatId, cookie } = await startChat({ userName: "🙂".repeat(20), initialMessage: "Hello" });
    const [visitor, seller] = [
      await connect(`?chat=${chatId}&after=0`, { Cookie: cookie }),
      await connect("?room=admin", { Authorization: `Bearer ${token}` }),
    ];
    const files = Array.from({ length: MAX_FILES }, (_, i) => pdfFile(`${"ü".repeat(90)}${i}.pdf`));
    expect((await postFiles({ chatId, cookie }, files, { message: LONGEST })).status).toBe(201);
    for (const { frames, waitForFrame } of [visitor, seller]) {
      await waitForFrame((frame) => frame.includes(LONGEST) && frame.includes(".pdf"));
      const longest = Math.max(...frames.map((frame) => Buffer.byteLength(frame)));
      expect(longest).toBeGreaterThan(Buffer.byteLength(LONGEST));
      expect(longest).toBeLessThanOrEqual(STATED.frameBytes);
    }
    expect(MAX_FRAME).toBeLessThanOrEqual(STATED.frameBytes);
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

it("docs/operations.md says what is measured", () => {
  const section = guide.split("## Limits of the platform")[1]?.split("\n## ")[0] ?? "";
  const kilo = (bytes: number) => `${bytes / 1000} kB`;
  const mega = (bytes: number) => `${bytes / 1_000_000} MB`;
  const { valueBytes, parameters, statementBytes, queries } = STATED;
  for (const [row, ...figures] of [
    ["D1, bytes of one bound value: 2 MB", mega(valueBytes)],
    ["D1, bound parameters of a statement: 100", `${parameters}; ${kilo(statementBytes)}`],
    [
      "D1, queries of an invocation: 1,000",
      `${queries}: an import stores at most ${MAX_BATCHES} batches`,
      `${BATCH_BYTES / 1_000_000} MB`,
    ],
    ["Durable Object, bytes of one value: 2 MB", kilo(STATED.messageBytes)],
    ["Answer of a room: 32 MiB", mega(STATED.roomAnswerBytes)],
    ["Frame of a live connection: 32 MiB", `${STATED.frameBytes / 1024} kB`],
    ["Subrequests of an invocation: 10,000", String(STATED.nightSubrequests)],
    ["Storage of an object: 10 GB", kilo(STATED.storedMessageBytes)],
    [
      "Image: 100 MB and 100 megapixels",
      `${MAX_FILE_BYTES / 1024 ** 2} MB and ${MAX_PIXELS / 1_000_000} megapixels`,
    ],
  ] as const)
    for (const figure of figures)
      expect(section.split("\n").find((line) => line.startsWith(`| ${row}`))).toContain(figure);
});

it("all that is stated is within half of the platform's limits", () => {
  for (const name of ["valueBytes", "statementBytes", "parameters", "queries"] as const)
    expect(STATED[name]).toBeLessThanOrEqual(LIMITS.d1[name] * HALF);
  expect(STATED.nightSubrequests).toBeLessThanOrEqual(LIMITS.subrequests * HALF);
  expect(STATED.messageBytes).toBeLessThanOrEqual(LIMITS.objectValueBytes * HALF);
  expect(STATED.storedMessageBytes * HALF_A_MILLION).toBeLessThanOrEqual(LIMITS.objectBytes * HALF);
  expect(STATED.roomAnswerBytes).toBeLessThanOrEqual(LIMITS.rpcBytes * HALF);
  expect(STATED.frameBytes).toBeLessThanOrEqual(LIMITS.socketBytes * HALF);
});
