import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import {
  credit,
  json,
  ledgerOf,
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
  await registerForTax("EMPORIA");
});

const lines = (...amounts: number[]) =>
  amounts.map((amount) => ({ description: "Pen turned in maple", quantity: 2, amount }));

/** Dashboard's sums of sales by payment mode, in cents. */
async function sumsByMode(): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    "SELECT payment_mode AS mode, sum(amount_cents) AS cents FROM sale_totals GROUP BY payment_mode",
  ).all<{ mode: string; cents: number }>();
  return Object.fromEntries(results.map(({ mode, cents }) => [mode, cents]));
}

describe("a sale in several modes", () => {
  it("has its payments, and ledger rows by mode, of which one line is divided", async () => {
    const before = await sumsByMode();
    const [document] = await sold(token, {
      lines: lines(60, 10),
      payments: [
        { mode: "EMT", amount: 30 },
        { mode: "CASH", amount: 25 },
        { mode: "CARD", amount: 15 },
      ],
    });
    expect(document).toMatchObject({ total: 70, rounding: 0, paymentMode: "EMT" });
    expect(document?.payments).toEqual([
      { mode: "EMT", amount: 30, quoteId: null },
      { mode: "CARD", amount: 15, quoteId: null },
      { mode: "CASH", amount: 25, quoteId: null },
    ]);
    expect(await ledgerOf(String(document?.id))).toEqual([
      ["EMT", 2, 2000, 230],
      ["CASH", 0, 2500, 288],
      ["CARD", 0, 1500, 172],
      ["EMT", 2, 1000, 115],
    ]);
    const after = await sumsByMode();
    const added = ["EMT", "CASH", "CARD"].map((mode) => (after[mode] ?? 0) - (before[mode] ?? 0));
    expect(added).toEqual([3000, 2500, 1500]);
    expect(await violations()).toEqual([]);
  });

  it("is rounded in cash alone", async () => {
    const [document] = await sold(token, {
      lines: lines(10.02),
      payments: [
        { mode: "CARD", amount: 5 },
        { mode: "CASH", amount: 5 },
      ],
    });
    expect(document).toMatchObject({ total: 10, rounding: -0.02 });
    expect(await ledgerOf(String(document?.id))).toEqual([
      ["CASH", 2, 502, 58],
      ["CARD", 0, 500, 57],
      ["CASH", 0, -2, 0],
    ]);
  });

  it("of two businesses pays both documents", async () => {
    const documents = await sold(token, {
      lines: [
        { description: "Tray", category: "HOME_DECOR", quantity: 1, amount: 20 },
        { description: "Engraving", category: "ENGRAVING", quantity: 1, amount: 12.52 },
      ],
      payments: [
        { mode: "CARD", amount: 25 },
        { mode: "CASH", amount: 7.5 },
      ],
    });
    expect(documents.map(({ payments }) => payments.map(({ mode, amount }) => [mode, amount]))).toEqual([
      [["CARD", 20]],
      [
        ["CARD", 5],
        ["CASH", 7.5],
      ],
    ]);
    expect(documents[1]).toMatchObject({ total: 12.5, rounding: -0.02 });
  });

  it("leaves the rest to its payment mode", async () => {
    const [document] = await sold(token, {
      paymentMode: "CARD",
      lines: lines(10.02),
      payments: [{ mode: "CASH", amount: 4 }],
    });
    expect(document).toMatchObject({ total: 10.02, rounding: 0, paymentMode: "CARD" });
    expect(document?.payments.map(({ mode, amount }) => [mode, amount])).toEqual([
      ["CARD", 6.02],
      ["CASH", 4],
    ]);
    const back = await json<SaleAnswer>(
      credit(token, String(document?.id), {
        paymentMode: "CASH",
        payments: [{ mode: "CARD", amount: 6.02 }],
      }),
    );
    expect(back.payments.map(({ mode, amount }) => [mode, amount])).toEqual([
      ["CARD", -6.02],
      ["CASH", -4],
    ]);
  });

  it("in one mode says so", async () => {
    const [document] = await sold(token, { paymentMode: "CASH", lines: lines(1.03) });
    expect(document).toMatchObject({ paymentMode: "CASH", total: 1.05 });
    expect(document?.payments).toEqual([{ mode: "CASH", amount: 1.05, quoteId: null }]);
  });

  it("is answered as the first time when it is sent again, with other payments refused", async () => {
    const sale = { id: "paid-twice", lines: lines(8), payments: [{ mode: "CARD", amount: 8 }] };
    const first = await sold(token, sale);
    expect(await sold(token, sale)).toEqual(first);
    expect((await sell(token, { ...sale, payments: [{ mode: "EMT", amount: 8 }] })).status).toBe(409);
  });

  it("of $0.00 needs no payment", async () => {
    const [document] = await sold(token, { lines: lines(0), payments: [] });
    expect(document).toMatchObject({ total: 0, paymentMode: "CASH", payments: [] });
    expect(await violations()).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["less than is to pay", { payments: [{ mode: "CARD", amount: 9.99 }] }, "payments"],
    ["more than is to pay", { payments: [{ mode: "CARD", amount: 10.01 }] }, "payments"],
    [
      "three modes with one at 0",
      {
        payments: [
          { mode: "CARD", amount: 5 },
          { mode: "EMT", amount: 5 },
          { mode: "CASH", amount: 0 },
        ],
      },
      "payments.2.amount",
    ],
    ["a negative payment", { payments: [{ mode: "CARD", amount: -10 }] }, "payments.0.amount"],
    [
      "one mode twice",
      {
        payments: [
          { mode: "CARD", amount: 5 },
          { mode: "CARD", amount: 5 },
        ],
      },
      "payments",
    ],
    ["an unknown mode", { payments: [{ mode: "CHEQUE", amount: 10 }] }, "payments.0.mode"],
    ["no payment", { payments: [] }, "payments"],
    [
      "more than a mode is left to pay",
      { paymentMode: "CARD", payments: [{ mode: "EMT", amount: 10.01 }] },
      "payments",
    ],
    [
      "single cents in cash",
      { paymentMode: "CARD", payments: [{ mode: "CASH", amount: 4.01 }] },
      "payments.0.amount",
    ],
    ["neither", { payments: undefined }, "paymentMode"],
    ["four", { payments: Array(4).fill({ mode: "CARD", amount: 2.5 }) }, "payments"],
    ["text", { payments: "CARD" }, "payments"],
  ])("is refused with %s, and nothing is stored", async (_, payment, path) => {
    const productId = await addProduct({ stock: 5 });
    const answer = await sell(token, { lines: [{ productId, quantity: 1, amount: 10 }], ...payment });
    expect(answer.status).toBe(400);
    expect((await json<Refusal>(answer)).details?.map((detail) => detail.path)).toContain(path);
    const stock = await env.DB.prepare("SELECT stock FROM units WHERE id = ?").bind(productId).first("stock");
    expect(stock).toBe(5);
    expect(await violations()).toEqual([]);
  });
});

