import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { addEntry, type Entry, EXPENSE, INVOICE, KINDS } from "../support/ledger";
import { admin, problems, readAnswer } from "../support/people";
import { call } from "../support/shop";

let token: string;

beforeAll(async () => {
  token = (await admin()).token;
});

afterEach(() => void vi.useRealTimers());

describe.each(KINDS)("POST $kind", ({ kind, base, title }) => {
  it("stores the entry and returns it (201)", async () => {
    const answer = await call(`/api/${kind}/`, { json: base, token });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ ...base, id: expect.any(String) });
  });

  it("stores a repeated request once and answers it alike", async () => {
    const json = { ...base, id: `twice-${kind}` };
    const [first, second] = [
      await call(`/api/${kind}`, { json, token }),
      await call(`/api/${kind}`, { json, token }),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    const { results } = await env.DB.prepare(`SELECT id FROM ${kind}s WHERE id = ?`).bind(json.id).all();
    expect(results).toHaveLength(1);
  });

  it("stores ten simultaneous requests with one id once", async () => {
    const json = { ...base, id: `ten-${kind}` };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(`/api/${kind}`, { json, token })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const { results } = await env.DB.prepare(`SELECT id FROM ${kind}s WHERE id = ?`).bind(json.id).all();
    expect(results).toHaveLength(1);
  });

  it("recognises a repeated request without a date or with today's", async () => {
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Toronto" }).format(new Date());
    for (const createdAt of [undefined, today]) {
      const json = { ...base, createdAt, id: `undated-${kind}-${createdAt}` };
      await call(`/api/${kind}`, { json, token });
      vi.setSystemTime(Date.now() + 1100);
      expect((await call(`/api/${kind}`, { json, token })).status).toBe(201);
    }
  });

  it("rejects an id of another or a deleted entry", async () => {
    const { id } = await addEntry(kind, { id: `taken-${kind}` }, token);
    const other = await call(`/api/${kind}`, { json: { ...base, amount: 1.23, id }, token });
    expect(other.status).toBe(409);
    expect((await readAnswer(other)).ERR_MSG).toBe(`${title} with this id exists already.`);
    await call(`/api/${kind}/${id}`, { method: "DELETE", token });
    const late = await call(`/api/${kind}`, { json: { ...base, id }, token });
    expect(late.status).toBe(409);
    expect((await readAnswer(late)).message).toBe(`This ${kind} was deleted.`);
  });

  it("answers a repeated request after an edit with the stored entry", async () => {
    const { id } = await addEntry(kind, { id: `edited-${kind}` }, token);
    await call(`/api/${kind}/${id}`, { method: "PUT", json: { amount: 99 }, token });
    const again = await call(`/api/${kind}`, { json: { ...base, id }, token });
    expect(again.status).toBe(201);
    expect(((await again.json()) as Entry).amount).toBe(99);
  });
});

describe("fields of one kind", () => {
  it("fills missing invoice fields with the defaults", async () => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await call("/api/invoice", { json: { amount: 0 }, token });
    const { createdAt, ...rest } = (await answer.json()) as Entry;
    expect(rest).toEqual({
      id: expect.any(String),
      description: "",
      quantity: 1,
      category: "PHONE_CASE",
      paymentMode: "CASH",
      businessType: "EMPORIA",
      amount: 0,
    });
    expect(createdAt.seconds).toBeGreaterThanOrEqual(before);
  });

  const whole = "quantity: Must be a whole number from 1 to 1,000,000";
  it.each([0, 1.5, 2 ** 53, -1, "", "two", 1_000_001, null])("rejects the quantity %j", async (quantity) => {
    const answer = await call("/api/invoice", { json: { ...INVOICE, quantity }, token });
    expect(await problems(answer)).toEqual([whole]);
  });

  it.each([1, 1_000_000, "12"])("accepts the quantity %j", async (quantity) => {
    expect((await addEntry("invoice", { quantity }, token)).quantity).toBe(Number(quantity));
  });

  it.each(["phone case", "Phone-Case", "PHONE_CASE"])("reads the category %j", async (category) => {
    expect((await addEntry("invoice", { category }, token)).category).toBe("PHONE_CASE");
  });

  it.each([
    ["category", "SHOES", "category: There is no such category"],
    ["paymentMode", "GOLD", "paymentMode: Must be one of CASH, EMT, CARD"],
    ["paymentMode", "", "paymentMode: Must be one of CASH, EMT, CARD"],
  ])("rejects the invoice's %s %j", async (field, value, problem) => {
    const answer = await call("/api/invoice", { json: { ...INVOICE, [field]: value }, token });
    expect(await problems(answer)).toEqual([problem]);
  });

  it.each([
    ["amount", 0, "amount: Must be more than 0"],
    ["description", " ", "description: Description is required"],
    ["expenseType", "GIFT", /^expenseType: Must be one of SHIPPING, /],
    ["expenseType", undefined, /^expenseType: Must be one of SHIPPING, /],
    ["businessType", undefined, "businessType: Must be one of EMPORIA, LASER"],
  ])("rejects the expense's %s %j", async (field, value, problem) => {
    const found = await problems(await call("/api/expense", { json: { ...EXPENSE, [field]: value }, token }));
    expect(found).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)]);
  });
});
