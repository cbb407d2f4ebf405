import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import recorded from "../../../bench/measured-actions.json";
import journal from "../../../migrations/meta/_journal.json";
import { IMAGES } from "../../fixtures/images";
import { postMessage, startChat } from "../../support/chat";
import { admin } from "../../support/people";
import { sold } from "../../support/sales";
import { addProduct, addUser, call, signIn, storeImages } from "../../support/shop";

// Measures what each action of docs/costs.md uses, in all objects of the shop. `npm run cost -- --measure` stores it.

/** Use of the platform by one action. */
type Cost = Record<(typeof COUNTERS)[number], number>;
const COUNTERS = [
  "requests",
  "rowsRead",
  "rowsWritten",
  "queries",
  "objectRequests",
  "objectRowsWritten",
  "objectsRead",
  "objectsWritten",
  "images",
  "bytes",
] as const;

const none = (): Cost => Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Cost;
let total = none();
let size = 0;
let lastActivity = 0;

type AnyMethod = (...args: never[]) => unknown;
/** Counts the calls of a platform's class, with what they return. */
function count(prototype: object, method: string, counted: (result: unknown) => void): void {
  const target = prototype as Record<string, AnyMethod>;
  const original = target[method];
  if (!original) throw new Error(`There is no ${method}.`);
  vi.spyOn(target, method).mockImplementation(function (this: unknown, ...args: never[]) {
    lastActivity++;
    const result = original.apply(this, args);
    counted(result);
    return result;
  });
}
const prototypeOf = (value: object) => Object.getPrototypeOf(value) as object;

function countDatabase(): void {
  count(prototypeOf(env.DB.withSession()), "batch", (results) => {
    void (results as Promise<D1Result[]>).then((all) => {
      for (const { meta } of all) {
        total.queries++;
        total.rowsRead += meta.rows_read;
        total.rowsWritten += meta.rows_written;
        size = meta.size_after;
      }
    });
  });
}

async function countStorage(): Promise<void> {
  const room = env.CHAT_ROOM.getByName("measured");
  const sql = await runInDurableObject(room, (_, { storage }) => prototypeOf(storage.sql));
  count(sql, "exec", (cursor) => {
    total.objectRowsWritten += (cursor as { rowsWritten: number }).rowsWritten;
  });
  for (const method of ["get", "head"]) count(prototypeOf(env.BUCKET), method, () => total.objectsRead++);
  for (const method of ["put", "list", "delete"])
    count(prototypeOf(env.BUCKET), method, () => total.objectsWritten++);
  count(prototypeOf(env.IMAGES), "input", () => total.images++);
  count(prototypeOf(env.CHAT_ROOM), "getByName", () => total.objectRequests++);
}

/** Waits until nothing has happened for a while: rooms work after the response. */
async function settled(): Promise<void> {
  for (let before = -1; before !== lastActivity; ) {
    before = lastActivity;
    await scheduler.wait(150);
  }
}

const PRODUCTS = 200;
const WOODS = ["Oak", "Walnut", "Beech", "Ash", "Slate", "Marble", "Birch", "Cork", "Brass", "Linen"];
const TIMES = 8;
/** Rows of the check of the schema, which one write does every 30 s: it reads the applied migrations. */
const SCHEMA_CHECK_ROWS = journal.entries.length + 1;
const SCHEMA_CHECK_MS = 30_000;
const measured: Record<string, Cost> = {};
/** Share of an action in the checks of the schema, in rows: a slow machine does several meanwhile. */
const checkRows: Record<string, number> = {};

async function measure(name: string, act: (nth: number) => Promise<unknown>): Promise<void> {
  await settled();
  total = none();
  const before = size;
  const started = Date.now();
  for (let nth = 0; nth < TIMES; nth++) {
    const answer = await act(nth);
    if (answer instanceof Response && answer.status >= 400)
      throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    total.requests++;
  }
  await settled();
  total.bytes = Math.max(0, size - before);
  const checks = 1 + Math.floor((Date.now() - started) / SCHEMA_CHECK_MS);
  checkRows[name] = (checks * SCHEMA_CHECK_ROWS) / TIMES;
  measured[name] = Object.fromEntries(
    COUNTERS.map((counter) => [counter, Math.round((total[counter] / TIMES) * 10) / 10]),
  ) as Cost;
}

