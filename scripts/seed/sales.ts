import { openDb } from "../../app/db/client.server";
import { storeCredit } from "../../app/features/sales/credit.server";
import { storeHold } from "../../app/features/sales/holds.server";
import { storeQuote } from "../../app/features/sales/quotes.server";
import { storeSale } from "../../app/features/sales/record.server";
import { CreditInput, HoldInput, QuoteInput, SaleInput } from "../../app/features/sales/schema";
import { parseInput, type StaffContext } from "../../app/http/operation.server";
import { requestContext } from "../../app/http/request-context.server";
import demo from "./sales.json";

const DAY = 86_400;
/** Milliseconds between two cards. */
const CARD_PACE = 20_000;
/** Staff member who recorded the demo's sales. */
const SELLER = "user-01";

type CardMessage = { id: string; message: string; isFromAdmin: boolean; senderName: string };

/**
 * Adds the demo's tax registration, customers, sales, holds, quotes and a credit note, by the operations of the shop. Its
 * cards join the messages that the rooms import.
 *
 * @param env local bindings; catalogue, people, chats and ledger must be seeded
 */
export async function seedSales(env: Env): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await registerForTax(env);
  await addCustomers(env, now);
  const posted = new Map<string, CardMessage[]>();
  const context = await staffContext(env, posted);
  for (const sale of demo.sales) await addSale({ ...context, now: now - sale.daysAgo * DAY }, sale);
  await addCredit(context);
  for (const hold of demo.holds) await storeHold(context, parseInput(HoldInput, hold));
  await addQuotes(context, now);
  await addToImports(env, posted);
}

async function registerForTax(env: Env): Promise<void> {
  const { number, name, rate } = demo.tax;
  await env.DB.prepare("INSERT INTO business_settings VALUES ('EMPORIA', ?, ?, ?, 1, 1)")
    .bind(number, name, rate)
    .run();
}

async function addCustomers(env: Env, now: number): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO customers (id, name, name_key, email, email_key, phone_number, notes, user_id, last_seen, request_hash,
       created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, '', ?8, ?8)`,
  );
  const link = env.DB.prepare(
    "INSERT INTO chat_customers (chat_id, customer_id, linked_at) VALUES (?, ?, ?)",
  );
  await env.DB.batch(
    demo.customers.flatMap(({ id, name, email, phone, notes, userId, chatId }, i) => {
      const at = now - (60 - i) * DAY;
      const row = insert.bind(id, name, name.toLowerCase(), email, phone, notes, userId, at);
      return chatId ? [row, link.bind(chatId, id, at)] : [row];
    }),
  );
}

/** Builds the context of a member of staff whose chat messages are collected. */
async function staffContext(env: Env, posted: Map<string, CardMessage[]>): Promise<StaffContext> {
  const room = (chatId: string) => ({
    post: async (message: CardMessage) => {
      posted.set(chatId, [...(posted.get(chatId) ?? []), message]);
    },
  });
  const rooms = { getByName: room } as unknown as Env["CHAT_ROOM"];
  const request = new Request("http://localhost:8787/");
  const seeding = { ...env, COOKIE_SECRET: "unused while seeding", CHAT_ROOM: rooms };
  const context = await requestContext(request, seeding, () => undefined);
  const user = await env.DB.prepare(
    "SELECT first_name AS firstName, last_name AS lastName FROM users WHERE id = ?",
  )
    .bind(SELLER)
    .first<StaffContext["user"]>();
  if (!user) throw new Error(`The demo's seller is missing: ${SELLER}`);
  return { ...context, db: openDb(env.DB, null).db, user };
}

type DemoSale = (typeof demo.sales)[number];

async function addSale(context: StaffContext, { daysAgo, ...sale }: DemoSale): Promise<void> {
  const createdAt = { seconds: context.now };
  await storeSale(context, parseInput(SaleInput, { ...sale, createdAt }));
}

async function addCredit(context: StaffContext): Promise<void> {
  await storeCredit(context, parseInput(CreditInput, demo.credit));
}

async function addQuotes(context: StaffContext, now: number): Promise<void> {
  for (const { isAccepted, readyInDays, ...quote } of demo.quotes) {
    const readyBy = new Date((now + readyInDays * DAY) * 1000).toISOString().slice(0, 10);
    const { id } = await storeQuote(context, parseInput(QuoteInput, { ...quote, readyBy }));
    if (isAccepted)
      await context.db.$client.prepare("UPDATE quotes SET state = 'accepted' WHERE id = ?").bind(id).run();
  }
}

/** Puts the collected cards before the last message of the chats that the rooms import. */
async function addToImports(env: Env, posted: Map<string, CardMessage[]>): Promise<void> {
  const find = env.DB.prepare("SELECT content FROM chat_imports WHERE chat_id = ?");
  const save = env.DB.prepare("UPDATE chat_imports SET content = ? WHERE chat_id = ?");
  for (const [chatId, cards] of posted) {
    const row = await find.bind(chatId).first<{ content: string }>();
    if (!row) continue;
    const content = JSON.parse(row.content) as { messages: { at: number }[] };
    const last = content.messages.pop();
    if (!last) continue;
    const added = cards.map((card, i) => ({ ...card, at: last.at - (cards.length - i) * CARD_PACE }));
    const messages = [...content.messages, ...added, last];
    await save.bind(JSON.stringify({ ...content, messages }), chatId).run();
  }
}
