import { openDb } from "../../app/db/client.server";
import { foldText, sortKey } from "../../app/db/text";
import { addDays, instantAt, localDay } from "../../app/domain/days";
import { insertClosing } from "../../app/features/bookkeeping/closings.queries.server";
import { storeCorrection } from "../../app/features/sales/operations/correct.server";
import { storeCredit } from "../../app/features/sales/operations/credit.server";
import { storeDeposit } from "../../app/features/sales/operations/deposits.server";
import { storeHold } from "../../app/features/sales/operations/holds.server";
import { storeQuote } from "../../app/features/sales/operations/quotes.server";
import { storeSale } from "../../app/features/sales/operations/record.server";
import { CorrectInput, CreditInput, SaleInput } from "../../app/features/sales/sale-schema";
import { HoldInput, PaymentInput, QuoteInput } from "../../app/features/sales/schema";
import { parseInput, type StaffContext } from "../../app/http/operation.server";
import { requestContext } from "../../app/http/request-context.server";
import { shopSettings, shopVars } from "../../app/http/shop-settings.server";
import chatSales from "./chat-sales.json";
import corrections from "./corrections.json";
import people from "./customers.json";
import offers from "./holds-and-quotes.json";
import counterSales from "./sales.json";

const MINUTE = 60;
const DAY = 86_400;
/** Staff member who recorded the demo's sales. */
const SELLER = "user-01";

/** Sales at the counter and in conversations, the earliest first. */
const DEMO_SALES = [...counterSales.sales, ...chatSales.sales].sort((a, b) => b.daysAgo - a.daysAgo);

/** Message that a room imports. */
interface Imported {
  id: string;
  message: string;
  isFromAdmin: boolean;
  senderName: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Builds the context of the demo's seller some time ago, in seconds. */
type Earlier = (secondsAgo: number) => StaffContext;

/**
 * Adds the demo's tax registration, customers, sales, holds, quotes with a deposit, a credit note, a correction and a closed month, by the operations of the shop. Its
 * cards join the messages that the rooms import, at the times of what they show.
 *
 * @param env local bindings; catalogue, people, chats and ledger must be seeded
 */
export async function seedSales(env: Env): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await registerForTax(env);
  await addCustomers(env, now);
  const posted = new Map<string, Imported[]>();
  const earlier = await sellerContexts(env, now, posted);
  const { timezone } = shopVars(env);
  const sales = DEMO_SALES.map(({ daysAgo, ...sale }, i) => {
    const at = now - daysAgo * DAY;
    return { sale, at: "chatId" in sale ? at : whileOpen(at, i, timezone) };
  });
  // Numbers follow the dates.
  for (const { sale, at } of sales.sort((a, b) => a.at - b.at)) await addSale(earlier(now - at), sale);
  const corrected = sales.find(({ sale }) => sale.id === corrections.correction.saleId);
  if (corrected)
    await addCorrection(earlier(now - corrected.at - corrections.correction.minutesAfter * MINUTE));
  const { daysAgo, ...credit } = corrections.credit;
  await storeCredit(earlier(daysAgo * DAY), parseInput(CreditInput, credit));
  for (const { minutesAgo, ...hold } of offers.holds)
    await storeHold(earlier(minutesAgo * MINUTE), parseInput(HoldInput, hold));
  for (const { minutesAgo, ...quote } of offers.quotes) await addQuote(earlier(minutesAgo * MINUTE), quote);
  for (const [chatId, cards] of posted) await addToImport(env, chatId, cards);
  await closeLastMonth(env, now);
}

/** Closes last month of the laser business, which went to the accountant. */
async function closeLastMonth(env: Env, now: number): Promise<void> {
  const { timezone } = shopVars(env);
  const until = addDays(`${localDay(now, timezone).slice(0, 7)}-01`, -1);
  const by = { closedBy: "Maren Okafor", closedAt: now };
  await insertClosing(openDb(env.DB, null).db, {
    ...{ id: "demo-closing-01", businessType: "LASER", until, note: "Handed to the accountant", ...by },
  });
}

/** Days on which the demo's shop is closed (SHOP_HOURS): Sunday and Monday. */
const CLOSED_DAYS = [0, 1];

/** Moves the time of a sale at the counter into the opening hours of its day, or of the last open day before it. */
function whileOpen(at: number, index: number, timezone: string): number {
  let day = localDay(at, timezone);
  while (CLOSED_DAYS.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) day = addDays(day, -1);
  return instantAt(`${day}T10:00:00`, timezone) + index * 20 * MINUTE;
}

