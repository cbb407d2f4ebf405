import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formWith, press } from "../support/forms";
import { admin, manager } from "../support/people";
import {
  credit,
  json,
  ledgerOf,
  type Refusal,
  registerForTax,
  type SaleAnswer,
  sell,
  sold,
  stockOf,
  violations,
} from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
  await registerForTax("EMPORIA");
});

const detailsOf = async (answer: Response) => (await json<Refusal>(answer)).details ?? [];
const stocks = async (...ids: string[]) => (await Promise.all(ids.map(stockOf))).map(({ stock }) => stock);

const messageOf = async (answer: Response) => (await json<Refusal>(answer)).message;

const pen = { description: "Pen turned in maple", category: "OTHERS", quantity: 2, amount: 50 };
const oneSold = async (fields: Record<string, unknown>) => {
  const [document] = await sold(token, { paymentMode: "CARD", ...fields });
  if (!document) throw new Error("no document");
  return document;
};

describe("a discount", () => {
  it.each([
    [{ percent: 10 }, 5, 45],
    [{ percent: "12.5" }, 6.25, 43.75],
    [{ amount: 0.01 }, 0.01, 49.99],
    [{ percent: 100 }, 50, 0],
    [{ amount: 50 }, 50, 0],
  ])("%o is taken off, and the ledger holds the net amount", async (discount, off, total) => {
    const document = await oneSold({ lines: [{ ...pen, discount, reason: "Scratched" }] });
    expect(document).toMatchObject({ total, discount: off });
    expect(document.lines).toMatchObject([{ amount: total, discount: off, reason: "Scratched" }]);
    const rows = await ledgerOf(document.id);
    expect(rows.map(([, , cents]) => cents)).toEqual([Math.round(total * 100)]);
  });

  it("stays a percentage in the form that corrects the sale, unless it has a share of the document's", async () => {
    const lines = [
      { ...pen, discount: { percent: 12.5 } },
      { ...pen, description: "Ink", discount: { amount: 7 } },
    ];
    const form = async (fields: Record<string, unknown>) => {
      const { id } = await oneSold({ lines, ...fields });
      const html = await (await call(`/admin/sales/new?correct=${id}`, { token })).text();
      const { fields: shown } = formWith(html, /^Correct/);
      return { html, discounts: [shown["lines[0].discount"], shown["lines[1].discount"]] };
    };
    const { html, discounts } = await form({});
    expect(discounts).toEqual(["12.5%", "7.00"]);
    const corrected = await press(html, /^Correct/, { "lines[0].price": "20.00" }, { token });
    expect(corrected.status).toBe(303);
    const [sale] = await json<SaleAnswer[]>(call("/api/sale?limit=1", { token }));
    expect(sale?.lines).toMatchObject([{ amount: 35, discount: 5 }]);
    expect((await form({ discount: { percent: 10 } })).discounts[0]).not.toContain("%");
    expect(await violations()).toEqual([]);
  });

  it("is said on the receipt, on the document, and summed by the list", async () => {
    const document = await oneSold({ lines: [{ ...pen, discount: { amount: 7 }, reason: "Scratched lid" }] });
    for (const path of [`/receipts/${document.id}`, `/admin/documents/${document.id}`])
      expect(await (await call(path, { token })).text(), path).toContain("Discount −$7.00: Scratched lid");
    const list = await call(`/admin/documents?q=${document.number}`, { token });
    expect(await list.text()).toContain("discounts $7.00");
  });

  it("of half a cent is rounded up, and leaves a line of 1 cent nothing", async () => {
    const document = await oneSold({ lines: [{ ...pen, amount: 0.01, discount: { percent: 50 } }, pen] });
    expect(document).toMatchObject({ total: 50, discount: 0.01 });
  });

  it("of the document is spread over its lines, of two businesses too, after their own", async () => {
    const documents = await sold(token, {
      paymentMode: "CARD",
      discount: { amount: 10 },
      lines: [
        { ...pen, amount: 30, discount: { amount: 10 } },
        { ...pen, category: "ENGRAVING", amount: 10 },
      ],
    });
    expect(documents.map(({ total, discount }) => [total, discount])).toEqual([
      [13.33, 16.67],
      [6.67, 3.33],
    ]);
  });

  it.each([
    [{ percent: 101 }, "Must be a percentage from 0.01 to 100"],
    [{ percent: 0 }, "Must be a percentage from 0.01 to 100"],
    [{ percent: -1 }, "Must be a percentage from 0.01 to 100"],
    [{ percent: "ten" }, "Must be a percentage from 0.01 to 100"],
    [{ amount: 50.01 }, "Must be at most the price, $50.00"],
    [{ amount: -1 }, "Must be 0 or more"],
    [{ amount: 1, percent: 1 }, "Must be either a percentage or an amount"],
    [{}, "Must be either a percentage or an amount"],
    ["10%", "Must be either a percentage or an amount"],
    [[], "Must be either a percentage or an amount"],
  ])("%o is refused", async (discount, message) => {
    const response = await sell(token, { paymentMode: "CARD", lines: [{ ...pen, discount }] });
    expect(response.status).toBe(400);
    expect((await detailsOf(response))[0]).toMatchObject({ message });
  });

  it("of the document above its lines is refused, and nothing is stored", async () => {
    const response = await sell(token, { paymentMode: "CARD", discount: { amount: 50.01 }, lines: [pen] });
    expect(response.status).toBe(400);
    expect((await detailsOf(response))[0]).toMatchObject({ path: "discount" });
  });

  it("goes back with the pieces that are credited", async () => {
    const document = await oneSold({ lines: [{ ...pen, quantity: 3, amount: 30, discount: { amount: 1 } }] });
    const notes = [];
    for (const quantity of [1, 2]) {
      const body = { paymentMode: "CARD", lines: [{ line: 1, quantity }] };
      notes.push(await json<SaleAnswer>(credit(token, document.id, body)));
    }
    expect(notes.map((note) => note.lines[0]?.discount)).toEqual([-0.33, -0.67]);
    expect(notes.map((note) => note.total)).toEqual([-9.66, -19.34]);
    expect(await violations()).toEqual([]);
  });
});

