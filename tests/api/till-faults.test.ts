import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { messagesOf, startChat } from "../support/chat";
import { beforeBatch } from "../support/failing-d1";
import { formWith, press, submit } from "../support/forms";
import { admin, manager, seller } from "../support/people";
import { credit, json, numberFrom, registerForTax, sold, violations } from "../support/sales";
import { addProduct, call } from "../support/shop";

let owner: string;
let token: string;
let till: string;
beforeAll(async () => {
  [{ token: owner }, { token }, { token: till }] = [await admin(), await manager(), await seller()];
});

const page = async (path: string, by = token) => (await call(path, { token: by })).text();

/** Sends a quote that staff accept with a first deposit. */
async function depositedQuote(
  deposit: object,
  lines: object[] = [{ description: "Pen", quantity: 1, amount: 200 }],
) {
  const { chatId, cookie } = await startChat({ initialMessage: "A pen, engraved?" });
  const quote = await json<{ id: string }>(
    call("/api/quote", { token, json: { chatId, title: "Pen", lines } }),
  );
  expect((await pay(quote.id, { accept: true, ...deposit })).status).toBe(201);
  return { ...quote, chatId, cookie };
}

const pay = (id: string, payment: object, by = token) =>
  call(`/api/quote/${id}/payment`, { json: { mode: "CARD", ...payment }, token: by });
const withdraw = (id: string, deposit: string, by = token) =>
  call(`/api/quote/${id}`, { method: "PATCH", json: { state: "withdrawn", deposit }, token: by });
const depositSum = (id: string) =>
  numberFrom("SELECT sum(amount_cents) AS n FROM payments WHERE quote_id = ? AND document_id IS NULL", id);

describe("the drawer", () => {
  it("is closed from its page although more cash went out than it should hold", async () => {
    const url = "/admin/sales/drawer?business=LASER";
    expect((await call("/api/drawer", { token, json: { businessType: "LASER", float: 0 } })).status).toBe(
      201,
    );
    const bill = { description: "Steel", businessType: "LASER", expenseType: "OTHERS", amount: 12.5 };
    expect((await call("/api/expense", { token, json: { ...bill, paymentMode: "CASH" } })).status).toBe(201);
    const form = formWith(await page(url), /^Close the drawer/);
    expect(form.fields.expected).toBe("-12.50");
    const fields = { counted: "0", reason: "Paid from my purse" };
    const closed = await press(await page(url), /^Close the drawer/, fields, { token });
    expect(closed.status).toBe(303);
    expect(await (await call("/api/drawer?businessType=LASER", { token })).json()).toMatchObject({
      ...{ expected: -12.5, counted: 0, difference: 12.5 },
    });
    expect([await page(url), await page(url, till)].map((html) => html.includes("Steel"))).toEqual([
      true,
      false,
    ]);
  });
});

describe("deposits that go back", () => {
  it("are limited together for a seller, on the way and at the withdrawal", async () => {
    const { id } = await depositedQuote({ amount: 80 });
    expect((await pay(id, { amount: -40 }, till)).status).toBe(201);
    expect((await withdraw(id, "paidBack", till)).status).toBe(403);
    expect((await pay(id, { amount: -20 }, till)).status).toBe(403);
    expect(await depositSum(id)).toBe(4000);
    expect((await withdraw(id, "paidBack")).status).toBe(200);
  });

  it("are limited for a seller who sends two at once", async () => {
    const { id } = await depositedQuote({ amount: 100 });
    const other = beforeBatch(/INSERT INTO payments/, () => pay(id, { amount: -30 }, till));
    expect((await pay(id, { amount: -30 }, till)).status).toBe(403);
    other.mockRestore();
    expect(await depositSum(id)).toBe(7000);
    expect(await violations()).toEqual([]);
  });

  it("stay those of the business that took the first one, although its product changed", async () => {
    const productId = await addProduct({ stock: 5, category: "HOME_DECOR" });
    const lines = [{ productId, description: "Lamp", quantity: 1, amount: 60 }];
    const { id } = await depositedQuote({ amount: 30, mode: "CASH" }, lines);
    await call(`/api/product/${productId}`, { method: "DELETE", token });
    const back = await json<{ number: string }>(pay(id, { amount: -30, mode: "CASH" }));
    expect(back.number).toMatch(/^ED-/);
  });

  it("are no longer named as paid once the quote is withdrawn and they are kept", async () => {
    const { id } = await depositedQuote({ amount: 30 });
    expect(await page("/admin/quotes?state=accepted")).toContain("Deposit $30.00 paid, $170.00 to pay");
    expect((await withdraw(id, "kept")).status).toBe(200);
    expect(await page("/admin/quotes?state=withdrawn")).not.toContain("$170.00 to pay");
  });
});

describe("what a seller pays back", () => {
  it("counts without the part that a correction sold again", async () => {
    const line = { category: "OTHERS", quantity: 1 };
    const lines = [
      { ...line, description: "Pen", amount: 60 },
      { ...line, description: "Ink", amount: 5 },
    ];
    const [sale] = await sold(token, { lines });
    const path = `/api/sale/${sale?.id}/correct`;
    const corrected = { lines: [{ ...lines[0], amount: 59 }, lines[1]], paymentMode: "CARD" };
    expect((await call(path, { token: till, json: corrected })).status).toBe(201);
    expect((await credit(till, String(sale?.id), { lines: [{ line: 2, quantity: 1 }] })).status).toBe(201);
  });

  it("is added up over corrections of one sale", async () => {
    const lines = ["Pen", "Ink", "Nib"].map((description) => ({
      description,
      category: "OTHERS",
      quantity: 1,
      amount: 40,
    }));
    const [sale] = await sold(token, { lines });
    const correct = (left: object[]) =>
      call(`/api/sale/${sale?.id}/correct`, { token: till, json: { lines: left, paymentMode: "CARD" } });
    expect((await correct(lines.slice(1))).status).toBe(201);
    expect((await correct(lines.slice(2))).status).toBe(403);
  });
});