describe("a credit note in several modes", () => {
  const paidInTwo = () =>
    sold(token, {
      lines: lines(20, 10.02),
      payments: [
        { mode: "CARD", amount: 20 },
        { mode: "CASH", amount: 10 },
      ],
    });

  it("pays back by mode, with ledger rows by mode", async () => {
    const [sale] = await paidInTwo();
    const answer = await json<SaleAnswer>(
      credit(token, String(sale?.id), {
        payments: [
          { mode: "CARD", amount: 20 },
          { mode: "CASH", amount: 10 },
        ],
      }),
    );
    expect(answer).toMatchObject({ total: -30, rounding: 0.02, paymentMode: "CARD" });
    expect(answer.payments).toEqual([
      { mode: "CARD", amount: -20, quoteId: null },
      { mode: "CASH", amount: -10, quoteId: null },
    ]);
    expect(await ledgerOf(answer.id)).toEqual([
      ["CARD", -2, -2000, expect.any(Number)],
      ["CASH", -2, -1002, expect.any(Number)],
      ["CASH", 0, 2, 0],
    ]);
    expect(await violations()).toEqual([]);
  });

  it("never pays back more than was paid, whatever the modes", async () => {
    const [sale] = await paidInTwo();
    const id = String(sale?.id);
    const more = await credit(token, id, { payments: [{ mode: "EMT", amount: 30.02 }] });
    expect([more.status, (await json<Refusal>(more)).details]).toEqual([
      400,
      [{ path: "payments", message: "The payments are $30.02, $30.00 is to pay back" }],
    ]);
    const first = await json<SaleAnswer>(
      credit(token, id, {
        lines: [{ line: 2, quantity: 1 }],
        payments: [
          { mode: "EMT", amount: 3 },
          { mode: "CASH", amount: 2 },
        ],
      }),
    );
    const rest = await json<SaleAnswer>(credit(token, id, { paymentMode: "EMT" }));
    expect([first.total, rest.total]).toEqual([-5, -25]);
    expect((await credit(token, id, { payments: [{ mode: "EMT", amount: 1 }] })).status).toBe(409);
    expect(await violations()).toEqual([]);
  });
});

