import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { FIRST_DAY } from "~/domain/calendar-day";
import { BUSINESSES, type Business } from "~/domain/enums";
import { findHeldDeposits } from "~/features/bookkeeping/queries.server";
import { startChat } from "../support/chat";
import { manager } from "../support/people";
import { credit, json, type SaleAnswer, sold, violations } from "../support/sales";
import { addProduct, call } from "../support/shop";

const QUOTES = 45;
/** Quotes that are open at the same time. */
const AT_ONCE = 3;
const DAYS = ["2025-12-31", "2026-01-01", "2026-01-31", "2026-03-02", "2026-03-31"];
/** Day of acts that have no date of their own: after all of DAYS. */
const TODAY = "today";
const products = {} as Record<Business, string>;
let token: string;
let chatId: string;

beforeAll(async () => {
  ({ token } = await manager());
  ({ chatId } = await startChat({}));
  products.EMPORIA = await addProduct({ stock: 100_000, category: "HOME_DECOR" });
  products.LASER = await addProduct({ stock: 100_000, category: "ENGRAVING" });
});

const mode = fc.constantFrom("CASH", "CARD", "EMT");
const day = fc.constantFrom(...DAYS);
const cents = fc.integer({ min: 100, max: 9_999 });
const plan = fc.record({
  cents: fc.record({ EMPORIA: cents, LASER: cents }),
  /** Deposits in hundredths of the quote; negative ones are paid back. */
  deposits: fc.array(fc.record({ mode, day, hundredths: fc.integer({ min: -40, max: 60 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  end: fc.constantFrom("sold", "sold", "sold", "paidBack", "kept"),
  /** Businesses of the lines that are sold. */
  sold: fc.constantFrom<Business[]>(["EMPORIA", "LASER"], ["EMPORIA"], ["LASER"]),
  payment: mode,
  day,
  after: fc.constantFrom("credit", "correct", "nothing"),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

interface Quote extends Plan {
  id: string;
  totalCents: number;
}
interface Held {
  business: Business;
  cents: number;
}

/** Deposits of each open quote. */
const open = new Map<string, Held>();
/** Changes of what is held. */
const changes: (Held & { day: string })[] = [];

const sumOf = (rows: Held[], own: Business) =>
  rows.reduce((sum, row) => sum + (row.business === own ? row.cents : 0), 0);
const byBusiness = (rows: Held[]) =>
  Object.fromEntries(BUSINESSES.map((business) => [business, sumOf(rows, business)]));

async function storedSums(until: string | null) {
  const held = await findHeldDeposits(openDb(env.DB).db, until ? { from: FIRST_DAY, to: until } : null);
  return Object.fromEntries(
    BUSINESSES.map((business) => [business, held[business].heldCents - held[business].laterCents]),
  );
}

/** Compares the sums with the deposits of open quotes now, and with the changes up to each day. */
async function expectHeld(): Promise<void> {
  expect(await storedSums(null)).toEqual(byBusiness([...open.values()]));
  for (const until of DAYS)
    expect(await storedSums(until), until).toEqual(byBusiness(changes.filter((each) => each.day <= until)));
}

const lineOf = (business: Business, amountCents: number) => ({
  productId: products[business],
  description: business,
  quantity: 1,
  amount: amountCents / 100,
});

async function sendQuote(each: Plan): Promise<Quote> {
  const lines = BUSINESSES.map((business) => lineOf(business, each.cents[business]));
  const { id } = await json<{ id: string }>(
    call("/api/quote", { token, json: { chatId, title: "Both", lines } }),
  );
  return { ...each, id, totalCents: each.cents.EMPORIA + each.cents.LASER };
}

/** Takes a deposit, or pays one back; one above the total, below 0 or without coins is refused. */
async function deposit(quote: Quote, each: Plan["deposits"][number]): Promise<void> {
  const part = Math.trunc((quote.totalCents * each.hundredths) / 100);
  const amountCents = each.mode === "CASH" ? part - (part % 5) : part;
  if (amountCents === 0) return;
  const input = { mode: each.mode, amount: amountCents / 100, accept: true, createdAt: each.day };
  const answer = await call(`/api/quote/${quote.id}/payment`, { token, json: input });
  if (answer.status === 409) return;
  expect(answer.status, await answer.clone().text()).toBe(201);
  const { number } = await json<{ number: string }>(answer);
  const before = open.get(quote.id);
  const business = number.startsWith("ED") ? "EMPORIA" : "LASER";
  expect(before?.business ?? business).toBe(business);
  open.set(quote.id, { business, cents: (before?.cents ?? 0) + amountCents });
  changes.push({ business, cents: amountCents, day: each.day });
}

/** Sells a quote, or withdraws it with its deposit. */
async function end(quote: Quote): Promise<void> {
  const held = open.get(quote.id);
  if (!held) return;
  const isSold = quote.end === "sold" || held.cents === 0;
  if (isSold) await sell(quote);
  else {
    const decision = { state: "withdrawn", deposit: quote.end };
    const answer = await call(`/api/quote/${quote.id}`, { method: "PATCH", token, json: decision });
    expect(answer.status, await answer.clone().text()).toBe(200);
  }
  open.delete(quote.id);
  changes.push({ ...held, cents: -held.cents, day: isSold ? quote.day : TODAY });
}

/** Sells a quote as it is, or all of it as lines of one business, and credits or corrects a document of it. */
async function sell(quote: Quote): Promise<void> {
  const [first = "EMPORIA", ...others] = quote.sold;
  const rest = others.map((business) => lineOf(business, quote.cents[business]));
  const amountCents = rest.length > 0 ? quote.cents[first] : quote.totalCents;
  const [document] = await sold(token, {
    ...{ quoteId: quote.id, paymentMode: quote.payment, createdAt: quote.day },
    lines: [lineOf(first, amountCents), ...rest],
  });
  if (document) await takeBack(quote, document);
}

async function takeBack({ after, payment: paymentMode }: Quote, document: SaleAnswer): Promise<void> {
  if (after === "credit")
    expect((await credit(token, document.id, { paymentMode, restock: true })).status).toBe(201);
  if (after !== "correct") return;
  const lines = document.lines.map(({ productId, quantity, amount }) => ({
    ...{ productId, quantity },
    amount: (Math.round(amount * 100) - 10) / 100,
  }));
  const answer = await call(`/api/sale/${document.id}/correct`, { token, json: { paymentMode, lines } });
  expect(answer.status, await answer.clone().text()).toBe(201);
}

it(`the deposits of ${QUOTES} quotes of two businesses are held by the one that took them, until they are ended`, async () => {
  const plans = fc.sample(plan, { numRuns: QUOTES, seed: 110 });
  for (let i = 0; i < QUOTES; i += AT_ONCE) {
    const quotes = [];
    for (const each of plans.slice(i, i + AT_ONCE)) quotes.push(await sendQuote(each));
    for (const quote of quotes)
      for (const each of quote.deposits) {
        await deposit(quote, each);
        await expectHeld();
      }
    for (const quote of quotes) {
      await end(quote);
      await expectHeld();
    }
    expect(await violations()).toEqual([]);
  }
  expect(await storedSums(null)).toEqual({ EMPORIA: 0, LASER: 0 });
  expect(changes.filter(({ cents: changed }) => changed < 0).length).toBeGreaterThan(QUOTES / 2);
}, 120_000);
