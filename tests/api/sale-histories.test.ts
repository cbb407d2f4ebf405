import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, inject, it } from "vitest";
import { openDb } from "~/db/client.server";
import type { PaymentMode } from "~/domain/enums";
import { findDifferences } from "~/features/ledger/queries/entries.server";
import { leftLine, remainingParts } from "~/features/sales/correction";
import { discountCents } from "~/features/sales/discount";
import { storeCorrection } from "~/features/sales/operations/correct.server";
import { storeCredit } from "~/features/sales/operations/credit.server";
import { storeDeposit } from "~/features/sales/operations/deposits.server";
import { releaseHold, storeHold } from "~/features/sales/operations/holds.server";
import { changeQuote } from "~/features/sales/operations/quotes.server";
import { storeSale } from "~/features/sales/operations/record.server";
import { type PaymentPart, paidCents, settle } from "~/features/sales/payments";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { findDocument, type StoredDocument } from "~/features/sales/queries/documents.server";
import { findQuote } from "~/features/sales/queries/holds-and-quotes.server";
import { CorrectInput, CreditInput, SaleInput } from "~/features/sales/sale-schema";
import { HoldInput, PaymentInput } from "~/features/sales/schema";
import { saleTotals } from "~/features/sales/tax";
import { AppError } from "~/http/errors";
import { parseInput, type StaffContext } from "~/http/operation.server";
import { requestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { startChat } from "../support/chat";
import { json, numberFrom, registerForTax } from "../support/sales";
import { addProduct, addUser, call, insert, openSession } from "../support/shop";

declare module "vitest" {
  interface ProvidedContext {
    saleHistories: number;
  }
}

const HISTORIES = inject("saleHistories");
const products: string[] = [];
let context: StaffContext;
let token: string;
let chatId: string;

beforeAll(async () => {
  await registerForTax("EMPORIA");
  await registerForTax("LASER", false);
  for (const category of ["HOME_DECOR", "ENGRAVING"])
    products.push(await addProduct({ stock: 100_000, category }));
  products.push(await addProduct({ stock: 3 }));
  const times = { last_seen: 1, created_at: 1, updated_at: 1, request_hash: "" };
  await insert(
    "customers",
    ["a", "b"].map((id) => ({ id, name: id, name_key: id, ...times })),
  );
  const { id } = await addUser({ isManager: true });
  token = await openSession(id);
  ({ chatId } = await startChat({}));
  const headers = { Authorization: `Bearer ${token}` };
  const request = new Request("http://localhost:8787/", { headers });
  const plain = await requestContext(request, env, () => undefined);
  const user = await plain.caller.user();
  if (!user) throw new Error("The manager is not signed in");
  context = { ...plain, db: openDb(env.DB).db, user, settings: await shopSettings(plain) };
});

const line = fc.record({
  productId: fc.option(fc.nat(2), { nil: undefined }),
  quantity: fc.integer({ min: 1, max: 4 }),
  cents: fc.nat(99_999),
  /** Taken off the price, in percent. */
  percent: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
});
const payment = fc.constantFrom("CASH", "CARD", "EMT");
const step = fc.oneof(
  fc.record({
    kind: fc.constant("sale" as const),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    payment,
    /** Part of the sale in hundredths that another mode pays. */
    other: fc.option(fc.tuple(payment, fc.integer({ min: 1, max: 99 })), { nil: undefined }),
    customer: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant("hold" as const),
    lines: fc.array(line, { minLength: 1, maxLength: 2 }),
    isReleased: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("credit" as const),
    quantity: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    /** Credited of the first line without pieces, in place of them. */
    cents: fc.option(fc.integer({ min: 1, max: 9_999 }), { nil: undefined }),
    payment,
    restock: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("deposit" as const),
    cents: fc.integer({ min: 100, max: 9_999 }),
    /** Parts of the quote in hundredths; negative ones are paid back. */
    parts: fc.array(fc.tuple(payment, fc.integer({ min: -60, max: 60 })), { minLength: 1, maxLength: 3 }),
    payment,
    end: fc.constantFrom("sold", "paidBack", "kept", "open"),
  }),
  fc.record({
    kind: fc.constant("correct" as const),
    /** Price of the first line, in percent of what it was. */
    percent: fc.integer({ min: 0, max: 200 }),
    quantity: fc.integer({ min: 1, max: 4 }),
    hasOthers: fc.boolean(),
    payment,
    restock: fc.boolean(),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs a step; a rejected one changes nothing, which the checks confirm. */
async function run(each: Step, sales: StoredDocument[]): Promise<void> {
  try {
    if (each.kind === "sale") sales.push(...(await storeSale(context, saleInput(each))));
    else if (each.kind === "hold") await holdAndRelease(each);
    else if (each.kind === "credit") await creditLast(each, sales);
    else if (each.kind === "deposit") await depositAndEnd(each, sales);
    else await correctLast(each, sales);
  } catch (error) {
    expectConflict(error);
  }
}

function expectConflict(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "conflict") throw error;
}

type Sale = Extract<Step, { kind: "sale" }>;

const HST = { number: "12345 6789 RT0001", name: "HST", rate: 1300 };

const discountOf = ({ percent }: Sale["lines"][number]) =>
  percent === undefined ? undefined : { basisPoints: percent * 100 };

/** Totals of a sale's documents before rounding: the second product is an engraving, whose tax is added. */
function exactTotals({ lines }: Sale): number[] {
  const isLaser = ({ productId }: Sale["lines"][number]) => productId === 1;
  return [...Map.groupBy(lines, isLaser)].map(([laser, group]) => {
    const prices = group.map((each) => each.cents - discountCents(each.cents, discountOf(each)));
    return saleTotals(prices, { ...HST, isIncluded: !laser }).exactCents;
  });
}

/** States the payments of a sale that two modes pay; else all of it in one. */
function paymentOf(sale: Sale) {
  const { payment: mode, other } = sale;
  if (!other || other[0] === mode) return { paymentMode: mode };
  const totals = exactTotals(sale);
  const due = totals.reduce((sum, total) => sum + total, 0);
  const [first, second] = mode === "CASH" ? [other[0], mode] : [mode, other[0]];
  const part = { mode: first as PaymentMode, amountCents: Math.floor((due * other[1]) / 100) };
  const { toPayCents } = settle(totals, [], {
    parts: [part, { mode: second as PaymentMode, amountCents: 0 }],
    rest: null,
    stepCents: 5,
  });
  const rest = { mode: second as PaymentMode, amountCents: toPayCents - paidCents([part]) };
  const parts: PaymentPart[] = [part, rest];
  // Neither pays cents that cash has not.
  if (parts.some(({ amountCents }) => amountCents <= 0)) return { paymentMode: mode };
  return { payments: parts.map(({ amountCents, ...each }) => ({ ...each, amount: amountCents / 100 })) };
}

function saleInput(sale: Sale) {
  const { lines, customer: customerId } = sale;
  return parseInput(SaleInput, {
    ...paymentOf(sale),
    customerId,
    lines: lines.map(({ productId, quantity, cents, percent }) => ({
      ...(percent !== undefined && { discount: { percent } }),
      productId: productId === undefined ? undefined : products[productId],
      description: "Line",
      quantity,
      amount: (cents / 100).toFixed(2),
    })),
  });
}

async function holdAndRelease({ lines, isReleased }: Extract<Step, { kind: "hold" }>): Promise<void> {
  const pieces = lines.map(({ productId = 0, quantity }) => ({
    productId: products[productId] ?? "",
    quantity,
  }));
  const { id } = await storeHold(context, parseInput(HoldInput, { lines: pieces }));
  if (isReleased) await releaseHold.execute(context, { id });
}

async function creditLast(
  { quantity, cents, payment: paymentMode, restock }: Extract<Step, { kind: "credit" }>,
  sales: StoredDocument[],
) {
  const sale = sales.at(-1);
  if (!sale) return;
  const part = cents === undefined ? { quantity } : { amount: cents / 100 };
  const lines = quantity === undefined ? undefined : [{ line: 1, ...part }];
  await storeCredit(context, parseInput(CreditInput, { saleId: sale.id, paymentMode, restock, lines }));
}

/** Takes deposits on a quote, pays some back, and sells, withdraws or leaves the quote. */
async function depositAndEnd(
  { cents, parts, payment: paymentMode, end }: Extract<Step, { kind: "deposit" }>,
  sales: StoredDocument[],
) {
  const lines = [{ description: "Pen", quantity: 1, amount: cents / 100 }];
  const { id: quoteId } = await json<{ id: string }>(
    call("/api/quote", { token, json: { chatId, title: "Pen", lines } }),
  );
  for (const [mode, hundredths] of parts) {
    const part = Math.trunc((cents * hundredths) / 100);
    const amount = mode === "CASH" ? part - (part % 5) : part;
    if (amount === 0) continue;
    const input = parseInput(PaymentInput, { quoteId, mode, amount: amount / 100, accept: true });
    await storeDeposit(context, input).catch(expectConflict);
  }
  const of = await findQuote(context.db, quoteId);
  if (of?.state !== "accepted" || end === "open") return;
  if (end !== "sold") await changeQuote.execute(context, { id: quoteId, state: "withdrawn", deposit: end });
  else sales.push(...(await storeSale(context, parseInput(SaleInput, { quoteId, lines, paymentMode }))));
}

/** Corrects the first line of the last sale, and leaves the others as they are or takes them away. */
async function correctLast(
  { percent, quantity, hasOthers, payment: paymentMode, restock }: Extract<Step, { kind: "correct" }>,
  sales: StoredDocument[],
) {
  const sale = await findDocument(context.db, sales.at(-1)?.id ?? "");
  const [first, ...others] = sale ? remainingParts(sale) : [];
  if (!sale || !first) return;
  const wanted = (hasOthers ? others : []).map((part) => leftLine(part, sale));
  const { priceCents, ...changed } = leftLine(first, sale);
  const lines = [{ ...changed, quantity, priceCents: Math.floor((priceCents * percent) / 100) }, ...wanted];
  const input = {
    ...{ saleId: sale.id, paymentMode, restock },
    lines: lines.map(({ unit, priceCents: cents, ...each }) => ({
      ...{ ...each, unitId: unit ?? undefined, amount: cents / 100 },
    })),
  };
  const { sale: anew } = await storeCorrection(context, parseInput(CorrectInput, input));
  if (anew) sales.push(anew);
}

async function violations(): Promise<Record<string, unknown[]>> {
  const names = Object.keys(SALE_CHECKS);
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(SALE_CHECKS[name] ?? "")));
  return Object.fromEntries(
    names.flatMap((name, i) => (results[i]?.results.length ? [[name, results[i].results]] : [])),
  );
}

it(`keeps stock, documents, ledger and customers in step over ${HISTORIES} random histories`, {
  timeout: 180_000 + 100 * HISTORIES,
}, async () => {
  const histories = fc.sample(fc.array(step, { minLength: 2, maxLength: 4 }), {
    numRuns: HISTORIES,
    seed: 13,
  });
  for (const [i, history] of histories.entries()) {
    const sales: StoredDocument[] = [];
    for (const each of history) await run(each, sales);
    if (i % 50 === 49) expect(await violations()).toEqual({});
  }
  expect(await findDifferences(context.db)).toEqual([]);
  const done = (kinds: string) =>
    numberFrom(`SELECT count(*) AS n FROM documents AS d WHERE d.kind = 'credit' AND ${kinds}`);
  const anew = "EXISTS (SELECT 1 FROM documents WHERE request_id = d.request_id AND kind = 'sale')";
  expect(await done(anew)).toBeGreaterThan(HISTORIES / 20);
  const byAmount = "EXISTS (SELECT 1 FROM document_lines WHERE document_id = d.id AND quantity = 0)";
  expect(await done(byAmount)).toBeGreaterThan(HISTORIES / 50);
  const ended = (state: string) =>
    numberFrom(`SELECT count(DISTINCT q.id) AS n FROM quotes AS q JOIN payments AS p ON p.quote_id = q.id AND p.amount_cents < 0
      WHERE q.state = '${state}'`);
  expect(await ended("withdrawn")).toBeGreaterThan(HISTORIES / 50);
  expect(await ended("accepted")).toBeGreaterThan(HISTORIES / 50);
});