describe("pages of a document in several modes", () => {
  it("show each payment, and the books by mode", async () => {
    const [document] = await sold(token, {
      lines: lines(40),
      payments: [
        { mode: "CARD", amount: 30 },
        { mode: "CASH", amount: 10 },
      ],
    });
    const page = await (await call(`/admin/documents/${document?.id}`, { token })).text();
    const text = page
      .replace(/<script.*?<\/script>/gs, "")
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ");
    for (const shown of [
      "Paid, card $30.00",
      "Paid, cash $10.00",
      "Paid Card",
      "Paid Cash",
      "Others Card $30.00",
    ])
      expect(text).toContain(shown);
    const receipt = await (await call(`/receipts/${document?.id}`, { token })).text();
    expect(receipt).toContain("Paid, card");
    expect(receipt).toContain("Paid, cash");
  });

  it("and the accountant's file name its tax in each part, and no price for a piece", async () => {
    const [document] = await sold(token, {
      lines: lines(30.02),
      payments: [
        { mode: "CARD", amount: 20 },
        { mode: "CASH", amount: 10 },
      ],
    });
    const file = await (await call("/admin/bookkeeping.csv", { token })).text();
    const rows = file.split("\r\n").filter((row) => row.includes(document?.number ?? "?"));
    const cells = rows.map((row) => row.split(",").slice(7));
    expect(cells).toEqual([
      ["2", "", "17.70", "HST", "13.00", "2.30", "20.00", "Card", "", "", "0.00"],
      ["0", "", "8.87", "HST", "13.00", "1.15", "10.02", "Cash", "", "", "0.00"],
      ["0", "", "-0.02", "", "", "0.00", "-0.02", "Cash", "", "", "0.00"],
    ]);
  });

  it("are credited in parts by the form without JavaScript", async () => {
    const [document] = await sold(token, { lines: lines(40) });
    const path = `/admin/documents/${document?.id}?credit=1`;
    const send = (paidCash: string) =>
      call(path, {
        method: "POST",
        token,
        body: new URLSearchParams({
          intent: "credit",
          creditId: "split-credit",
          all: "on",
          line: "1",
          take: "0",
          paymentMode: "CARD",
          paidCash,
          paidEmt: "",
          paidCard: "",
          reason: "",
        }),
      });
    const refused = await send("40.05");
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("The payments are $40.05, $40.00 is to pay back");
    expect((await send("15")).status).toBe(303);
    expect(await json(call("/api/sale/split-credit", { token }))).toMatchObject({
      total: -40,
      payments: [
        { mode: "CASH", amount: -15, quoteId: null },
        { mode: "CARD", amount: -25, quoteId: null },
      ],
    });
  });
});

describe("payments in the database", () => {
  it("are final, and none is added to a document", async () => {
    const [document] = await sold(token, { lines: lines(5) });
    const run = (statement: string) => env.DB.prepare(statement).run();
    await expect(run("UPDATE payments SET amount_cents = 1")).rejects.toThrow("payments: final");
    await expect(run("UPDATE payments SET note = 'Other'")).rejects.toThrow("payments: final");
    await expect(run("DELETE FROM payments")).rejects.toThrow("payments: final");
    const more = `INSERT INTO payments (id, business_type, mode, amount_cents, document_id, created_at, day, created_by)
      VALUES ('more', 'EMPORIA', 'CASH', 5, '${document?.id}', 1, '2026-11-28', '')`;
    await expect(run(more)).rejects.toThrow("payments: final");
  });

  it("are those of a document that the previous version records", async () => {
    await env.DB.prepare(
      `INSERT INTO documents (id, kind, number, business_type, customer_name, source, payment_mode, tax_name, tax_rate, tax_cents,
         tax_included, tax_number, rounding_cents, total_cents, request_id, request_hash, created_at, day, recorded_at, search_text, created_by)
       VALUES ('previous', 'sale', 'E-2026-900009', 'EMPORIA', '', 'counter', 'EMT', '', 0, 0, 1, '', 0, 1200, 'previous', '', 1795435200,
         '2026-11-23', 1795435200, '', 'Pat')`,
    ).run();
    expect(await json(call("/api/sale/previous", { token }))).toMatchObject({
      payments: [{ mode: "EMT", amount: 12, quoteId: null }],
    });
  });
});
