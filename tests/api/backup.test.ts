import { reset, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { differences } from "~/features/backup/archive";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { messagesOf, postMessage, runTasks, startChat } from "../support/chat";
import { PDF, pdfFile } from "../support/chat-files";
import { attached, billOf } from "../support/expense-files";
import { addEntry } from "../support/ledger";
import { migrate } from "../support/migrate";
import { backUp, ok, operate } from "../support/operator";
import { manager } from "../support/people";
import { numberFrom, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

const CHATS = 200;
/** The rooms are restored one by one, which takes a busy machine longer than a test may by default. */
const RESTORE_TIMEOUT_MS = 180_000;
const AUTO_REPLIES = {
  settings: {
    welcomeMessage: "Hello",
    offlineMessage: "",
    isOnline: true,
    autoResponseEnabled: false,
    answererName: "",
    staffShownAs: "both" as const,
    firstQuestions: {},
  },
  responses: [],
  shopName: "Emporia",
  place: { hours: "", address: "", closing: "", opens: "" },
  pickup: "",
};

interface Expense {
  files: { key: string }[];
}
type Backup = Awaited<ReturnType<typeof backUp>>;
let token: string;
let visitor: { chatId: string; cookie: string };
let before: Backup;

async function fillShop(): Promise<void> {
  ({ token } = await manager());
  const product = await addProduct({
    name: "Brass lamp",
    stock: 9,
    imageUrls: ["minio:products/lamp é.png"],
  });
  await env.BUCKET.put("products/lamp é.png", new Uint8Array([0, 1, 255]), {
    httpMetadata: { contentType: "image/png" },
  });
  await sold(token, { customerName: "Zoë", lines: [{ productId: product, quantity: 2, amount: 10 }] });
  const { id } = await addEntry("invoice", { description: "Deleted “entry”, 50\\% 'off'" }, token);
  const ink = await addEntry("expense", { description: "Ink", supplier: "Quill & Co" }, token);
  await attached(ink.id, [pdfFile("bill.pdf")], { token });
  await ok(call(`/api/invoice/${id}`, { method: "DELETE", token }));
  await env.DB.prepare(`INSERT INTO webhooks (id, url, events, low_stock, secret, created_at)
    VALUES ('till', 'https://till.example.com/', '["sale.recorded"]', 5, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 1)`).run();
  await env.DB.prepare(`INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, due_at, created_at)
    VALUES ('msg_1', 'till', 'sale.recorded', 'document', '{}', 4000000000, 1)`).run();
  visitor = await startChat({ userName: "Ines", initialMessage: "Is the lamp in stock?", isAnonymous: true });
  await ok(postMessage(visitor.chatId, "Yes", { token }, { isFromAdmin: true }));
  await ok(call(`/api/chat/${visitor.chatId}/notes`, { json: { note: "Of “brass” & more" }, token }));
  await runTasks(visitor.chatId); // Due after 3 s, they may meet the emptying of the rooms.
  for (let from = 0; from < CHATS; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => openChat(from + i)));
}

const openChat = (number: number) =>
  env.CHAT_ROOM.getByName(`chat-${number}`).open(
    {
      id: `chat-${number}`,
      userName: `Ann ${number}`,
      userEmail: "",
      userId: null,
      isAnonymous: true,
      lines: [],
    },
    { message: `Question ${number}`, cards: [] },
    AUTO_REPLIES,
  );

/** Sends all slices but the last, which holds the manifest. */
async function restore(
  { manifest, slices }: Backup,
  { from = 0, until = slices.length - 1 } = {},
): Promise<string> {
  const begun = await ok(operate("POST", "restore", JSON.stringify(manifest)));
  const { token: process, next } = (await begun.json()) as { token: string; next: number };
  expect(next).toBe(from);
  for (let slice = from; slice < until; slice++)
    await ok(operate("PUT", `restore/slice?token=${process}&slice=${slice}`, slices[slice]));
  return process;
}

async function emptyShop(): Promise<void> {
  await reset();
  await migrate();
}

beforeAll(async () => {
  await fillShop();
  before = await backUp();
}, RESTORE_TIMEOUT_MS);

describe("backup and restore", () => {
  it("contains every table with rows, all chats and files", async () => {
    const { tables, chats, objects } = before.manifest;
    expect(chats.count).toBe(CHATS + 1);
    expect(objects.count).toBe((await env.BUCKET.list()).objects.length);
    for (const name of [
      "users",
      "products",
      "invoices",
      "deleted_entries",
      "documents",
      "stock_movements",
      "chats",
    ])
      expect(tables[name]?.count, name).toBeGreaterThan(0);
  });

  it("contains the tables of a room that have rows, and none of the platform's", async () => {
    const dump = await env.CHAT_ROOM.getByName("chat-0").dump(0, 100_000);
    const tables = Object.entries(dump?.tables ?? {});
    expect(tables.map(([name]) => name)).toEqual(expect.arrayContaining(["chat", "messages"]));
    for (const [name, { rows }] of tables)
      expect([name, rows.length > 0]).toEqual([expect.stringMatching(/^[a-z]/), true]);
  });

  it("stores what was there when it began, while the shop is in use", async () => {
    const during = await backUp((slice) => addEntry("expense", { description: `Meanwhile ${slice}` }, token));
    expect(during.manifest.tables.expenses?.count).toBe(before.manifest.tables.expenses?.count);
    expect(during.manifest.tables.ledger_periods).toEqual(before.manifest.tables.ledger_periods);
    await env.DB.prepare("DELETE FROM expenses WHERE description LIKE 'Meanwhile%'").run();
  });

  it("refuses another key, a second backup and a shop with data", async () => {
    expect((await operate("POST", "backup", undefined, "x".repeat(40))).status).toBe(404);
    expect((await operate("GET", "nothing")).status).toBe(404);
    await ok(operate("POST", "backup"));
    expect((await operate("POST", "backup")).status).toBe(409);
    await env.DB.prepare("UPDATE backups SET active_at = 0").run();
    const refused = await operate("POST", "restore", JSON.stringify(before.manifest));
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("The shop is not empty");
  });

  it(
    "restores every row, chat and file, after an interruption too",
    async () => {
      await emptyShop();
      const first = await restore(before, { until: 1 });
      // A write would miss its triggers. The check is repeated after a while; a new isolate checks at once.
      expect((await call("/readyz")).status).toBe(503);
      const second = await operate("POST", "restore", JSON.stringify(before.manifest));
      expect(second.status, "another process, at the same time").toBe(409);
      expect(await second.text()).toContain("Another restore is under way");
      const early = await operate("PUT", `restore/slice?token=${first}&slice=2`, before.slices[2]);
      expect([early.status, await early.text()]).toEqual([
        409,
        expect.stringContaining("Slice 1 is expected next."),
      ]);
      const ended = await operate("POST", `restore/end?token=${first}`);
      const missing = `Slices are missing: 1 of ${before.manifest.slices.length} are stored.`;
      expect([ended.status, await ended.text()]).toEqual([409, expect.stringContaining(missing)]);
      await env.DB.prepare("UPDATE restores SET active_at = 0").run();
      const process = await restore(before, { from: 1 });
      const late = await operate("PUT", `restore/slice?token=${first}&slice=2`, before.slices[2]);
      expect(late.status, "the process that was given up").toBe(409);
      await ok(operate("POST", `restore/end?token=${process}`));
      expect(differences(before.manifest, (await backUp()).manifest)).toEqual([]);
    },
    RESTORE_TIMEOUT_MS,
  );

  it(
    "leaves a shop that works as before",
    async () => {
      expect((await call("/readyz")).status).toBe(200);
      const messages = (await messagesOf(visitor.chatId, visitor)).map(({ message }) => message);
      expect(messages).toEqual(expect.arrayContaining(["Is the lamp in stock?", "Yes"]));
      const found = async (path: string) =>
        ((await (await call(path, { token })).json()) as unknown[]).length;
      expect(await found("/api/product/all?search=lamp")).toBe(1);
      expect(await found("/api/chat?q=Ann%20199")).toBe(1);
      expect(await found("/api/sale?q=zo")).toBe(1);
      expect(await found("/api/expense/all?q=ink")).toBe(1);
      const [ink] = (await (await call("/api/expense/all?q=quill", { token })).json()) as Expense[];
      const bill = await billOf(ink?.files[0]?.key ?? "", { token });
      expect(new Uint8Array(await bill.arrayBuffer())).toEqual(PDF);
      const image = await env.BUCKET.get("products/lamp é.png");
      expect([image?.httpMetadata?.contentType, (await image?.arrayBuffer())?.byteLength]).toEqual([
        "image/png",
        3,
      ]);
      const sums = "SELECT sum(entries) AS n FROM ledger_periods WHERE unit = 'all'";
      const entries = await numberFrom(sums);
      await addEntry("expense", { description: "After the restore" }, token);
      expect(await numberFrom(sums)).toBe(entries + 1);
      const [sale] = await sold(token, { lines: [{ description: "Next number", quantity: 1, amount: 1 }] });
      expect(sale?.number).toMatch(/2$/);
      await sold(token, {
        chatId: visitor.chatId,
        lines: [{ description: "Shade", quantity: 1, amount: 1 }],
      });
      await ok(call("/api/chat/chat-0", { method: "DELETE", token }));
      for (const [name, query] of Object.entries(SALE_CHECKS))
        expect((await env.DB.prepare(query).all()).results, name).toEqual([]);
      expect(await numberFrom("SELECT max(total) AS n FROM chat_sums WHERE name = 'begun'")).toBe(CHATS);
    },
    RESTORE_TIMEOUT_MS,
  );

  it("leaves waiting webhooks to the shop that the backup is of, for an hour", async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null));
    await env.DB.exec("UPDATE webhook_deliveries SET due_at = 1");
    const room = env.ADMIN_ROOM.getByName("admin");
    const deliver = async () => {
      await room.deliverWebhooks();
      await runDurableObjectAlarm(room);
      return env.DB.prepare("SELECT state FROM webhook_deliveries WHERE id = 'msg_1'").first("state");
    };
    expect(await deliver()).toBe("waiting");
    expect(fetched).not.toHaveBeenCalled();
    await room.pauseDeliveries(0);
    // Its alarm may be running by itself already.
    await expect.poll(deliver).toBe("delivered");
    fetched.mockRestore();
  });

  it("tells a second restore from a failure of D1", async () => {
    await emptyShop();
    const begin = () => operate("POST", "restore", JSON.stringify(before.manifest));
    await env.DB.exec(
      "CREATE TRIGGER full BEFORE INSERT ON restores BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
    );
    const errors = vi.spyOn(console, "error").mockReturnValue();
    const failed = await begin();
    expect([failed.status, await failed.json()]).toEqual([
      500,
      { message: expect.stringContaining("disk is full"), reference: expect.any(String) },
    ]);
    errors.mockClear();
    await env.DB.exec("DROP TRIGGER full");
    const both = await Promise.all([begin(), begin()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it("refuses archives of newer and older versions", async () => {
    await emptyShop();
    const begin = async (change: object) => {
      const answer = await operate("POST", "restore", JSON.stringify({ ...before.manifest, ...change }));
      return [answer.status, ((await answer.json()) as { message: string }).message] as const;
    };
    expect(await begin({ format: 2 })).toEqual([409, "The archive has format 2; this shop reads up to 1."]);
    const { migrations } = before.manifest;
    expect(await begin({ migrations: [...migrations, "9999_later.sql"] })).toEqual([
      409,
      expect.stringContaining("9999_later.sql"),
    ]);
    expect(await begin({ migrations: migrations.slice(0, -1) })).toEqual([
      409,
      expect.stringContaining("older version"),
    ]);
  });
});
