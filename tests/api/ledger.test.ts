import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addEntry, type Entry, EXPENSE, INVOICE } from "../support/ledger";
import { admin, manager, person, problems, told } from "../support/people";
import { call } from "../support/shop";

let token: string;
const people: Record<string, string | undefined> = {};

beforeAll(async () => {
  token = (await admin()).token;
  people.anonymous = undefined;
  people.customer = (await person()).token;
  people.manager = (await manager()).token;
  people.admin = token;
});

const KINDS = [
  { kind: "invoice" as const, base: INVOICE, title: "Invoice" },
  { kind: "expense" as const, base: EXPENSE, title: "Expense" },
];

describe("who may (contract: Routes)", () => {
  const routes: [method: string, path: string][] = [
    ["GET", "/api/invoice/all"],
    ["GET", "/api/expense/all"],
    ["GET", "/api/sale/all"],
    ["GET", "/api/sale/category"],
    ["GET", "/api/sale/year/2026"],
    ["GET", "/api/expense/year/2026"],
    ["GET", "/api/expense/totalExpensesAmount"],
    ["POST", "/api/invoice"],
    ["POST", "/api/invoice/"],
    ["POST", "/api/expense"],
    ["PUT", "/api/invoice/none"],
    ["PUT", "/api/expense/none"],
    ["DELETE", "/api/invoice/none"],
    ["DELETE", "/api/expense/none"],
  ];
  /** What staff are answered when they send nothing. */
  const forStaff = (method: string, path: string) =>
    method === "GET" ? 200 : path.endsWith("none") ? 404 : 400;

  it.each(routes)("%s %s", async (method, path) => {
    const body = method === "POST" || method === "PUT" ? { json: {} } : {};
    const statuses: Record<string, number> = {};
    for (const [who, own] of Object.entries(people)) {
      const answer = await call(path, {
        method,
        ...body,
        ...(own ? { token: own } : {}),
      });
      statuses[who] = answer.status;
      await answer.text();
    }
    const staff = forStaff(method, path);
    expect(statuses).toEqual({ anonymous: 401, customer: 403, manager: staff, admin: staff });
  });

  it.each(["/api/invoice/all", "/api/sale/all", "/api/expense/x", "/api/invoice"])(
    "another method of %s is a 405 with Allow",
    async (path) => {
      const answer = await call(path, { method: "PATCH", json: {}, token });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("Allow")).toBeTruthy();
    },
  );
});

