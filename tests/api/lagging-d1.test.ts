import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDb, runBatch } from "~/db/client.server";
import { shopTables } from "~/features/backup/snapshot.queries.server";
import { receiptPath } from "~/features/sales/deposit";
import { receiptLink } from "~/features/sales/receipt/access.server";
import { shopVars } from "~/http/shop-settings.server";
import { messagesOf, postMessage, startChat } from "../support/chat";
import { LaggingD1 } from "../support/lagging-d1";
import { migrate } from "../support/migrate";
import { manager } from "../support/people";
import { importFile } from "../support/product-import";
import { hold, json, sell, sendQuote, sold } from "../support/sales";
import { addProduct, addUser, call, insert, ORIGIN } from "../support/shop";

let lagging: LaggingD1;
let token: string;

/** The replica gets nothing after this but what a test replicates. */
beforeAll(async () => {
  await migrate((env as Env & { DB_REPLICA: D1Database }).DB_REPLICA);
  lagging = new LaggingD1();
  ({ token } = await manager());
});
afterAll(() => lagging.stop());

const until = () => (Math.floor(Date.now() / 1000) + 3600) * 1000;
const cardsOf = async (chatId: string, cookie: string) =>
  json<{ holds: { state: string }[]; quotes: { id: string; state: string }[] }>(
    call(`/chat/${chatId}/cards`, { cookie }),
  );

describe("a replica that lags", () => {
  it("shows an anonymous reader the shop of before, and after some writes the shop of then", async () => {
    const [first, second] = [await addProduct(), await addProduct()];
    const status = async (id: string) => (await call(`/api/product/id/${id}`)).status;
    expect([await status(first), await status(second)]).toEqual([404, 404]);
    await lagging.replicate(lagging.lag - 1);
    expect([await status(first), await status(second), lagging.lag]).toEqual([200, 404, 1]);
  });

  it("does not answer a session that is ahead of it", async () => {
    const read = async (session: D1DatabaseSession) =>
      (await session.prepare("SELECT count(*) AS n FROM products").all<{ n: number }>()).results[0]?.n;
    const writer = env.DB.withSession("first-primary");
    const [before, there] = [await read(env.DB.withSession()), await read(writer)];
    expect(there).toBe(Number(before) + 1);
    expect(await read(env.DB.withSession(writer.getBookmark() ?? ""))).toBe(there);
  });
});