async function registerForTax(env: Env): Promise<void> {
  const { number, name, rate } = people.tax;
  await env.DB.prepare("INSERT INTO business_settings VALUES ('EMPORIA', ?, ?, ?, 1, 1)")
    .bind(number, name, rate)
    .run();
}

async function addCustomers(env: Env, now: number): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO customers (id, name, name_key, email, email_key, phone_number, notes, user_id, last_seen, request_hash,
       created_at, updated_at, sort_key) VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, '', ?8, ?8, ?9)`,
  );
  const link = env.DB.prepare(
    `INSERT INTO chat_customers (chat_id, customer_id, linked_at)
     SELECT id, ?, last_message_at / 1000 FROM chats WHERE id = ?`,
  );
  await env.DB.batch(
    people.customers.flatMap(({ id, name, email, phone, notes, userId, chatId }, i) => {
      const at = now - (60 - i) * DAY;
      const row = insert.bind(id, name, foldText(name), email, phone, notes, userId, at, sortKey(name));
      return chatId ? [row, link.bind(id, chatId)] : [row];
    }),
  );
}

/** Prepares contexts of the demo's seller, whose chat messages are collected. */
async function sellerContexts(env: Env, now: number, posted: Map<string, Imported[]>): Promise<Earlier> {
  const request = new Request("http://localhost:8787/");
  const seeding = { ...env, COOKIE_SECRET: "unused while seeding" };
  const context = await requestContext(request, seeding, () => undefined);
  const user = await env.DB.prepare(
    "SELECT first_name AS firstName, last_name AS lastName FROM users WHERE id = ?",
  )
    .bind(SELLER)
    .first<StaffContext["user"]>();
  if (!user) throw new Error(`The demo's seller is missing: ${SELLER}`);
  const { db } = openDb(env.DB, null);
  const settings = await shopSettings({ db, env });
  return (secondsAgo) => {
    const at = (now - secondsAgo) * 1000;
    const room = (chatId: string) => ({
      post: async (message: Omit<Imported, "at">) => {
        posted.set(chatId, [...(posted.get(chatId) ?? []), { ...message, at }]);
      },
    });
    const rooms = { getByName: room } as unknown as Env["CHAT_ROOM"];
    return { ...context, env: { ...seeding, CHAT_ROOM: rooms }, db, user, settings, now: now - secondsAgo };
  };
}

type DemoSale = Omit<(typeof DEMO_SALES)[number], "daysAgo">;

async function addSale(context: StaffContext, sale: DemoSale): Promise<void> {
  await storeSale(context, parseInput(SaleInput, { ...sale, createdAt: { seconds: context.now } }));
}

async function addCorrection(context: StaffContext): Promise<void> {
  const { minutesAfter: _, ...correction } = corrections.correction;
  await storeCorrection(context, parseInput(CorrectInput, correction));
}

type DemoQuote = Omit<(typeof offers.quotes)[number], "minutesAgo">;

async function addQuote(
  context: StaffContext,
  { isAccepted, deposit, readyInDays, ...quote }: DemoQuote,
): Promise<void> {
  const readyBy = new Date((context.now + readyInDays * DAY) * 1000).toISOString().slice(0, 10);
  const { id } = await storeQuote(context, parseInput(QuoteInput, { ...quote, readyBy }));
  if (isAccepted)
    await context.db.$client.prepare("UPDATE quotes SET state = 'accepted' WHERE id = ?").bind(id).run();
  if (deposit) await storeDeposit(context, parseInput(PaymentInput, { quoteId: id, ...deposit }));
}

/** Puts cards among the messages that a room imports, and the latest one into the list of chats. */
async function addToImport({ DB }: Env, chatId: string, cards: Imported[]): Promise<void> {
  const row = await DB.prepare("SELECT content FROM chat_imports WHERE chat_id = ?")
    .bind(chatId)
    .first<{ content: string }>();
  if (!row) return;
  const content = JSON.parse(row.content) as { messages: Imported[] };
  const messages = [...content.messages, ...cards].sort((a, b) => a.at - b.at);
  const last = messages.at(-1);
  await DB.batch([
    DB.prepare("UPDATE chat_imports SET content = ? WHERE chat_id = ?").bind(
      JSON.stringify({ ...content, messages }),
      chatId,
    ),
    DB.prepare(
      `UPDATE chats SET last_message = ?2, last_message_at = ?3, last_sender = iif(?4, 'staff', 'visitor'),
         waiting_since = iif(?4, NULL, waiting_since)
       WHERE id = ?1 AND last_message_at < ?3`,
    ).bind(chatId, last?.message ?? "", last?.at ?? 0, Number(last?.isFromAdmin)),
  ]);
}
