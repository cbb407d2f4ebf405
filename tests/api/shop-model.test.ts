import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, inject, it } from "vitest";
import { LEDGER_CHECKS } from "~/features/ledger/queries/check";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { startChat, written } from "../support/chat";
import { loaderData } from "../support/loader-data";
import { manager } from "../support/people";
import { stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";
import {
  type Command,
  commandOf,
  type Draft,
  heldOf,
  newShop,
  rounds,
  type Shop,
  shopsAfter,
} from "../support/shop-model";

declare module "vitest" {
  interface ProvidedContext {
    modelSeed: number;
    /** 30 in `npm test`, 300 in `npm run test:model`. */
    modelRuns: number;
  }
}

const [seed, runs] = [inject("modelSeed"), inject("modelRuns")];
const STOCK = [4, 6];
const sellers: string[] = [];
let histories = 0;

beforeAll(async () => {
  for (let i = 0; i < 2; i++) sellers.push((await manager()).token);
});

/** Products and chats of one history. */
interface Place {
  /** Beginning of all ids. */
  name: string;
  products: string[];
  chats: { chatId: string; cookie: string }[];
}

async function openPlace(): Promise<Place> {
  const products = await Promise.all(STOCK.map((stock) => addProduct({ stock })));
  const chats = await Promise.all([startChat({ userName: "Ines" }), startChat({ userName: "Bo" })]);
  return { name: `model-${++histories}-`, products, chats };
}

type Sent = [path: string, options: NonNullable<Parameters<typeof call>[1]>];

const until = () => (Math.floor(Date.now() / 1000) + 3600) * 1000;

function requestOf(command: Command, { products, chats }: Place, token: string, end: number): Sent {
  const chat = "chat" in command ? chats[command.chat] : undefined;
  const chatId = chat?.chatId ?? "";
  const productId = "product" in command ? products[command.product] : undefined;
  const visitor = { cookie: chat?.cookie ?? "" };
  switch (command.kind) {
    case "message": {
      const isFromAdmin = command.by === "seller";
      const json = { id: command.id, chatId, message: command.id, isFromAdmin, senderName: "Someone" };
      return ["/api/chat/message", { json, ...(isFromAdmin ? { token } : visitor) }];
    }
    case "hold": {
      const lines = [{ productId, quantity: command.quantity }];
      return ["/api/hold", { token, json: { id: command.id, chatId, until: end, lines } }];
    }
    case "release":
      return [`/api/hold/${command.target}`, { method: "DELETE", token, json: {} }];
    case "quote": {
      const lines = [{ description: "Coaster", quantity: 1, amount: command.cents / 100 }];
      return ["/api/quote", { token, json: { id: command.id, chatId, title: "Coasters", lines } }];
    }
    case "decide": {
      const by = command.state === "withdrawn" ? { token } : visitor;
      const json = { state: command.state, ...(command.state === "withdrawn" && { deposit: "paidBack" }) };
      return [`/api/quote/${command.target}`, { method: "PATCH", json, ...by }];
    }
    case "pay": {
      const { id, target, cents, mode } = command;
      return [`/api/quote/${target}/payment`, { token, json: { id, mode, amount: cents / 100 } }];
    }
    default:
      return ledgerRequest(command, productId, token);
  }
}

type OfLedger = Extract<
  Command,
  { kind: "sale" | "credit" | "credit amount" | "correct" | "stock" | "expense" | "delete" }
>;

function ledgerRequest(command: OfLedger, productId: string | undefined, token: string): Sent {
  switch (command.kind) {
    case "sale": {
      const { id, quantity, cents, mode: paymentMode, hold: holdId, quote: quoteId } = command;
      const { discount: off } = command;
      const discount = off && ("cents" in off ? { amount: off.cents / 100 } : off);
      const lines = [{ productId, quantity, amount: cents / 100, discount }];
      return ["/api/sale", { token, json: { id, holdId, quoteId, paymentMode, lines } }];
    }
    case "credit": {
      const { id, target, quantity, restock } = command;
      const json = { id, lines: [{ line: 1, quantity }], restock, paymentMode: "CARD" };
      return [`/api/sale/${target}/credit`, { token, json }];
    }
    case "credit amount": {
      const { id, target, cents } = command;
      const json = { id, lines: [{ line: 1, amount: cents / 100 }], paymentMode: "CARD" };
      return [`/api/sale/${target}/credit`, { token, json }];
    }
    case "correct": {
      const { id, target, quantity, cents } = command;
      const json = { id, lines: [{ productId, quantity, amount: cents / 100 }], paymentMode: "CARD" };
      return [`/api/sale/${target}/correct`, { token, json }];
    }
    case "stock":
      return [`/api/product/${productId}`, { method: "PUT", token, json: { stock: command.stock } }];
    case "expense": {
      const json = {
        id: command.id,
        description: "Parcels",
        expenseType: "SHIPPING",
        businessType: "EMPORIA",
      };
      return ["/api/expense", { token, json: { ...json, amount: command.cents / 100 } }];
    }
    case "delete":
      return [`/api/expense/${command.target}`, { method: "DELETE", token }];
  }
}

/** Sends commands at once, alternately by both sellers. @returns the shops that their answers allow */
async function play(drafts: Draft[], place: Place, shops: Shop[], sent: Command[], end: number) {
  const [shop = newShop([])] = shops;
  const commands: Command[] = [];
  for (const each of drafts) {
    const command = commandOf(each, `${place.name}${sent.length}`, shop, sent);
    if (!command) continue;
    sent.push(command);
    commands.push(command);
  }
  const answered = await Promise.all(
    commands.map(async (command, i) => {
      const answer = await call(...requestOf(command, place, sellers[i % 2] ?? "", end));
      const text = await answer.text();
      expect([200, 201, 404, 409], `${JSON.stringify(command)}: ${text}`).toContain(answer.status);
      return { command, isDone: answer.ok };
    }),
  );
  const next = shopsAfter(shops, answered);
  expect(next.length, `no order explains ${JSON.stringify({ answered, shops })}`).toBeGreaterThan(0);
  return next;
}

/** Totals of the dashboard, cents. */
async function figures() {
  const { sales, expenses } = await loaderData<{
    sales: Record<"totalAmount" | "cashAmount" | "cardAmount" | "emtAmount", number>;
    expenses: { totalAmount: number };
  }>("/admin?period=all", { token: sellers[0] ?? "" });
  const { totalAmount, cashAmount, cardAmount, emtAmount } = sales;
  return { totalAmount, cashAmount, cardAmount, emtAmount, expenses: expenses.totalAmount };
}

const sum = (cents: number[]) => cents.reduce((total, each) => total + each, 0);

/** Everything that a history has changed, as the model knows it. */
function expected(shop: Shop) {
  const { CASH, CARD, EMT } = shop.paid;
  const documents = Object.fromEntries([
    ...Object.entries(shop.sales).map(([id, { cents }]) => [id, cents] as const),
    ...Object.entries(shop.credits).map(([id, cents]) => [id, 0 - cents] as const),
  ]);
  return {
    stock: shop.stock.map((stock, product) => ({ stock, held: heldOf(shop, product), moved: stock })),
    documents,
    // Each has one line, and so one entry, or one for each mode.
    ledger: { entries: byDocument(Object.entries(documents)), expenses: shop.expenses },
    deposits: shop.payments,
    messages: shop.messages,
    figures: {
      totalAmount: CASH + CARD + EMT,
      cashAmount: CASH,
      cardAmount: CARD,
      emtAmount: EMT,
      expenses: sum(Object.values(shop.expenses)),
    },
  };
}

/** Sorts what documents state; nothing is entered for nothing. */
const byDocument = (entries: [id: string, cents: number][]) =>
  entries.filter(([, cents]) => cents !== 0).toSorted(([one], [other]) => one.localeCompare(other));

type Figures = Awaited<ReturnType<typeof figures>>;

/** Reads the same of the shop. */
async function observed(
  { name, products, chats }: Place,
  before: Figures,
): Promise<ReturnType<typeof expected>> {
  const rows = async (query: string) =>
    (await env.DB.prepare(query).bind(`${name}%`).all<{ id: string; cents: number }>()).results;
  const byId = (found: { id: string; cents: number }[]) =>
    Object.fromEntries(found.map(({ id, cents }) => [id, cents]));
  const documents = await rows("SELECT id, total_cents AS cents FROM documents WHERE id LIKE ?");
  const entries = await rows(
    "SELECT document_id AS id, sum(amount_cents) AS cents FROM invoices WHERE document_id LIKE ? GROUP BY 1",
  );
  const expenses = await rows("SELECT id, amount_cents AS cents FROM expenses WHERE id LIKE ?");
  const messages = await Promise.all(chats.map(({ chatId, cookie }) => written(chatId, { cookie })));
  const after = Object.entries(await figures());
  return {
    stock: await Promise.all(products.map(stockOf)),
    documents: byId(documents),
    ledger: { entries: byDocument(entries.map(({ id, cents }) => [id, cents])), expenses: byId(expenses) },
    deposits: (await rows("SELECT id FROM payments WHERE document_id IS NULL AND id LIKE ? ORDER BY id")).map(
      ({ id }) => id,
    ),
    messages: messages
      .flatMap((all) => all.flatMap(({ id, message }) => (message === id ? [id] : [])))
      .sort(),
    figures: Object.fromEntries(
      after.map(([key, cents]) => [key, cents - before[key as keyof Figures]]),
    ) as Figures,
  };
}

async function history(drafts: Draft[][]): Promise<void> {
  const place = await openPlace();
  const before = await figures();
  const [sent, end]: [Command[], number] = [[], until()];
  let shops = [newShop(STOCK)];
  for (const round of drafts) shops = await play(round, place, shops, sent, end);
  const now = await observed(place, before);
  const matches = shops.map(expected).filter((each) => isEqual(each, now));
  if (matches.length === 0) expect(now, JSON.stringify(sent)).toEqual(shops.map(expected)[0]);
}

function isEqual(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

it(`is a plain shop over ${runs} histories, seed ${seed} (npm run test:model -- --seed ${seed} --runs ${runs} repeats it)`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(fc.asyncProperty(rounds, history), { numRuns: runs, seed, endOnFailure: true });
  const checks = [...LEDGER_CHECKS, ...Object.values(SALE_CHECKS)];
  const results = await env.DB.batch(checks.map((check) => env.DB.prepare(check)));
  expect(results.flatMap(({ results: rows }) => rows)).toEqual([]);
});
