import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { beforeBatch } from "../support/failing-d1";
import { manager } from "../support/people";
import { json, ledgerOf, type Refusal, sell, sold, violations } from "../support/sales";
import { call } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

describe("a sale from a quote with deposits", () => {
  let row = 0;

  /** Accepts a quote of $70.00 in a chat of its own. */
  async function acceptedQuote(): Promise<string> {
    const { chatId, cookie } = await startChat({ initialMessage: "A pen, engraved?" });
    const quote = { chatId, title: "Pen", lines: [{ description: "Pen", quantity: 1, amount: 70 }] };
    const { id } = await json<{ id: string }>(call("/api/quote", { token, json: quote }));
    await call(`/api/quote/${id}`, { method: "PATCH", json: { state: "accepted" }, cookie });
    return id;
  }

  /** Stores a deposit as a row. */
  async function deposit(quoteId: string, mode: string, cents: number): Promise<void> {
    row += 1;
    const number = `LD-2026-${String(row).padStart(6, "0")}`;
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO document_series VALUES ('LD-2026', 1) ON CONFLICT (series) DO UPDATE SET last = last + 1",
      ),
      env.DB.prepare(
        `INSERT INTO payments (id, number, business_type, mode, amount_cents, quote_id, created_at, day, created_by)
         VALUES (?1, ?1, 'LASER', ?2, ?3, ?4, 1795435200, '2026-11-23', 'Pat')`,
      ).bind(number, mode, cents, quoteId),
    ]);
  }

  const sale = (quoteId: string, more: Record<string, unknown> = {}) => ({
    quoteId,
    lines: [{ description: "Pen", businessType: "LASER", quantity: 1, amount: 70 }],
    ...more,
  });

  it("asks for what they leave, and has their modes", async () => {
    const id = await acceptedQuote();
    await deposit(id, "EMT", 3000);
    const refused = await sell(token, sale(id, { payments: [{ mode: "CARD", amount: 70 }] }));
    expect((await json<Refusal>(refused)).details).toEqual([
      { path: "payments", message: "The payments are $70.00, $40.00 is to pay" },
    ]);
    const [document] = await sold(token, sale(id, { paymentMode: "CASH" }));
    expect(document).toMatchObject({ total: 70, paymentMode: "CASH" });
    expect(document?.payments).toEqual([
      { mode: "EMT", amount: 30, quoteId: id },
      { mode: "CASH", amount: 40, quoteId: null },
    ]);
    expect(await ledgerOf(String(document?.id))).toEqual([
      ["CASH", 1, 4000, 0],
      ["EMT", 0, 3000, 0],
    ]);
    expect(await violations()).toEqual([]);
  });

  it("has the modes of one that was paid back in another", async () => {
    const id = await acceptedQuote();
    await deposit(id, "EMT", 3000);
    await deposit(id, "CARD", -3000);
    const [document] = await sold(token, sale(id, { paymentMode: "CASH" }));
    expect(document?.payments.map(({ mode, amount }) => [mode, amount])).toEqual([
      ["CARD", -30],
      ["EMT", 30],
      ["CASH", 70],
    ]);
    expect(await violations()).toEqual([]);
  });

  it("is refused where they are more, and counts one that came in between", async () => {
    const id = await acceptedQuote();
    await deposit(id, "EMT", 3000);
    const less = { ...sale(id), lines: [{ description: "Pen", quantity: 1, amount: 20 }] };
    const answer = await sell(token, less);
    expect([answer.status, (await json<Refusal>(answer)).message]).toEqual([
      409,
      "The deposit is $10.00 more than this sale. Pay it back first.",
    ]);
    const between = beforeBatch(/INSERT INTO documents/, () => deposit(id, "EMT", 1000));
    const [document] = await sold(token, sale(id));
    between.mockRestore();
    expect(document?.payments.map(({ mode, amount }) => [mode, amount])).toEqual([
      ["EMT", 40],
      ["CARD", 30],
    ]);
    expect(await violations()).toEqual([]);
  });

  it("takes none above the total, below 0, or once it is sold or withdrawn", async () => {
    const id = await acceptedQuote();
    const status = (state: string) => call(`/api/quote/${id}`, { method: "PATCH", token, json: { state } });
    await deposit(id, "CARD", 7000);
    await expect(deposit(id, "CASH", 1)).rejects.toThrow("deposit out of bounds");
    await expect(deposit(id, "CASH", -7001)).rejects.toThrow("deposit out of bounds");
    const races = await Promise.allSettled([1, 2, 3].map(() => deposit(id, "CARD", -4000)));
    expect(races.filter((race) => race.status === "fulfilled")).toHaveLength(1);
    const withdraw = env.DB.prepare("UPDATE quotes SET state = 'withdrawn' WHERE id = ?").bind(id);
    await expect(withdraw.run()).rejects.toThrow("quotes: deposit");
    expect((await status("withdrawn")).status).toBe(409);
    await sold(token, sale(id));
    await expect(deposit(id, "CASH", 1)).rejects.toThrow("no open quote");
    expect(await violations()).toEqual([]);
  });
});