let token: string;
let ids: string[];

beforeAll(async () => {
  ({ token } = await admin());
  ids = [];
  for (let i = 0; i < PRODUCTS; i++)
    ids.push(
      await addProduct({ name: `${WOODS[i % 10]} tray number ${i}`, stock: 50, category: "HOME_DECOR" }),
    );
  // Without this, the first write would purge the pages of all.
  await env.DB.prepare("DELETE FROM page_changes").run();
  await storeImages(...ids.slice(0, TIMES).map((id) => `products/${id}.jpg`));
  countDatabase();
  await countStorage();
  await call("/shop");
});
afterAll(() => {
  vi.restoreAllMocks();
});

const seen = "emporia_seen=1";
const product = (nth: number) => ids[nth] ?? "";

describe("the cost of an action", () => {
  it("is as docs/costs.md computes with", async () => {
    measured.pageFromCache = { ...none(), requests: 1 };
    await measure("home", () => call("/", { cookie: seen }));
    await measure("shop", () => call("/shop", { cookie: seen }));
    await measure("product", (nth) => call(`/products/${product(nth)}`, { cookie: seen }));
    await measure("search", () => call("/shop?search=oak+tray", { cookie: seen }));
    await measure("suggest", () => call("/api/product/suggest?q=oak"));
    await measure("picture", (nth) => call(`/api/storage/object?key=products/${product(nth)}.jpg`));
    const person = await addUser();
    await measure("signIn", () => signIn(person.email, person.password));
    const cart = (nth: number) => new URLSearchParams({ intent: "add", id: product(nth) });
    await measure("addToCart", (nth) => call("/cart", { body: cart(nth), cookie: seen }));
    await measure("startChat", () => startChat({ initialMessage: "Is it oak?" }));
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    // One after the other, as people write: rows of messages that come at once are written together.
    const said = (...message: Parameters<typeof postMessage>) => postMessage(...message).finally(settled);
    await measure("visitorMessage", (nth) => said(chatId, `Question ${nth}`, { cookie }));
    const asStaff = { isFromAdmin: true };
    await measure("staffMessage", (nth) => said(chatId, `Answer ${nth}`, { token }, asStaff));
    await measure("recordSale", (nth) =>
      sold(token, { lines: [{ productId: product(nth), quantity: 1, amount: 30 }] }),
    );
    await measure("dashboard", () => call("/admin", { token }));
    await measure("console", () => call("/admin/chat", { token }));
    await measure("saveProduct", (nth) =>
      call(`/api/product/${product(nth)}`, { method: "PUT", token, json: { price: 20 + nth } }),
    );
    await measure("setStock", (nth) =>
      call(`/api/product/${product(nth)}`, { method: "PUT", token, json: { stock: 30 } }),
    );
    await measure("uploadPicture", async (nth) => {
      const body = new FormData();
      body.append(
        "files",
        new File([Buffer.from(IMAGES.wideJpeg, "base64")], "tray.jpg", { type: "image/jpeg" }),
      );
      body.append("productId", product(nth));
      return call("/api/storage/upload", { body, token });
    });
    console.info(`MEASURED ${JSON.stringify(measured)}`);
    expect(Object.keys(measured)).toEqual(Object.keys(recorded));
    for (const [action, costs] of Object.entries(recorded) as [string, Cost][])
      for (const counter of COUNTERS.filter((name) => name !== "bytes"))
        expect(measured[action]?.[counter], `${action}: ${counter}`).toBeLessThanOrEqual(
          costs[counter] * 1.3 + 3 + (counter === "rowsRead" ? (checkRows[action] ?? 0) : 0),
        );
  });
});