describe("Record sale", () => {
  it("opens for a quote whose conversation was deleted, and records it", async () => {
    const { id, chatId, cookie } = await depositedQuote({ amount: 30 });
    expect((await messagesOf(chatId, { cookie })).length).toBeGreaterThan(0);
    expect((await call(`/api/chat/${chatId}`, { method: "DELETE", token: owner })).status).toBe(200);
    const html = await page(`/admin/sales/new?quote=${id}`);
    const fields = { "lines[0].businessType": "LASER", paymentMode: "CARD" };
    const done = await press(html, /^Record sale/, fields, { token });
    expect([done.status, await done.text()]).toEqual([303, ""]);
    expect(
      await numberFrom("SELECT count(*) AS n FROM quotes WHERE id = ? AND document_id IS NOT NULL", id),
    ).toBe(1);
  });

  it("records now where the page was opened on another day and its date was not touched", async () => {
    const productId = await addProduct({ stock: 5 });
    const html = await page(`/admin/sales/new?products=${productId}`);
    const { fields } = formWith(html, /^Record sale/);
    const record = async (dates: object) => {
      const id = crypto.randomUUID();
      const form = { ...fields, ...dates, id, intent: "record", "lines[0].price": "4.00" };
      const answer = await submit(`/admin/sales/new?products=${productId}`, form, { token });
      expect(answer.status).toBe(303);
      return numberFrom("SELECT created_at AS n FROM documents WHERE request_id = ?", id);
    };
    const before = Math.floor(Date.now() / 1000);
    // In the shop's time zone the day of UTC is today for five hours more.
    const past = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    expect(await record({ createdAt: past, openedOn: past })).toBeGreaterThanOrEqual(before);
    expect(await record({ createdAt: past, openedOn: "2020-01-01", confirmed: "" })).toBeLessThan(before);
  });

  it("says that a form was recorded before with other content", async () => {
    const productId = await addProduct({ stock: 5 });
    const path = `/admin/sales/new?products=${productId}`;
    const html = await page(path);
    expect((await press(html, /^Record sale/, { "lines[0].price": "4.00" }, { token })).status).toBe(303);
    const again = await press(html, /^Record sale/, { "lines[0].price": "5.00" }, { token });
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining("A sale was recorded from this form before, with other content"),
    ]);
  });

  it.each(["0", "0%", " 0,00 ", "%"])("takes a discount of %j as none", async (discount) => {
    const productId = await addProduct({ stock: 5 });
    const path = `/admin/sales/new?products=${productId}`;
    const typed = { discount, "lines[0].discount": discount, "lines[0].price": "4.00" };
    expect((await press(await page(path), /^Record sale/, typed, { token })).status).toBe(303);
  });
});

describe("a correction that is refused", () => {
  it("says that the month is closed, until when and by whom", async () => {
    const [sale] = await sold(token, {
      lines: [{ description: "Pen", category: "OTHERS", quantity: 1, amount: 9 }],
      createdAt: "2025-03-05",
    });
    const closing = { businessType: "EMPORIA", until: "2025-03-31" };
    expect((await call("/api/closing", { token: owner, json: closing })).status).toBe(201);
    const path = `/admin/sales/new?correct=${sale?.id}`;
    const refused = await press(await page(path), /^Correct/, { "lines[0].price": "8.00" }, { token });
    const text = await refused.text();
    expect(refused.status).toBe(409);
    expect(text).toMatch(/closed[^<]*2025/);
    expect(text).not.toContain("Please check the date");
    const reopening = { businessType: "EMPORIA", reason: "Test" };
    await call("/api/closing", { method: "DELETE", token: owner, json: reopening });
  });
});

it("keeps deposits of one business apart where they were paid back in another mode", async () => {
  await registerForTax("LASER");
  const productId = await addProduct({ stock: 5, category: "HOME_DECOR" });
  const lines = [
    { productId, description: "Lamp", quantity: 1, amount: 60 },
    { description: "Engraving", quantity: 1, amount: 90 },
  ];
  const { id } = await depositedQuote({ amount: 50 }, lines);
  expect((await pay(id, { amount: -20, mode: "CASH" })).status).toBe(201);
  const documents = await sold(token, {
    quoteId: id,
    lines: [
      { productId, quantity: 1, amount: 60 },
      { description: "Engraving", businessType: "LASER", quantity: 1, amount: 90 },
    ],
  });
  const deposits = documents.map(({ businessType, payments }) => [
    businessType,
    payments.filter(({ quoteId }) => quoteId !== null).map(({ mode, amount }) => [mode, amount]),
  ]);
  expect(Object.fromEntries(deposits)).toEqual({ EMPORIA: [], LASER: expect.any(Array) });
  expect(await violations()).toEqual([]);
  await env.DB.prepare("DELETE FROM business_settings").run();
});