describe("behind such a replica", () => {
  it("visitors read what they wrote: a chat, its messages, a favourite", async () => {
    const { chatId, cookie } = await startChat({ userName: "Ines" });
    expect((await postMessage(chatId, "Is it oak?", { cookie })).status).toBe(201);
    expect((await messagesOf(chatId, { cookie })).map(({ message }) => message)).toContain("Is it oak?");
    expect((await call(`/chat/${chatId}`, { cookie })).status).toBe(200);
    const mine = async () => JSON.stringify(await json(call("/api/chat/mine", { cookie })));
    await expect.poll(mine).toContain(chatId);
    const productId = await addProduct();
    const put = await call(`/api/favourite/${productId}`, { method: "PUT", cookie, json: {} });
    const cookies = [cookie, ...put.headers.getSetCookie().map((each) => each.split(";")[0])].join("; ");
    expect(JSON.stringify(await json(call("/api/favourite", { cookie: cookies })))).toContain(productId);
  });

  it("staff read what they wrote, and what they may do is not refused", async () => {
    const productId = await addProduct({ stock: 0 });
    const raised = await call(`/api/product/${productId}`, { method: "PUT", token, json: { stock: 1 } });
    expect(raised.status).toBe(200);
    const lines = [{ productId, quantity: 1 }];
    const { id: holdId } = await json<{ id: string }>(hold(token, { until: until(), lines }));
    const sale = { holdId, lines: [{ productId, quantity: 1, amount: 10 }] };
    const answer = await sell(token, sale);
    expect(answer.status).toBe(201);
    const [document] = (await json<{ documents: { id: string }[] }>(answer)).documents;
    expect((await call(`/admin/documents/${document?.id}`, { token })).status).toBe(200);
    expect(
      (await call(`/api/sale/${document?.id}/credit`, { token, json: { paymentMode: "CARD" } })).status,
    ).toBe(201);
  });

  it("visitors see holds and quotes at once, and decide them", async () => {
    const { chatId, cookie } = await startChat({ userName: "Bo" });
    const lines = [{ productId: await addProduct(), quantity: 1 }];
    await hold(token, { chatId, until: until(), lines });
    expect((await sendQuote(token, chatId)).status).toBe(303);
    const { holds, quotes } = await cardsOf(chatId, cookie);
    expect([holds.length, quotes.length]).toEqual([1, 1]);
    const accepted = { method: "PATCH", cookie, json: { state: "accepted" } };
    expect((await call(`/api/quote/${quotes[0]?.id}`, accepted)).status).toBe(200);
    expect((await cardsOf(chatId, cookie)).quotes[0]?.state).toBe("accepted");
  });

  it("no receipt is missing, for the visitor of the chat and by a mailed link, and a mail that was sent is sent", async () => {
    const { chatId, cookie } = await startChat({ userName: "Cleo" });
    const lines = [{ description: "Tray", businessType: "EMPORIA", quantity: 1, amount: 10 }];
    const [{ id = "" } = {}] = await sold(token, { chatId, lines });
    expect((await call(`/receipts/${id}`, { cookie })).status).toBe(200);
    expect((await call(`/receipts/${id}.pdf`, { cookie })).status).toBe(200);
    const now = Math.floor(Date.now() / 1000);
    const { url } = await receiptLink(
      { env, settings: { ...shopVars(env), url: ORIGIN }, now },
      receiptPath(id),
    );
    expect((await call(url.slice(ORIGIN.length))).status).toBe(200);
    const mailed = await call(`/api/sale/${id}/mail`, { token, json: { to: "cleo@mail.example" } });
    expect(await mailed.json()).toMatchObject({ isSent: true });
  });

  it("a reset link is valid at once", async () => {
    const mails = vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
    const { email } = await addUser();
    await lagging.replicate();
    expect((await call("/api/auth/forgot-password", { json: { email } })).status).toBe(200);
    const links = () =>
      mails.mock.calls.map(([mail]) => /reset\S+token=[\w-]+/i.exec(JSON.stringify(mail))?.[0]);
    await expect.poll(links).toHaveLength(1);
    const page = await (await call(`/${links()[0]}`)).text();
    expect(page).not.toContain("not valid");
    expect(page).toContain('name="password"');
  });

  it("a session whose write was refused reads what it was refused for", async () => {
    const [{ id, email }, other] = [await addUser(), await addUser()];
    const { db } = openDb(env.DB);
    const owners = async () =>
      (await runBatch(db, [sql`SELECT id FROM users WHERE email_key = ${email}`]))[0];
    expect(await owners()).toEqual([{ id }]);
    await lagging.replicate();
    // The address goes from one account to the other.
    await env.DB.batch([
      env.DB.prepare("UPDATE users SET email_key = 'former@mail.example' WHERE id = ?").bind(id),
      env.DB.prepare("UPDATE users SET email_key = ? WHERE id = ?").bind(email, other.id),
    ]);
    const refused = runBatch(db, [sql`UPDATE users SET email_key = ${email} WHERE id = ${id}`]);
    await expect(refused).rejects.toThrow(/UNIQUE/);
    expect(await owners()).toEqual([{ id: other.id }]);
  });

  it("a right that was withdrawn ends with the next request", async () => {
    const { id, token: former } = await manager();
    expect((await call("/api/sale", { token: former })).status).toBe(200);
    await env.DB.prepare("UPDATE users SET is_manager = 0 WHERE id = ?").bind(id).run();
    expect((await call("/api/sale", { token: former })).status).toBe(403);
    await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(id).run();
    expect((await call("/api/auth/me", { token: former })).status).toBe(401);
  });
});

it("a replica that is up to date has the primary's rows, also what D1 made by its clock and random numbers", async () => {
  const file = Array.from({ length: 20 }, (_, i) => `Tile ${i},5,${i}`).join("\n");
  await importFile(token, `name,price,stock\n${file}`);
  const webhook = {
    id: "till",
    url: "https://till.example.com/",
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  };
  await insert("webhooks", [{ ...webhook, events: '["sale.recorded"]', low_stock: 5, created_at: 1 }]);
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null));
  await sold(token, { lines: [{ productId: await addProduct(), quantity: 1, amount: 5 }] });
  const delivered = () => env.DB.prepare("SELECT state FROM webhook_deliveries").first("state");
  await expect.poll(delivered).toBe("delivered");
  const { DB_REPLICA } = env as Env & { DB_REPLICA: D1Database };
  const tables = (await shopTables(env.DB)).map(({ name }) => name);
  // A write of a room's alarm may come between the two readings.
  await expect
    .poll(async () => {
      await lagging.replicate();
      const [rows, copies] = await Promise.all([env.DB, DB_REPLICA].map((db) => rowsOf(db, tables)));
      return tables.filter((_, i) => rows?.[i] !== copies?.[i]);
    })
    .toEqual([]);
  expect(lagging.refused).toEqual([]);
});

const rowsOf = async (db: D1Database, tables: string[]) =>
  (await db.batch(tables.map((name) => db.prepare(`SELECT * FROM "${name}"`)))).map(({ results }) =>
    JSON.stringify(results),
  );
