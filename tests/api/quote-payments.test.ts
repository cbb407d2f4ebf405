import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { messagesOf, startChat } from "../support/chat";
import { beforeBatch } from "../support/failing-d1";
import { admin, manager, person } from "../support/people";
import {
  json,
  ledgerOf,
  numberFrom,
  type Refusal,
  registerForTax,
  type SaleAnswer,
  sell,
  sold,
  violations,
} from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

afterEach(() => env.DB.prepare("DELETE FROM business_settings").run());

interface Payment {
  id: string;
  number: string;
  amount: number;
  mode: string;
  for: { quoteId: string };
}

interface Sent {
  id: string;
  chatId: string;
  cookie: string;
}

/** Sends a quote of $70.00 in a chat of its own. */
async function sentQuote(lines: object[] = [{ description: "Pen", quantity: 1, amount: 70 }]): Promise<Sent> {
  const { chatId, cookie } = await startChat({ initialMessage: "A pen, engraved?" });
  const { id } = await json<{ id: string }>(
    call("/api/quote", { token, json: { chatId, title: "Pen", lines } }),
  );
  return { id, chatId, cookie };
}

const decide = (id: string, change: object, by: { cookie?: string; token?: string } = { token }) =>
  call(`/api/quote/${id}`, { method: "PATCH", json: change, ...by });

async function acceptedQuote(lines?: object[]): Promise<Sent> {
  const quote = await sentQuote(lines);
  await decide(quote.id, { state: "accepted" }, { cookie: quote.cookie });
  return quote;
}

const pay = (id: string, payment: object, by: { cookie?: string; token?: string } = { token }) =>
  call(`/api/quote/${id}/payment`, { json: { mode: "EMT", amount: 30, ...payment }, ...by });

const paid = async (id: string, payment: object = {}) => json<Payment>(pay(id, payment));

async function refusal(answer: Response | Promise<Response>): Promise<[number, string]> {
  const response = await answer;
  const { message, details } = await json<Refusal>(response);
  return [response.status, details?.[0] ? `${details[0].path}: ${details[0].message}` : message];
}

const depositsOf = (id: string) =>
  numberFrom("SELECT count(*) AS n FROM payments WHERE quote_id = ? AND document_id IS NULL", id);

const pen = (quoteId: string, more: object = {}) => ({
  quoteId,
  lines: [{ description: "Pen", businessType: "LASER", quantity: 1, amount: 70 }],
  ...more,
});

