import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { manager, person, seller } from "../support/people";
import { credit, json, type Refusal, sold, violations } from "../support/sales";
import { call } from "../support/shop";

interface DrawerAnswer {
  id: string;
  day: string;
  float: number;
  expected: number;
  counted: number | null;
  difference: number | null;
  reason: string;
  payments: { mode: string; amount: number; count: number }[];
  cashExpenses: number;
  closedAt: { seconds: number };
}

let token: string;

beforeEach(async () => {
  ({ token } = await manager());
  await env.DB.batch([
    env.DB.prepare("DROP TRIGGER IF EXISTS drawers_final_delete"),
    env.DB.prepare("DELETE FROM drawers"),
  ]);
});

const BUSINESS = { businessType: "EMPORIA" };
const open = (body: Record<string, unknown>, as = token) =>
  call("/api/drawer", { token: as, json: { ...BUSINESS, ...body } });
const close = (body: Record<string, unknown>, as = token) =>
  call("/api/drawer/close", { token: as, json: { ...BUSINESS, reason: "Miscounted", ...body } });
const drawer = (business = "EMPORIA") => call(`/api/drawer?businessType=${business}`, { token });
const line = { description: "Pen", category: "OTHERS", quantity: 2 };
const messageOf = async (answer: Response) => (await json<Refusal>(answer)).message;