describe.each(KINDS)("POST $kind", ({ kind, base, title }) => {
  it("stores it and answers it whole (201)", async () => {
    const answer = await call(`/api/${kind}/`, { json: base, token });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ ...base, id: expect.any(String) });
  });

  it("the same id with the same content is stored once and answered the same (budgets: Never loses)", async () => {
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

  it("ten at once with the same id are one", async () => {
    const json = { ...base, id: `ten-${kind}` };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(`/api/${kind}`, { json, token })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const { results } = await env.DB.prepare(`SELECT id FROM ${kind}s WHERE id = ?`).bind(json.id).all();
    expect(results).toHaveLength(1);
  });

  it("sent twice without a date, or with today's, it is the same too", async () => {
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Toronto" }).format(new Date());
    for (const createdAt of [undefined, today]) {
      const json = { ...base, createdAt, id: `undated-${kind}-${createdAt}` };
      await call(`/api/${kind}`, { json, token });
      await scheduler.wait(1100);
      expect((await call(`/api/${kind}`, { json, token })).status).toBe(201);
    }
  });

  it("the same id with another content is a conflict; so is that of a deleted one", async () => {
    const { id } = await addEntry(kind, { id: `taken-${kind}` }, token);
    const other = await call(`/api/${kind}`, { json: { ...base, amount: 1.23, id }, token });
    expect(other.status).toBe(409);
    expect((await told(other)).ERR_MSG).toBe(`${title} with this id exists already.`);
    await call(`/api/${kind}/${id}`, { method: "DELETE", token });
    const late = await call(`/api/${kind}`, { json: { ...base, id }, token });
    expect(late.status).toBe(409);
    expect((await told(late)).message).toBe(`This ${kind} was deleted.`);
  });

  it("sent again after an edit, it is answered as it stands", async () => {
    const { id } = await addEntry(kind, { id: `edited-${kind}` }, token);
    await call(`/api/${kind}/${id}`, { method: "PUT", json: { amount: 99 }, token });
    const again = await call(`/api/${kind}`, { json: { ...base, id }, token });
    expect(again.status).toBe(201);
    expect(((await again.json()) as Entry).amount).toBe(99);
  });

  const money = "amount: Must be an amount from 0 to 99,999,999.99 with at most 2 decimals";
  it.each([
    ["1e309", money],
    [0.001, money],
    [-5, money],
    ["1,50", money],
    ["", "amount: Amount is required"],
    [null, "amount: Amount is required"],
    [100_000_000, money],
    ["0x10", money],
    ["12.345", money],
    [true, "amount: Must be an amount"],
    [{}, "amount: Must be an amount"],
  ])("refuses the amount %j", async (amount, problem) => {
    const answer = await call(`/api/${kind}`, { json: { ...base, amount }, token });
    expect(answer.status).toBe(400);
    expect(await problems(answer)).toEqual([problem]);
  });

  it("refuses 1e309 as a bare number, which JSON reads as infinite", async () => {
    const body = JSON.stringify(base).replace(/"amount":[\d.]+/, '"amount":1e309');
    const headers = { "Content-Type": "application/json" };
    const answer = await call(`/api/${kind}`, { method: "POST", body, headers, token });
    expect(answer.status).toBe(400);
  });

  it.each(["12.5", " 12.50 ", 12.5, 99_999_999.99, 0.01])("takes the amount %j", async (amount) => {
    const { amount: stored } = await addEntry(kind, { amount }, token);
    expect(stored).toBe(Number(amount));
  });

  const date = "createdAt: Must be a date from 2000 to 2099";
  it.each([
    { seconds: -1 },
    { seconds: 1.5 },
    { seconds: "1790000000" },
    { seconds: 253_402_300_800 },
    {},
    [],
    "0000-01-01",
    "9999-12-31",
    "1999-12-31",
    "2100-01-01",
    "2026-02-29",
    "2026-13-01",
    "2026-02-30T10:00:00Z",
    "2026-01-01T24:00:00Z",
    "yesterday",
    "12/31/2026",
    1e18,
    -1e15,
    { seconds: 946_684_800 },
    "2000-01-01T04:59:59Z",
    "2099-12-31T24:00:00-05:00",
    "2100-01-01T05:00:00Z",
  ])("refuses the date %j", async (createdAt) => {
    const answer = await call(`/api/${kind}`, { json: { ...base, createdAt }, token });
    expect(await problems(answer)).toEqual([date]);
    expect(answer.status).toBe(400);
  });

  it.each([
    [{ seconds: 1_790_000_000, nanoseconds: 5 }, 1_790_000_000],
    [{ _seconds: 1_790_000_000, _nanoseconds: 0 }, 1_790_000_000],
    [1_790_000_000_999, 1_790_000_000],
    ["2026-09-21T14:13:20.000Z", 1_790_000_000],
    ["2026-09-21T10:13:20-04:00", 1_790_000_000],
    ["2026-09-21T10:13:20", 1_790_000_000],
    ["2026-09-21", Date.UTC(2026, 8, 21, 16) / 1000],
    ["2026-01-21", Date.UTC(2026, 0, 21, 17) / 1000],
    ["2000-01-01", Date.UTC(2000, 0, 1, 17) / 1000],
    ["2099-12-31", Date.UTC(2099, 11, 31, 17) / 1000],
    ["2100-01-01T04:59:59Z", Date.UTC(2100, 0, 1, 5) / 1000 - 1],
    // The shop's clock leaps from 2 to 3 on 8 March 2026, and shows 1:30 twice on 1 November.
    ["2026-03-08T02:30", Date.UTC(2026, 2, 8, 7, 30) / 1000],
    ["2026-11-01T01:30:00", Date.UTC(2026, 10, 1, 5, 30) / 1000],
  ])("takes the date %j", async (createdAt, seconds) => {
    const { createdAt: stored } = await addEntry(kind, { createdAt }, token);
    expect(stored).toEqual({ seconds, nanoseconds: 0 });
  });

  it("tells every problem at once", async () => {
    const json = { description: "x".repeat(501), businessType: "SHOE", amount: -1, createdAt: "soon" };
    const found = await problems(await call(`/api/${kind}`, { json, token }));
    expect(found).toEqual(
      expect.arrayContaining([
        "description: Must be at most 500 characters",
        "businessType: Must be one of EMPORIA, LASER",
        money,
        date,
      ]),
    );
  });

  it.each(["a\u0000b", "a\nb", "\ud800", 5])("refuses the description %j", async (description) => {
    expect((await call(`/api/${kind}`, { json: { ...base, description }, token })).status).toBe(400);
  });

  it("refuses an id that isn't one", async () => {
    const answer = await call(`/api/${kind}`, { json: { ...base, id: "a b" }, token });
    expect(await problems(answer)).toEqual(["id: Must be 1 to 64 of A-Z, a-z, 0-9, _ and -"]);
  });
});