describe("a credit by amount", () => {
  it("leaves the pieces, and the last ones take what is left", async () => {
    const document = await oneSold({ lines: [pen] });
    const five = await json<SaleAnswer>(
      credit(token, document.id, { paymentMode: "CARD", lines: [{ line: 1, amount: 5.01 }] }),
    );
    expect(five).toMatchObject({ total: -5.01, lines: [{ quantity: 0, amount: -5.01, taxAmount: -0.57 }] });
    const one = await json<SaleAnswer>(
      credit(token, document.id, { paymentMode: "CARD", lines: [{ line: 1, quantity: 1 }] }),
    );
    expect(one.total).toBe(-22.49);
    const all = await json<SaleAnswer>(credit(token, document.id, { paymentMode: "CARD" }));
    expect(all).toMatchObject({ total: -22.5, lines: [{ quantity: -1 }] });
    const left = await json<SaleAnswer>(call(`/api/sale/${document.id}`, { token }));
    expect(left.lines).toMatchObject([{ returned: 2, credited: 50 }]);
    expect(await violations()).toEqual([]);
  });

  it.each([
    [[{ line: 1, amount: 50.01 }], 409, "Pen turned in maple: $50.00 left to credit"],
    [[{ line: 1, amount: 0 }], 400, "Must be above $0.00"],
    [[{ line: 1, amount: 5, quantity: 1 }], 400, "Must have either pieces (quantity) or an amount"],
    [[{ line: 1 }], 400, "Must have either pieces (quantity) or an amount"],
    [
      [
        { line: 1, amount: 5 },
        { line: 1, quantity: 1 },
      ],
      400,
      "Credit line 1 by pieces or by an amount, not by both at once",
    ],
    [
      [
        { line: 1, amount: 30 },
        { line: 1, amount: 20.01 },
      ],
      409,
      "Pen turned in maple: $50.00 left to credit",
    ],
  ])("of %o is refused", async (lines, status, message) => {
    const document = await oneSold({ lines: [pen] });
    const response = await credit(token, document.id, { paymentMode: "CARD", lines });
    expect(response.status).toBe(status);
    expect((await detailsOf(response))[0]).toMatchObject({ message });
  });

  it("beside one by pieces at the same time never credits more than was sold", async () => {
    const document = await oneSold({ lines: [pen] });
    const requests = Array.from({ length: 8 }, (_, i) =>
      credit(token, document.id, {
        paymentMode: "CARD",
        lines: [i % 2 === 0 ? { line: 1, amount: 20 } : { line: 1, quantity: 1 }],
      }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    const { lines } = await json<SaleAnswer>(call(`/api/sale/${document.id}`, { token }));
    expect(lines[0]?.credited).toBeLessThanOrEqual(50);
    expect(await violations()).toEqual([]);
  });
});

interface CorrectionAnswer {
  credit: SaleAnswer;
  sale: SaleAnswer | null;
  difference: number;
}
const correct = (id: string, body: Record<string, unknown>) =>
  call(`/api/sale/${id}/correct`, { token, json: body });
const corrected = (id: string, body: Record<string, unknown>) => json<CorrectionAnswer>(correct(id, body));

describe("a correction", () => {
  const tray = { description: "Tray", category: "HOME_DECOR", quantity: 1, amount: 20 };

  it("of a wrong price credits that line and sells it again; the other one stays", async () => {
    const document = await oneSold({ lines: [pen, tray], customerName: "Ines Carvalho" });
    const answer = await corrected(document.id, {
      lines: [{ ...pen, amount: 40 }, tray],
      paymentMode: "CARD",
      reason: "Price of last week",
    });
    expect(answer).toMatchObject({
      difference: -10,
      credit: { total: -50, originalNumber: document.number, reason: "Price of last week" },
      sale: {
        total: 40,
        lines: [{ description: pen.description, amount: 40 }],
        customerName: "Ines Carvalho",
      },
    });
    expect(answer.credit.lines).toHaveLength(1);
    expect(answer.credit.payments).toEqual([{ mode: "CARD", amount: -50, quoteId: null }]);
    expect(answer.sale?.payments).toEqual([{ mode: "CARD", amount: 40, quoteId: null }]);
    expect(await violations()).toEqual([]);
  });

  it("is named by the receipt and the page of the sale, each time", async () => {
    const document = await oneSold({ lines: [pen, tray] });
    const first = await corrected(document.id, {
      lines: [{ ...pen, amount: 40 }, tray],
      paymentMode: "CARD",
    });
    const second = await corrected(document.id, { lines: [{ ...tray, amount: 10 }], paymentMode: "CARD" });
    const receipt = await (await call(`/receipts/${document.id}`, { token })).text();
    expect(receipt).toContain(`Corrected later by receipt ${first.sale?.number} and ${second.sale?.number}.`);
    const page = await (await call(`/admin/documents/${document.id}`, { token })).text();
    for (const { sale } of [first, second])
      expect(page).toMatch(new RegExp(`href="/admin/documents/${sale?.id}"[^>]*>${sale?.number}`));
    const replaced = await (await call(`/receipts/${first.sale?.id}`, { token })).text();
    expect(replaced).not.toContain("Corrected later");
  });

  it("moves money of the difference alone, in its own mode and rounded in cash", async () => {
    const document = await oneSold({ lines: [pen] });
    const more = await corrected(document.id, { lines: [{ ...pen, amount: 60.03 }], paymentMode: "CASH" });
    expect(more).toMatchObject({ difference: 10.05, sale: { total: 60.05, rounding: 0.02 } });
    expect(more.sale?.payments).toEqual([
      { mode: "CARD", amount: 50, quoteId: null },
      { mode: "CASH", amount: 10.05, quoteId: null },
    ]);
    const less = await corrected(String(more.sale?.id), {
      lines: [{ ...pen, amount: 50 }],
      payments: [{ mode: "CASH", amount: 10.05 }],
    });
    expect(less).toMatchObject({ difference: -10.05, sale: { total: 50, rounding: 0 } });
    expect(await violations()).toEqual([]);
  });

  it("exchanges an item: one goes back to stock, the other one leaves it", async () => {
    const [lamp, balm] = await Promise.all([
      addProduct({ name: "Exchange lamp", priceCents: 3000, stock: 4 }),
      addProduct({ name: "Exchange balm", priceCents: 3000, stock: 1 }),
    ]);
    const document = await oneSold({ lines: [{ productId: lamp, quantity: 1, amount: 30 }] });
    const body = { lines: [{ productId: balm, quantity: 1, amount: 30 }], id: crypto.randomUUID() };
    const answer = await corrected(document.id, body);
    expect(answer.difference).toBe(0);
    expect(await stocks(lamp, balm)).toEqual([4, 0]);
    expect(await corrected(document.id, body)).toEqual(answer);
    const other = await correct(document.id, { ...body, reason: "Another" });
    expect(other.status).toBe(409);
    expect(await violations()).toEqual([]);
  });

  it("keeps broken goods out of stock, but for what is sold again", async () => {
    const lamp = await addProduct({ name: "Correct lamp", priceCents: 3000, stock: 5 });
    const line = { productId: lamp, quantity: 3, amount: 90 };
    const document = await oneSold({ lines: [line] });
    await corrected(document.id, {
      lines: [{ ...line, quantity: 2, amount: 50 }],
      paymentMode: "CARD",
      restock: false,
    });
    expect(await stocks(lamp)).toEqual([2]);
  });

  it("may take lines away alone", async () => {
    const document = await oneSold({ lines: [pen, tray] });
    const answer = await corrected(document.id, { lines: [pen], paymentMode: "EMT" });
    expect(answer).toMatchObject({ sale: null, difference: -20, credit: { total: -20, paymentMode: "EMT" } });
  });

  it.each([
    [{ lines: [pen] }, 409, /Nothing on .* is changed\.$/],
    [{ lines: [pen, tray] }, 409, /sold in addition as a sale of its own/],
    [{ lines: [] }, 400, /At least one line/],
    [{ lines: [{ ...pen, amount: 60 }] }, 400, /The payments are \$0\.00, \$10\.00 is to pay$/],
    [{ lines: [{ ...pen, amount: 40 }] }, 400, /The payments are \$0\.00, \$10\.00 is to pay back$/],
    [
      { lines: [{ ...pen, amount: 40 }], payments: [{ mode: "CARD", amount: 10.01 }] },
      400,
      /The payments are \$10\.01, \$10\.00 is to pay back$/,
    ],
    [{ lines: [{ productId: "nobody", quantity: 1, amount: 5 }], paymentMode: "CARD" }, 409, /was deleted/],
    [{ lines: [{ ...pen, amount: 1_000_000 }], paymentMode: "CARD", credits: 3 }, 409, /in the meantime/],
  ])("%o is refused, and nothing is stored", async (body, status, message) => {
    const document = await oneSold({ lines: [pen] });
    const response = await correct(document.id, body);
    expect(response.status).toBe(status);
    const answer = (await response.json()) as Refusal & { details?: { message: string }[] };
    expect(answer.details?.[0]?.message ?? answer.message).toMatch(message);
    const { lines } = await json<SaleAnswer>(call(`/api/sale/${document.id}`, { token }));
    expect(lines[0]?.credited).toBe(0);
  });

  it("sent twice at once is one, also of the last piece", async () => {
    const lamp = await addProduct({ name: "Last lamp", priceCents: 3000, stock: 1 });
    const line = { productId: lamp, quantity: 1 };
    const document = await oneSold({ lines: [{ ...line, amount: 30 }] });
    const body = { id: crypto.randomUUID(), lines: [{ ...line, amount: 9 }], paymentMode: "CARD" };
    const answers = await Promise.all(Array.from({ length: 6 }, () => correct(document.id, body)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    const numbers = await Promise.all(
      answers.map(async (each) => (await json<CorrectionAnswer>(each)).sale?.number),
    );
    expect(new Set(numbers).size).toBe(1);
    expect(await stocks(lamp)).toEqual([0]);
    // Of two different ones the other learns what happened, not that stock is short.
    const others = await Promise.all(
      [10, 11, 12].map((amount) =>
        correct(String(document.id), { lines: [{ ...line, amount }], paymentMode: "CARD" }),
      ),
    );
    for (const other of others) expect(await messageOf(other)).toMatch(/taken back already\.$/);
  });

  it("leaves a line as it is whose product was deleted or renamed since", async () => {
    const [tub, lid] = await Promise.all([
      addProduct({ name: "Gone tub", priceCents: 2000, stock: 3 }),
      addProduct({ name: "Lid", priceCents: 500, stock: 3 }),
    ]);
    const kept = [
      { productId: tub, quantity: 1, amount: 20 },
      { productId: lid, quantity: 1, amount: 5 },
    ];
    const document = await oneSold({ lines: [pen, ...kept] });
    const { token: owner } = await admin();
    const deleted = await call(`/api/product/${tub}`, { method: "DELETE", token: owner });
    expect(deleted.status).toBe(200);
    await env.DB.prepare("UPDATE products SET name = 'Cover' WHERE id = ?").bind(lid).run();
    const answer = await corrected(document.id, {
      lines: [{ ...pen, amount: 40 }, ...kept],
      paymentMode: "CARD",
    });
    expect(answer).toMatchObject({ difference: -10, sale: { total: 40 } });
    // Sold anew it would have to be there.
    const [first] = kept;
    const anew = await correct(document.id, {
      lines: [{ ...first, amount: 19 }, kept[1]],
      paymentMode: "CARD",
    });
    expect(anew.status).toBe(409);
    expect(await messageOf(anew)).toMatch(/was deleted/);
  });

  it("is refused for a credit note and for a sale that was taken back", async () => {
    const document = await oneSold({ lines: [pen] });
    const note = await json<SaleAnswer>(credit(token, document.id, { paymentMode: "CARD" }));
    for (const id of [note.id, document.id])
      expect((await correct(id, { lines: [tray], paymentMode: "CARD" })).status).toBe(409);
    expect((await correct("nothing", { lines: [tray], paymentMode: "CARD" })).status).toBe(404);
  });

  it("happens once, also twelve times at once", async () => {
    const document = await oneSold({ lines: [pen, tray] });
    const requests = Array.from({ length: 12 }, (_, i) =>
      correct(document.id, { lines: [{ ...pen, amount: 40 + i }, tray], paymentMode: "CARD", credits: 0 }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(11);
    expect(await violations()).toEqual([]);
  });
});