describe("the drawer", () => {
  it("expects its float, the day's cash payments and cash expenses, and closes with the difference", async () => {
    const before = await json<DrawerAnswer>(open({ float: 100 }));
    const start = before.expected - 100;
    const [sale] = await sold(token, {
      lines: [{ ...line, amount: 40 }],
      payments: [
        { mode: "CASH", amount: 15 },
        { mode: "CARD", amount: 25 },
      ],
    });
    await credit(token, String(sale?.id), { paymentMode: "CASH", lines: [{ line: 1, amount: 5 }] });
    const expense = {
      description: "Milk",
      businessType: "EMPORIA",
      expenseType: "OTHERS",
      amount: 4.5,
      paymentMode: "CASH",
    };
    const added = await call("/api/expense", { token, json: expense });
    expect(added.status, await added.clone().text()).toBe(201);
    const now = await json<DrawerAnswer>(drawer());
    const today = (await (await call("/admin/today", { token })).text()).replaceAll(/<[^>]*>/g, "");
    expect(today).toContain(`expected $${now.expected.toFixed(2)}Count and close`);
    expect(now).toMatchObject({ float: 100, counted: null, difference: null });
    expect(now.expected).toBeCloseTo(100 + start + 15 - 5 - 4.5, 2);
    const counted = await json<DrawerAnswer>(close({ counted: now.expected - 2, reason: "Too much change" }));
    expect(counted).toMatchObject({ expected: now.expected, difference: -2, reason: "Too much change" });
    await sold(token, { paymentMode: "CASH", lines: [{ ...line, amount: 10 }] });
    await sold(token, { paymentMode: "CARD", lines: [{ ...line, amount: 7 }] });
    const later = await json<DrawerAnswer>(drawer());
    expect(later).toMatchObject({ expected: now.expected, difference: -2 });
    expect([later.payments, later.cashExpenses]).toEqual([now.payments, now.cashExpenses]);
    const page = await (await call("/admin/sales/drawer?business=EMPORIA", { token })).text();
    expect(page.replaceAll("<!-- -->", "")).toContain("Since then: Cash $10.00, Card $7.00.");
    expect(await violations()).toEqual([]);
  });

  it("is not closed with a difference that has no reason", async () => {
    const { id, expected } = await json<DrawerAnswer>(open({ float: 50 }));
    const refused = await close({ id, counted: expected - 2, reason: "" });
    expect([refused.status, await json<Refusal>(refused)]).toMatchObject([
      400,
      { details: [{ path: "reason", message: "Say why it differs by −$2.00" }] },
    ]);
    expect(await json<DrawerAnswer>(drawer())).toMatchObject({ counted: null });
    expect((await close({ id, counted: expected, reason: "" })).status).toBe(200);
  });

  it("of today is opened again by a manager, and counted anew; the audit log keeps the first count", async () => {
    const { id } = await json<DrawerAnswer>(open({ float: 100 }));
    const { expected } = await json<DrawerAnswer>(drawer());
    const reopen = (body: object, as = token) =>
      call("/api/drawer/reopen", {
        token: as,
        json: { ...BUSINESS, id, reason: "One note was missed", ...body },
      });
    const count = { counted: expected - 5, reason: "Lost" };
    expect((await close(count)).status).toBe(200);
    expect((await reopen({ reason: "" })).status).toBe(400);
    expect((await reopen({ id: "other" })).status).toBe(404);
    expect((await reopen({ businessType: "LASER" })).status).toBe(404);
    expect((await reopen({}, (await seller()).token)).status).toBe(403);
    const answers = await Promise.all(Array.from({ length: 4 }, () => reopen({})));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await json<DrawerAnswer>(drawer())).toMatchObject({ id, counted: null, reason: "", float: 100 });
    const { results } = await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'drawer' AND action = 'reopened'",
    ).all<{ changes: string }>();
    expect(results.map(({ changes }) => JSON.parse(changes))).toMatchObject([
      { countedCents: [Math.round((expected - 5) * 100), null], reason: ["Lost", "One note was missed"] },
    ]);
    expect((await close({ counted: expected })).status).toBe(200);
    await expect(
      env.DB.prepare("UPDATE drawers SET closed_at = NULL, float_cents = 1 WHERE id = ?").bind(id).run(),
    ).rejects.toThrow("drawers: final");
    await env.DB.prepare(
      `INSERT INTO drawers (id, business_type, day, float_cents, opened_by, opened_at, expected_cents, counted_cents, closed_by, closed_at)
       VALUES ('january', 'EMPORIA', '2026-01-05', 0, 'Pat', 1, 0, 0, 'Pat', 2)`,
    ).run();
    expect(await messageOf(await reopen({ id: "january" }))).toBe(
      "Only the drawer of today can be opened again.",
    );
  });

  it("is not opened again by a request that has seen another closing", async () => {
    const { id } = await json<DrawerAnswer>(open({ float: 100 }));
    const { expected } = await json<DrawerAnswer>(drawer());
    const closed = await json<DrawerAnswer>(close({ counted: expected }));
    const reopen = (closedAt: number) =>
      call("/api/drawer/reopen", { token, json: { ...BUSINESS, id, closedAt, reason: "Too early" } });
    const { seconds } = closed.closedAt;
    const refused = await reopen(seconds - 1);
    expect(refused.status).toBe(409);
    expect(await messageOf(refused)).toMatch(/^The drawer was closed by .+\.$/);
    expect(await json<DrawerAnswer>(drawer())).toMatchObject({ id, counted: expected });
    expect((await reopen(seconds)).status).toBe(200);
    expect(await json<DrawerAnswer>(drawer())).toMatchObject({ id, counted: null });
  });

  it("is opened once by its id, and one at a time", async () => {
    const body = { id: crypto.randomUUID(), float: 50 };
    const answers = await Promise.all(Array.from({ length: 6 }, () => open(body)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    expect((await open({ ...body, float: 51 })).status).toBe(409);
    const other = await open({ float: 50 });
    expect(other.status).toBe(409);
    expect(await messageOf(other)).toMatch(/^The drawer is open since .* Close it first\.$/);
    expect((await open({ businessType: "LASER", float: 0 })).status).toBe(201);
  });

  it("is closed once: the same count again is the same, another one a conflict", async () => {
    const { id } = await json<DrawerAnswer>(open({ float: 50 }));
    const counts = await Promise.all(Array.from({ length: 6 }, () => close({ id, counted: 50 })));
    expect(counts.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await close({ id, counted: 51 })).status).toBe(409);
    expect((await close({ counted: 50 })).status).toBe(409);
    expect((await close({ id: "another", counted: 50 })).status).toBe(409);
    const again = await open({ float: 50 });
    expect(await messageOf(again)).toMatch(/^The drawer of today was closed by /);
  });

  it("is not closed with a sum that its author has not seen", async () => {
    const { id, expected } = await json<DrawerAnswer>(open({ float: 50 }));
    await sold(token, { paymentMode: "CASH", lines: [{ ...line, amount: 20 }] });
    const refused = await close({ id, counted: expected, expected });
    expect(refused.status).toBe(409);
    expect(await messageOf(refused)).toMatch(/is expected by now, not .*Nothing was closed\.$/);
    expect((await close({ id, counted: expected + 20, expected: expected + 20 })).status).toBe(200);
  });

  it("of yesterday is closed with the cash of its own day", async () => {
    const { id } = await json<DrawerAnswer>(open({ float: 10 }));
    await env.DB.prepare("UPDATE drawers SET day = date(day, '-1 day') WHERE id = ?").bind(id).run();
    const yesterday = await json<DrawerAnswer>(drawer());
    await sold(token, { paymentMode: "CASH", lines: [{ ...line, amount: 30 }] });
    expect((await json<DrawerAnswer>(drawer())).expected).toBe(yesterday.expected);
    expect((await open({ float: 10 })).status).toBe(409);
    expect((await close({ id, counted: 10 })).status).toBe(200);
    expect((await open({ float: 10 })).status).toBe(201);
    // The answer was lost.
    expect((await close({ id, counted: 10 })).status).toBe(200);
  });

  it("never changes once it is closed", async () => {
    const { id } = await json<DrawerAnswer>(open({ float: 10 }));
    await close({ counted: 10 });
    const change = env.DB.prepare("UPDATE drawers SET counted_cents = 0 WHERE id = ?").bind(id).run();
    await expect(change).rejects.toThrow("drawers: final");
  });

  it.each([
    [{ float: -1 }, 400],
    [{ float: "ten" }, 400],
    [{}, 400],
    [{ float: 1, businessType: "BAKERY" }, 400],
    [{ float: 1_000_000_000 }, 400],
  ])("refuses to open with %o", async (body, status) => {
    expect((await open(body)).status).toBe(status);
    expect((await drawer()).status).toBe(404);
  });

  it("is for staff, and none is no drawer", async () => {
    const { token: shopper } = await person();
    expect((await open({ float: 1 }, shopper)).status).toBe(403);
    expect((await close({ counted: 1 }, shopper)).status).toBe(403);
    expect((await close({ counted: 1 })).status).toBe(404);
    expect((await call("/api/drawer?businessType=EMPORIA")).status).toBe(401);
  });
});