describe("what only one kind has", () => {
  it("an invoice that says nothing but its amount is as in a new form (spec 3)", async () => {
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
  it.each([0, 1.5, 2 ** 53, -1, "", "two", 1_000_001, null])("refuses the quantity %j", async (quantity) => {
    const answer = await call("/api/invoice", { json: { ...INVOICE, quantity }, token });
    expect(await problems(answer)).toEqual([whole]);
  });

  it.each([1, 1_000_000, "12"])("takes the quantity %j", async (quantity) => {
    expect((await addEntry("invoice", { quantity }, token)).quantity).toBe(Number(quantity));
  });

  it.each(["phone case", "Phone-Case", "PHONE_CASE"])("reads the category %j", async (category) => {
    expect((await addEntry("invoice", { category }, token)).category).toBe("PHONE_CASE");
  });

  it.each([
    ["category", "SHOES", "category: There is no such category"],
    ["paymentMode", "GOLD", "paymentMode: Must be one of CASH, EMT, CARD"],
    ["paymentMode", "", "paymentMode: Must be one of CASH, EMT, CARD"],
  ])("refuses the invoice's %s %j", async (field, value, problem) => {
    const answer = await call("/api/invoice", { json: { ...INVOICE, [field]: value }, token });
    expect(await problems(answer)).toEqual([problem]);
  });

  it.each([
    ["amount", 0, "amount: Must be more than 0"],
    ["description", " ", "description: Description is required"],
    ["expenseType", "GIFT", /^expenseType: Must be one of SHIPPING, /],
    ["expenseType", undefined, /^expenseType: Must be one of SHIPPING, /],
    ["businessType", undefined, "businessType: Must be one of EMPORIA, LASER"],
  ])("refuses the expense's %s %j", async (field, value, problem) => {
    const found = await problems(await call("/api/expense", { json: { ...EXPENSE, [field]: value }, token }));
    expect(found).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)]);
  });
});

describe.each(KINDS)("PUT and DELETE $kind/{id}", ({ kind, base, title }) => {
  it("PUT writes what is sent; a missing key stays", async () => {
    const { id } = await addEntry(kind, {}, token);
    const answer = await call(`/api/${kind}/${id}`, { method: "PUT", json: { amount: "7.05" }, token });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ...base, id, amount: 7.05 });
  });

  it("the path's id counts, not the body's", async () => {
    const [mine, other] = [await addEntry(kind, {}, token), await addEntry(kind, {}, token)];
    const json = { id: other.id, description: "Mine" };
    const answer = await call(`/api/${kind}/${mine.id}`, { method: "PUT", json, token });
    expect(((await answer.json()) as Entry).id).toBe(mine.id);
  });

  it("a day that stays the same keeps its time; another day's is noon", async () => {
    const { id, createdAt } = await addEntry(kind, { createdAt: "2026-09-21T10:13:20" }, token);
    const put = async (day: string) => {
      const answer = await call(`/api/${kind}/${id}`, { method: "PUT", json: { createdAt: day }, token });
      return ((await answer.json()) as Entry).createdAt.seconds;
    };
    expect(await put("2026-09-21")).toBe(createdAt.seconds);
    expect(await put("2026-09-22")).toBe(Date.UTC(2026, 8, 22, 16) / 1000);
  });

  it("with a version, the second of two people is told and nothing is overwritten", async () => {
    const { id } = await addEntry(kind, {}, token);
    const put = (json: unknown) => call(`/api/${kind}/${id}`, { method: "PUT", json, token });
    expect((await put({ amount: 40, version: 1 })).status).toBe(200);
    const late = await put({ amount: 50, version: 1 });
    expect(late.status).toBe(409);
    expect((await told(late)).message).toBe(`Somebody else has just changed this ${kind}.`);
    expect(((await (await put({})).json()) as Entry).amount).toBe(40);
    expect((await put({ amount: 60 })).status).toBe(200);
  });

  it("DELETE deletes once; the second time, as any other, is a 404", async () => {
    const { id } = await addEntry(kind, {}, token);
    const first = await call(`/api/${kind}/${id}`, { method: "DELETE", token });
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({
      message: `${title} deleted successfully`,
      deleted: { ...base, id },
    });
    for (const method of ["DELETE", "PUT"]) {
      const again = await call(`/api/${kind}/${id}`, { method, json: {}, token });
      expect(again.status).toBe(404);
      expect((await told(again)).ERR_MSG).toBe(`${title} not found`);
    }
  });
});