describe("a deposit", () => {
  it("stands in the timeline of its customer", async () => {
    const { id, chatId } = await acceptedQuote();
    const customer = await json<{ id: string }>(
      call("/api/customer", { token, json: { name: "Bo", chatId } }),
    );
    const { number } = await paid(id);
    const entries = await json<{ type: string; deposits: object[] }[]>(
      call(`/api/customer/${customer.id}/timeline`, { token }),
    );
    const [of] = entries.filter(({ type }) => type === "quote");
    expect(of?.deposits).toMatchObject([{ number, mode: "EMT", amount: 30 }]);
    expect(entries.find(({ type }) => type === "chat")?.deposits).toEqual([]);
  });

  it("has a number, a card in the chat, and is answered again for its id", async () => {
    const { id, chatId, cookie } = await acceptedQuote();
    const request = { id: `till-${id}`, note: "EMT 4711" };
    const first = await pay(id, request);
    expect(first.status).toBe(201);
    const payment = await json<Payment>(first);
    expect(payment).toMatchObject({
      id: request.id,
      amount: 30,
      mode: "EMT",
      note: "EMT 4711",
      for: { quoteId: id },
    });
    expect(payment.number).toMatch(/^LD-\d{4}-\d{6}$/);
    expect(await paid(id, request)).toEqual(payment);
    expect(await refusal(pay(id, { ...request, amount: 31 }))).toEqual([
      409,
      "Another payment was taken with this id.",
    ]);
    expect(await depositsOf(id)).toBe(1);
    const last = (await messagesOf(chatId, { cookie })).filter(({ cards }) => cards?.[0]?.type === "deposit");
    expect(last.map(({ message }) => message)).toEqual([
      `Deposit ${payment.number}: $30.00 paid, $40.00 to pay`,
    ]);
    expect(await violations()).toEqual([]);
  });

  it("of products that Emporia sells has a number of Emporia", async () => {
    const productId = await addProduct({ stock: 5, category: "HOME_DECOR" });
    const lines = [
      { productId, description: "Lamp", quantity: 1, amount: 60 },
      { description: "Engraving", quantity: 1, amount: 10 },
    ];
    const { id } = await acceptedQuote(lines);
    expect((await paid(id)).number).toMatch(/^ED-/);
    const { id: engraved } = await acceptedQuote([
      { ...lines[0], amount: 1 },
      { ...lines[1], amount: 69 },
    ]);
    expect((await paid(engraved)).number).toMatch(/^LD-/);
  });

  it.each([
    ["above what is left", { amount: 70.01 }, "At most $70.00 of the quote is left to pay"],
    ["more than was paid", { amount: -0.01 }, "At most $0.00 can be paid back"],
  ])("is refused with 409: %s", async (_, payment, message) => {
    const { id } = await acceptedQuote();
    expect(await refusal(pay(id, payment))).toEqual([409, message]);
    expect(await depositsOf(id)).toBe(0);
  });

  it.each([
    ["0", { amount: 0 }, "amount: Must not be 0"],
    ["-0", { amount: "-0.00" }, "amount: Must not be 0"],
    ["a fraction of a cent", { amount: 0.001 }, "amount: Must have at most 2 decimals"],
    ["separators", { amount: "1,000.00" }, "amount: Write it without currency sign and separators: 1000.00"],
    ["no amount", { amount: null }, "amount: Must be an amount"],
    ["a list", { amount: [30] }, "amount: Must be an amount"],
    ["cash without coins", { amount: 30.01, mode: "CASH" }, "amount: Cash must be a multiple of $0.05"],
    ["an unknown mode", { mode: "CHEQUE" }, "mode: Must be one of CASH, EMT, CARD"],
    ["an id as payments of documents have", { id: "x-paid-2" }, "id: This id is reserved"],
    ["an id as the first payment of a document", { id: "x-paid" }, "id: This id is reserved"],
    [
      "a note with control characters",
      { note: "a\u0000b" },
      "note: Contains characters that are not allowed",
    ],
    ["a long note", { note: "n".repeat(501) }, "note: Must be at most 500 characters"],
  ])("is refused with 400: %s", async (_, payment, message) => {
    const { id } = await acceptedQuote();
    expect(await refusal(pay(id, payment))).toEqual([400, message]);
    expect(await depositsOf(id)).toBe(0);
  });

  it("leaves no cash to pay back for which there are no coins", async () => {
    const { id } = await acceptedQuote();
    await paid(id, { amount: 30, mode: "CASH" });
    const left = "Cash of $19.98 would be left to pay back, for which there are no coins";
    expect(await refusal(pay(id, { amount: -10.02, mode: "CARD" }))).toEqual([409, left]);
    await paid(id, { amount: -10, mode: "CARD" });
    expect(await depositsOf(id)).toBe(2);
  });

  it("is for staff alone, who learn that a quote does not exist", async () => {
    const { id, cookie } = await acceptedQuote();
    const customer = await person();
    expect((await pay(id, {}, { cookie })).status).toBe(401);
    expect((await pay(id, {}, { token: customer.token })).status).toBe(403);
    expect((await pay("missing", {})).status).toBe(404);
    expect(await depositsOf(id)).toBe(0);
  });

  it("is taken once of two at the same time that are more than the total together", async () => {
    const { id } = await acceptedQuote();
    const answers = await Promise.all([1, 2, 3].map(() => pay(id, { amount: 40 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const same = { id: `same-${id}`, amount: 10 };
    const repeated = await Promise.all([1, 2, 3].map(() => pay(id, same)));
    expect(repeated.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await depositsOf(id)).toBe(2);
    expect(await violations()).toEqual([]);
  });

  it("needs an accepted quote, or accepts it for the customer in the same act", async () => {
    const { id, chatId, cookie } = await sentQuote();
    expect(await refusal(pay(id, {}))).toEqual([
      409,
      "The customer has not accepted this quote yet. A deposit is taken on an accepted one.",
    ]);
    await paid(id, { accept: true });
    expect(await numberFrom("SELECT count(*) AS n FROM quotes WHERE id = ? AND state = 'accepted'", id)).toBe(
      1,
    );
    const texts = (await messagesOf(chatId, { cookie })).map(({ message }) => message);
    expect(texts).toContain("Accepted for you: Pen, $70.00");
    const log = await env.DB.prepare("SELECT action FROM audit_log WHERE object_id = ? ORDER BY seq")
      .bind(id)
      .all<{ action: string }>();
    expect(log.results.map(({ action }) => action)).toEqual(["sent", "accepted", "depositTaken"]);
  });

  it("is refused for a quote that was decided otherwise a moment ago, or is sold", async () => {
    const quote = await acceptedQuote();
    const between = beforeBatch(/INSERT INTO payments/, () => decide(quote.id, { state: "withdrawn" }));
    expect(await refusal(pay(quote.id, {}))).toEqual([409, "This quote was withdrawn."]);
    between.mockRestore();
    const declined = await sentQuote();
    await decide(declined.id, { state: "declined" }, { cookie: declined.cookie });
    expect(await refusal(pay(declined.id, { accept: true }))).toEqual([
      409,
      "This quote was declined already.",
    ]);
    const done = await acceptedQuote();
    await sold(token, pen(done.id));
    expect(await refusal(pay(done.id, {}))).toEqual([409, "This quote was sold already."]);
  });

  it("is not dated in a closed month", async () => {
    const { id } = await acceptedQuote();
    const owner = await admin();
    const closed = await call("/api/closing", {
      token: owner.token,
      json: { businessType: "LASER", until: "2020-06-30" },
    });
    expect(closed.status).toBe(201);
    const [status, message] = await refusal(pay(id, { createdAt: "2020-06-15" }));
    expect([status, message]).toEqual([
      409,
      expect.stringMatching(/^createdAt: Laser Craft is closed up to 30th Jun/),
    ]);
    expect((await paid(id, { createdAt: "2020-07-01" })).number).toBe("LD-2020-000001");
    expect(await violations()).toEqual([]);
  });

  it("counts towards the sale, which takes 3 round trips with two payments beside it", async () => {
    const { id } = await acceptedQuote();
    await paid(id);
    const answer = await sell(
      token,
      pen(id, {
        payments: [
          { mode: "CASH", amount: 25 },
          { mode: "CARD", amount: 15 },
        ],
      }),
    );
    expect(answer.headers.get("Server-Timing")).toContain("3 round trips");
    const { documents } = await json<{ documents: SaleAnswer[] }>(answer);
    expect(documents[0]?.payments).toEqual([
      { mode: "EMT", amount: 30, quoteId: id },
      { mode: "CARD", amount: 15, quoteId: null },
      { mode: "CASH", amount: 25, quoteId: null },
    ]);
    expect(await violations()).toEqual([]);
  });

  it("has a receipt without tax for staff and its visitor, and for nobody else", async () => {
    await registerForTax("LASER");
    const { id, cookie } = await acceptedQuote();
    const { id: paymentId, number } = await paid(id, { note: "<b>EMT</b> 4711" });
    const path = `/receipts/deposit/${paymentId}`;
    for (const by of [{ token }, { cookie }]) {
      const page = await (await call(path, by)).text();
      for (const text of [number, "$30.00", "Left to pay", "$40.00", "&lt;b&gt;EMT&lt;/b&gt; 4711"])
        expect(page).toContain(text);
      expect(page).not.toMatch(/HST|RT0001/);
      const file = await call(`${path}.pdf`, by);
      expect([file.status, file.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
    }
    const other = await startChat({ initialMessage: "Hello" });
    for (const by of [{}, { cookie: other.cookie }]) {
      expect((await call(path, by)).status).toBe(404);
      expect((await call(`${path}.pdf`, by)).status).toBe(404);
    }
  });
});

it("says on receipt, card, lists and in the conversation's page that the sale will add a tax", async () => {
  await registerForTax("LASER", false);
  const { id, chatId, cookie } = await acceptedQuote();
  const { id: paymentId } = await paid(id);
  const receipt = await (await call(`/receipts/deposit/${paymentId}`, { token })).text();
  expect(receipt).toContain("Left to pay, before HST");
  const text = "Deposit $30.00 paid, $40.00 to pay before HST";
  expect(await (await call(`/chat/${chatId}`, { cookie })).text()).toContain(text);
  for (const path of ["/admin/quotes?state=accepted", "/admin/today", `/admin/chat?chat=${chatId}`])
    expect(await (await call(path, { token })).text(), path).toContain("to pay before HST");
});

describe("withdrawing an accepted quote", () => {
  it("is one act without a deposit", async () => {
    const { id } = await acceptedQuote();
    expect(await refusal(decide(id, { state: "withdrawn", was: "sent" }))).toEqual([
      409,
      "This quote was accepted already.",
    ]);
    expect(await json(decide(id, { state: "withdrawn" }))).toMatchObject({ state: "withdrawn" });
    expect((await decide(id, { state: "withdrawn" })).status).toBe(200);
  });

  it("asks what becomes of a deposit, and pays it back in its modes", async () => {
    const { id, chatId, cookie } = await acceptedQuote();
    await paid(id, { amount: 30 });
    await paid(id, { amount: 20, mode: "CASH" });
    await paid(id, { amount: -5, mode: "CARD" });
    expect(await refusal(decide(id, { state: "withdrawn" }))).toEqual([
      409,
      "A deposit of $45.00 is paid. Is it paid back, or kept?",
    ]);
    const change = { state: "withdrawn", deposit: "paidBack", message: "The blank split, sorry." };
    expect(await refusal(decide(id, { ...change, depositAmount: 30 }))).toEqual([
      409,
      "The deposit is $45.00 by now. Nothing was withdrawn.",
    ]);
    expect((await decide(id, { ...change, depositAmount: 45 })).status).toBe(200);
    expect((await decide(id, change)).status).toBe(200);
    expect(await refusal(decide(id, { ...change, deposit: "kept" }))).toEqual([
      409,
      "This quote was withdrawn, and its deposit was paid back.",
    ]);
    const { results } = await env.DB.prepare(
      "SELECT mode, amount_cents AS cents FROM payments WHERE quote_id = ? ORDER BY row",
    )
      .bind(id)
      .all<{ mode: string; cents: number }>();
    expect(results.map(({ mode, cents }) => [mode, cents])).toEqual([
      ["EMT", 3000],
      ["CASH", 2000],
      ["CARD", -500],
      ["EMT", -3000],
      ["CASH", -1500],
    ]);
    const texts = (await messagesOf(chatId, { cookie })).map(({ message }) => message);
    expect(texts).toContain(
      "We withdraw the quote: Pen, $70.00\nThe deposit of $45.00 is paid back.\nThe blank split, sorry.",
    );
    expect(texts.filter((text) => text.startsWith("Deposit paid back"))).toHaveLength(3);
    expect(await violations()).toEqual([]);
  });

  it("is not withdrawn by who saw a deposit that was paid back since", async () => {
    const { id } = await acceptedQuote();
    await paid(id, { amount: 30 });
    await paid(id, { amount: -30 });
    const change = { state: "withdrawn", deposit: "kept", depositAmount: 30 };
    expect(await refusal(decide(id, change))).toEqual([
      409,
      "The deposit is $0.00 by now. Nothing was withdrawn.",
    ]);
    expect((await decide(id, { state: "withdrawn" })).status).toBe(200);
  });

  it("keeps a deposit as a sale with the tax in it", async () => {
    await registerForTax("LASER", false);
    const { id, chatId } = await acceptedQuote();
    await paid(id, { amount: 30.03 });
    const answers = await Promise.all([1, 2].map(() => decide(id, { state: "withdrawn", deposit: "kept" })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const sales = await json<SaleAnswer[]>(call(`/api/sale?chatId=${chatId}`, { token }));
    expect(sales).toHaveLength(1);
    expect(sales[0]).toMatchObject({ total: 30.03, taxAmount: 3.45, rounding: 0, paymentMode: "EMT" });
    expect(sales[0]?.lines.map(({ description, amount }) => [description, amount])).toEqual([
      ["Deposit kept", 30.03],
    ]);
    expect(sales[0]?.payments).toEqual([{ mode: "EMT", amount: 30.03, quoteId: id }]);
    expect(await ledgerOf(String(sales[0]?.id))).toEqual([["EMT", 1, 3003, 345]]);
    expect(await violations()).toEqual([]);
  });

  it("is no act of its visitor, and of nobody once it is sold", async () => {
    const { id, cookie } = await acceptedQuote();
    await paid(id);
    expect((await decide(id, { state: "withdrawn", deposit: "paidBack" }, { cookie })).status).toBe(403);
    expect(await refusal(decide(id, { state: "accepted", deposit: "kept" }, { cookie }))).toEqual([
      400,
      "deposit: Belongs to the state withdrawn",
    ]);
    await sold(token, pen(id));
    expect(await refusal(decide(id, { state: "withdrawn", deposit: "paidBack" }))).toEqual([
      409,
      "This quote was sold already.",
    ]);
    expect(await violations()).toEqual([]);
  });
});
